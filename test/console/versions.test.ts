// Journey 18: a page from before an upgrade of pimlet requests a file that is gone: one reload, and no draft is lost.
// Also the files that a browser loads before somebody can work.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const KB = 1024
const DRAFT = JSON.stringify({
  recordId: 'tea-assam',
  values: [{ alias: 'name', scope: { language: 'de' }, value: 'Assam, getippt', before: 'Assam Frühstückstee' }],
  at: 1_700_000_000_000,
})

describe('Journey 18: a new version', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  it('A8 is met by one reload, and drafts stay', async (t) => {
    const { page, context, expectStatus } = await suite().visit(t)
    await page.getByRole('navigation').waitFor()
    await page.evaluate((draft) => localStorage.setItem('pimlet-draft:usr-1:tea-assam', draft), DRAFT)
    let loads = 0
    page.on('load', () => (loads += 1))
    expectStatus(404)
    // Simulates another version: the file names of the old page are gone, new ones exist.
    let isOld = true
    await context.route(/\/console\/-\/people-\w+\.js$/, async (route) => {
      if (!isOld) return route.continue()
      isOld = false
      return route.continue({ url: route.request().url().replace('people-', 'people-old-') })
    })
    await page.getByRole('navigation').getByTitle('Account').click()
    await page.getByText('Present password').waitFor()
    assert.equal(loads, 1)
    assert.equal(await page.evaluate(() => localStorage.getItem('pimlet-draft:usr-1:tea-assam')), DRAFT)
  })

  it('A8 that stays incomplete is said, instead of loading again and again', async (t) => {
    const { page, context, expectStatus } = await suite().visit(t)
    await page.getByRole('navigation').waitFor()
    expectStatus(404)
    let loads = 0
    page.on('load', () => (loads += 1))
    await context.route(/\/console\/-\/people-\w+\.js$/, (route) =>
      route.continue({ url: route.request().url().replace('people-', 'people-old-') }),
    )
    await page.getByRole('navigation').getByTitle('Account').click()
    await page.getByText('The console was renewed').waitFor()
    assert.equal(loads, 1)
    await assertSeen(page, 'outdated')
  })

  it('A8 a panel whose file is gone is met by one reload, and then said, beside the page that stays', async (t) => {
    const { page, context, expectStatus } = await suite().visit(t, { path: '/console/records' })
    await page.getByRole('gridcell').first().waitFor()
    expectStatus(404)
    let loads = 0
    page.on('load', () => (loads += 1))
    let isOld = true
    await context.route(/\/console\/-\/record-\w+\.js$/, (route) =>
      route.continue(isOld ? { url: route.request().url().replace('record-', 'record-old-') } : {}),
    )
    await page.getByRole('gridcell').first().click()
    await page.keyboard.press('Control+Enter')
    await page.getByText('The console was renewed').waitFor()
    assert.equal(loads, 1)
    await page.getByRole('gridcell').first().waitFor()
    await assertSeen(page, 'panel-outdated')
    isOld = false
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('complementary').waitFor()
  })

  const STANDS = {
    '': { files: 5, what: '60 KB of code and words, and 12 KB of looks until the start stands' },
    records: { files: 7, what: 'until the first rows stand' },
  }
  for (const [place, { files, what }] of Object.entries(STANDS))
    it(`asks for at most ${files} files, ${what}`, async (t) => {
      const { page } = await suite().visit(t, { path: `/console/${place}` })
      await page
        .locator(place === '' ? 'h1' : '[role=gridcell]')
        .first()
        .waitFor()
      const loaded = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map((entry) => entry as PerformanceResourceTiming)
          .filter(({ name }) => /\/console\/-\/.*\.(js|css)$/.test(name))
          .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize })),
      )
      assert.ok(loaded.length >= 3 && loaded.length <= files, JSON.stringify(loaded))
      const sizeOf = (ending: string): number =>
        loaded.filter(({ name }) => name.endsWith(ending)).reduce((sum, { size }) => sum + size, 0)
      assert.ok(sizeOf('.css') > KB && sizeOf('.css') <= 12 * KB, `${sizeOf('.css')} bytes of looks`)
      if (place === '') assert.ok(sizeOf('.js') > KB && sizeOf('.js') <= 60 * KB, `${sizeOf('.js')} bytes of code`)
    })

  it('reads the workspace while its code is on its way, and once', async (t) => {
    const { page, context } = await suite().visit(t, { path: '/console/account' })
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/me')) asked.push(new URL(request.url()).pathname)
    })
    const isAsked = page.waitForRequest('**/api/v1/me/model')
    await context.route(/\/console\/-\/chunk-\w+\.js$/, async (route) => {
      await isAsked
      await route.continue()
    })
    await page.reload()
    await page.getByText('Present password').waitFor()
    assert.deepEqual(asked.toSorted(), ['/api/v1/me', '/api/v1/me/model', '/api/v1/me/preferences'])
  })

  it('loads the place while the workspace is read', async (t) => {
    const { page, context } = await suite().visit(t, { path: '/console/account' })
    const asked = page.waitForRequest(/\/console\/-\/records-\w+\.js$/)
    // The workspace is answered only after the place is requested.
    await context.route('**/api/v1/me', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto(`${suite().server.url}/console/records`)
    await page.getByRole('gridcell').first().waitFor()
  })
})
