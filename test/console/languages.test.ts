// Each language has its own files of words: the loaded files, and the page without them.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const WORDS = /\/console\/-\/(\w\w-(?:start|places))-\w+\.js$/

async function loadedWords(page: Page): Promise<string[]> {
  const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  return names.flatMap((name) => WORDS.exec(name)?.[1] ?? []).toSorted()
}

const choose = (page: Page, language: string) => page.getByRole('radio', { name: language }).check()

describe('The words of the console', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  it('come in the language of the browser alone, those of places with the first place', async (t) => {
    const { page } = await suite().visit(t, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
    assert.deepEqual(await loadedWords(page), ['de-start'])
    await page.getByRole('navigation').getByTitle('Konto').click()
    await page.getByText('Jetziges Passwort').waitFor()
    assert.deepEqual(await loadedWords(page), ['de-places', 'de-start'])
    await assertSeen(page, 'account-german')
  })

  it('are on their way while the code is', async (t) => {
    const { page, context } = await suite().visit(t, { as: null })
    await page.getByLabel('Username').waitFor()
    const areAsked = ['start', 'places'].map((part) => page.waitForRequest(new RegExp(`/en-${part}-\\w+\\.js$`)))
    await context.route(/\/console\/-\/chunk-\w+\.js$/, async (route) => {
      await Promise.all(areAsked)
      await route.continue()
    })
    await page.goto(`${suite().server.url}/console/records`)
    await page.getByLabel('Username').waitFor()
  })

  it('come in another language when it is chosen, and at once when the page is loaded again', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/account' })
    await page.getByText('Present password').waitFor()
    await choose(page, 'Deutsch')
    await page.getByText('Jetziges Passwort').waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    assert.deepEqual(await loadedWords(page), ['de-places', 'de-start', 'en-places', 'en-start'])
    await page.reload()
    await page.getByText('Jetziges Passwort').waitFor()
    assert.deepEqual(await loadedWords(page), ['de-places', 'de-start'])
    await choose(page, 'English')
    await page.getByText('Present password').waitFor()
  })

  it('are French for a French browser, and no word is cut off', async (t) => {
    const { page } = await suite().visit(t, { locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Accueil', level: 1 }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
    await assertSeen(page, 'french-home')
    for (const place of ['records', 'categories', 'model', 'account']) {
      await page.goto(`${suite().server.url}/console/${place}`)
      await page.locator('main h1').first().waitFor()
      await assertSeen(page, `french-${place}`)
    }
  })

  it('that are gone are met by one reload, in the language that was chosen', async (t) => {
    const { page, context, expectStatus } = await suite().visit(t, { path: '/console/account' })
    await page.getByText('Present password').waitFor()
    expectStatus(404)
    let loads = 0
    page.on('load', () => (loads += 1))
    let isOld = true
    await context.route(/\/console\/-\/de-start-\w+\.js$/, (route) => {
      const url = route.request().url()
      const asked = route.continue(isOld ? { url: url.replace('start-', 'start-old-') } : {})
      isOld = false
      return asked
    })
    await choose(page, 'Deutsch')
    await page.getByText('Jetziges Passwort').waitFor()
    assert.equal(loads, 1)
    await choose(page, 'English')
    await page.getByText('Present password').waitFor()
  })

  for (const [language, said] of [
    ['en', 'The console could not be loaded. Try again.'],
    ['de', 'Die Konsole konnte nicht geladen werden. Erneut versuchen.'],
  ] as const)
    it(`or code that cannot be loaded are told by one text in ${language}, which leads on`, async (t) => {
      const { page, context, expectNoServer } = await suite().visit(t, {
        as: null,
        locale: language === 'en' ? 'en-GB' : 'de-DE',
      })
      expectNoServer()
      const files = [`${language}-start`, 'chunk']
      for (const file of files) {
        const address = new RegExp(`/console/-/${file}-\\w+\\.js$`)
        await context.route(address, (route) => route.abort())
        await page.reload()
        const link = page.getByRole('link', { name: said })
        await link.waitFor()
        await assertSeen(page, `not-loaded-${language}-${file}`)
        await context.unroute(address)
        await link.click()
        await page.locator('form').waitFor()
      }
    })

  it('of a place that cannot be loaded are told in its place', async (t) => {
    const { page, context, expectNoServer } = await suite().visit(t)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    expectNoServer()
    await context.route(/\/console\/-\/en-places-\w+\.js$/, (route) => route.abort())
    await page.getByRole('navigation').getByTitle('Account').click()
    await page.getByText('The console was renewed').waitFor()
    await context.unroute(/\/console\/-\/en-places-\w+\.js$/)
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByText('Present password').waitFor()
  })
})
