// The sheet with more records than a screen: scrolling to the end, sharing by address, roles, keys alone, and hostile
// values.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { eventually } from '../../helpers/puppet.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import {
  importRecords,
  makeSheetModel,
  SeenSheet,
  setLanguage,
  SHEET_SCHEMA,
  sheetPath,
  someRecords,
} from '../helpers/sheet.ts'

const RECORDS = 2500
const LOOKER = { username: 'looker', password: 'a password of the looker' }
const MARKUP = '<img src=x onerror="document.title=1">'

describe('A sheet of many records', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(
    async ({ admin }) => {
      const wide = Array.from({ length: 200 }, (_, at) => ({
        alias: `wide${at}`,
        name: `Attribute ${at}`,
        dataType: 'text',
      }))
      await makeSheetModel(admin, wide)
      await importRecords(admin, someRecords(RECORDS))
      await importRecords(admin, [hostile()])
      const attributePermissions = { [SHEET_SCHEMA]: { secret: 'none', weight: 'read' } }
      const permissions = ['records.read', 'records.update', 'audit.read']
      const role = {
        id: 'role-looker',
        name: 'Looker',
        permissions,
        defaultAttributePermission: 'write',
        attributePermissions,
      }
      for (const [path, body] of [
        ['/api/v1/roles', role],
        ['/api/v1/users', { ...LOOKER, name: 'Looker', roleId: 'role-looker' }],
      ] as const) {
        const { status, text } = await send(admin, 'POST', path, body)
        assert.equal(status, 201, text)
      }
    },
    { maxRecords: 0 },
  )

  function hostile() {
    const scoped = (value: unknown) => [{ scope: {}, value }]
    return {
      id: 'tea-hostile',
      values: {
        sku: scoped(`AAA ${MARKUP}`),
        name: scoped(`\u202E\u0000\u0007${'\u0301'.repeat(50)}right to left`),
        kind: scoped('green'),
        wide0: scoped('x'.repeat(10_000)),
        wide1: scoped('javascript:document.title=2'),
        wide2: scoped('=HYPERLINK("http://elsewhere.test")\n\tsecond line'),
      },
    }
  }

  async function open(t: TestContext, query: string, options: VisitOptions = {}) {
    const visit = await suite().visit(t, { path: sheetPath(query), ...options })
    const sheet = new SeenSheet(visit.page)
    await sheet.cell(0, 0).locator('.sheet-text').waitFor()
    return { ...visit, sheet }
  }

  it('journey 6: scrolls to the last: the right row, nothing blank, one request for each page that is shown', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,name,weight,.completeness&sort=.createdAt')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/search')) asked.push(request.postData() ?? '')
    })
    // The next rows are read before they are visible.
    const next = page.waitForRequest('**/api/v1/search')
    await sheet.grid.evaluate((element) => {
      element.scrollTop = 50 * 32
    })
    await next
    assert.equal(await sheet.cell(100, 0).count(), 0)
    const blank = await sheet.grid.evaluate(async (element) => {
      let blank = 0
      const { top, left, height } = element.getBoundingClientRect()
      while (element.scrollTop + element.clientHeight < element.scrollHeight - 1) {
        element.scrollTop += 3000
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const isDrawn = (y: number): boolean =>
          document.elementFromPoint(left + 90, top + y)?.closest('[data-row]') !== null
        if (![60, height / 2, height - 24].every(isDrawn)) blank += 1
      }
      return blank
    })
    assert.equal(blank, 0)
    await sheet.shows(RECORDS, 0, `AAA ${MARKUP}`)
    assert.equal(await sheet.text(RECORDS - 1, 0), 'T-2500')
    assert.equal(await sheet.grid.getAttribute('aria-rowcount'), String(RECORDS + 2))
    // Few of the pages that were flown past are requested, and none twice; the number depends on the machine's drawing
    // speed.
    assert.equal(new Set(asked).size, asked.length)
    assert.ok(asked.length < RECORDS / 100, `${asked.length} requests`)
    asked.length = 0
    await sheet.grid.focus()
    await sheet.press('Control+Home')
    await sheet.shows(0, 0, 'T-0001')
    assert.deepEqual(asked, [])
  })

  it('journey 6: by keys alone, with the row of the cursor always there', async (t) => {
    const { sheet } = await open(t, '&cols=sku,name,weight')
    await sheet.grid.focus()
    await sheet.press('Control+End')
    await sheet.shows(RECORDS, 0, `AAA ${MARKUP}`)
    assert.equal(await sheet.cursor(), `sheet-${RECORDS}-2`)
    await sheet.grid.evaluate((element) => {
      element.scrollTop = 0
    })
    await sheet.shows(0, 0, 'T-0001')
    assert.equal(await sheet.page.locator(`#${await sheet.cursor()}`).count(), 1)
    await sheet.press('PageUp')
    assert.equal(await sheet.page.locator(`#${await sheet.cursor()}`).isVisible(), true)
  })

  it('journey 9: attributes that a role may not see are in no cell, address or menu; what it may only read has no editor', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,secret,weight&sort=-secret', { as: LOOKER })
    assert.equal(await sheet.grid.getAttribute('aria-colcount'), '3')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('searchbox', { name: 'Find a column' }).fill('se')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Filter by' }).fill('margin')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.doesNotMatch((await page.locator('body').innerHTML()).replaceAll(/secret,weight/g, ''), /margin|Secret/)
    await sheet.cell(0, 1).click()
    await sheet.press('F2')
    await page.getByText('Your role may read this').first().waitFor()
    assert.equal(await sheet.cell(0, 1).getAttribute('aria-readonly'), 'true')
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('pimlet-session')!).accessToken as string)
    const forged = { values: { weight: [{ scope: {}, value: 9 }] } }
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await send({ url: suite().server.url, headers }, 'PATCH', '/api/v1/records/tea-000001', forged)
    assert.equal(status, 403)
  })

  it('journey 16: another user opens a copied address and sees the same, less what is hidden; back restores', async (t) => {
    const where = JSON.stringify([{ attributeAlias: 'weight', operator: 'between', value: ['100', '2000'] }])
    const query = `&cols=sku,weight,secret&sort=-weight&where=${encodeURIComponent(where)}`
    const mine = await open(t, query)
    await mine.sheet.shows(0, 0, 'T-2000')
    const theirs = await open(t, query, { as: LOOKER })
    await theirs.sheet.shows(0, 0, 'T-2000')
    assert.deepEqual(
      [await mine.sheet.grid.getAttribute('aria-colcount'), await theirs.sheet.grid.getAttribute('aria-colcount')],
      ['4', '3'],
    )
    const { sheet, page } = mine
    await sheet.grid.focus()
    await sheet.press('PageDown', 'PageDown', 'PageDown', 'ArrowRight', 'Space')
    const cursor = await sheet.cursor()
    // The scroll position is stored after a pause.
    const kept = () => page.evaluate(() => JSON.stringify(history.state))
    await eventually(async () => {
      const before = await kept()
      await page.waitForTimeout(400)
      return before.includes('"row"') && before === (await kept())
    })
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('1 selected').waitFor()
    assert.equal(await sheet.cursor(), cursor)
    assert.equal(await page.locator(`#${cursor}`).isVisible(), true)
  })

  it('journey 17: values that would like to be more than text run nothing and keep to their cells', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,name,wide0,wide1,wide2&q=AAA')
    await sheet.cell(0, 2).click()
    assert.equal(await sheet.text(0, 0), `AAA ${MARKUP}`)
    const heights = await sheet.grid.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.clientHeight))
    assert.deepEqual([...new Set(heights)], [31])
    assert.equal(await page.locator('.sheet img, .sheet a').count(), 0)
    await sheet.cell(0, 4).click()
    await sheet.press('F2')
    await page.locator('.sheet-editor textarea').waitFor()
    await assertSeen(page, 'sheet-hostile')
    assert.notEqual(await page.title(), '1')
  })

  it('looks right with 200 attributes, in German, with a selection, a filter, an editor and a refused cell', async (t) => {
    const all = Array.from({ length: 200 }, (_, at) => `wide${at}`).join()
    const { sheet, page } = await open(
      t,
      `&scope=language:de,market:eu&cols=sku,name,price,weight,stock,kind,.lifecycleStateId,.completeness,${all}`,
    )
    assert.ok((await sheet.grid.locator('[data-row="0"] [data-column]').count()) < 30)
    await sheet.cell(2, 3).click()
    await sheet.type('heavy')
    await sheet.press('Enter')
    await sheet.cell(4, 1).click()
    await sheet.press('Space', 'ArrowDown', 'Space')
    await assertSeen(page, 'sheet')
    await sheet.press('Escape', 'F2')
    await assertSeen(page, 'sheet-editor')
    await sheet.press('Escape', 'End')
    await page.locator(`#${await sheet.cursor()}`).waitFor()
  })

  it('looks right in German, with a filter', async (t) => {
    const { url } = suite().server
    await setLanguage(url, 'de')
    t.after(() => setLanguage(url, 'en'))
    const query = '&q=T-00&state=state-draft&scope=language:de&cols=sku,name,name@language:en,weight,kind,.completeness'
    const { page } = await open(t, query, { locale: 'de-DE' })
    await page.getByPlaceholder('Datensätze suchen').waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('checkbox', { name: /Entwurf/ }).waitFor()
    await assertSeen(page, 'sheet-filter')
  })

  it('A1, G8: says how to begin where there is nothing, and what stands in the way where nothing is found', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath('&q=nowhere') })
    await page.getByRole('button', { name: /^Without/ }).waitFor()
    await assertSeen(page, 'sheet-nothing')
  })
})
