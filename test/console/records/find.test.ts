// The search within a sheet: the count of hits, and the way from hit to hit, also to rows that are not loaded.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, setLanguage, sheetPath, someRecords } from '../helpers/sheet.ts'

const RECORDS = 1500
const COLUMNS = '&cols=sku,name,weight,kind,.lifecycleStateId&scope=language:de'

describe('The search within a sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(
    async ({ admin }) => {
      await makeSheetModel(admin)
      await importRecords(admin, someRecords(RECORDS))
    },
    { maxRecords: 0 },
  )

  async function open(t: TestContext, query = '', options: VisitOptions = {}) {
    await setLanguage(suite().server.url, options.locale === 'de-DE' ? 'de' : 'en')
    const visit = await suite().visit(t, { path: sheetPath(COLUMNS + query), ...options })
    const sheet = new SeenSheet(visit.page, visit.page.locator('.sheet'))
    const bar = visit.page.getByRole('search')
    await sheet.grid.locator('[data-row="1"] [data-column="0"] .sheet-text').waitFor()
    const find = async (text: string) => {
      await sheet.grid.focus()
      await sheet.press('Control+f')
      await bar.getByRole('searchbox').waitFor()
      await sheet.type(text)
    }
    const at = (text: string) => bar.getByText(text, { exact: true }).waitFor()
    /** Waits for the cursor at a cell with this text. */
    const stands = (text: string) =>
      sheet.grid.locator('[data-cursor]', { has: visit.page.locator('.sheet-text', { hasText: text }) }).waitFor()
    return { ...visit, sheet, bar, find, at, stands }
  }

  it('takes the keys that come before its code, and no cell gets them', async (t) => {
    const { page, sheet, bar } = await open(t)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/sheet-tools-*.js', async (route) => {
      await released
      await route.continue()
    })
    const before = await sheet.text(1, 0)
    // The key works before anything has the focus.
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true)
    await page.keyboard.press('Control+f')
    await page.keyboard.type('Tee', { delay: 20 })
    release()
    await bar.waitFor()
    await page.keyboard.type(' 2', { delay: 20 })
    await bar.getByText(/^\d+ of \d+$/).waitFor()
    assert.equal(await bar.getByRole('searchbox').inputValue(), 'Tee 2')
    assert.equal(await sheet.text(1, 0), before)
    assert.equal(await sheet.grid.locator('[data-mark]').count(), 0)
  })

  it('counts the hits, goes from one to the next and back, far beyond the loaded rows, and Escape returns to the cell', async (t) => {
    const { sheet, find, at, stands, page } = await open(t)
    await find('Tee 13')
    // Tee 13 does not exist: only even numbers have a German name.
    await at('1 of 55')
    await stands('Tee 130')
    await sheet.press('Enter')
    await at('2 of 55')
    await stands('Tee 132')
    await assertSeen(page, 'find')
    await sheet.press('Shift+Enter', 'Shift+Enter')
    await at('55 of 55')
    await stands('Tee 1398')
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'search')
    await sheet.press('Enter')
    await at('1 of 55')
    await sheet.press('Escape')
    assert.equal(await sheet.cursor(), 'sheet-129-1')
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'sheet')
    await sheet.press('ArrowDown')
    assert.equal(await sheet.cursor(), 'sheet-130-1')
  })

  it('finds in the order and among the records of the sheet, from the cursor on, in every column', async (t) => {
    const onlyBlack = `&where=${encodeURIComponent(JSON.stringify([{ attributeAlias: 'kind', operator: 'in', value: ['black'] }]))}`
    const { sheet, find, at, stands, bar } = await open(t, `&sort=-weight${onlyBlack}`)
    await sheet.cell(10, 0).click()
    await find('1483')
    // The code, the name in all languages and the weight of one record.
    await at('1 of 3')
    await stands('T-1483')
    await sheet.press('Enter')
    await stands('Tea 1483')
    await sheet.press('Enter')
    await at('3 of 3')
    assert.equal(await sheet.cursor(), 'sheet-11-2')
    await bar.getByRole('searchbox').fill('lac')
    await at('11 of 1,000')
    assert.equal(await sheet.cursor(), 'sheet-10-3')
    await bar.getByRole('searchbox').fill('nowhere')
    await at('no hits')
  })

  it('finds in groups, and unfolds the group of a hit', async (t) => {
    const { sheet, find, at, stands } = await open(t, '&group=kind')
    await sheet.grid.focus()
    await sheet.press('Control+Home', 'ArrowLeft')
    await sheet.head(1).waitFor()
    await find('T-1499')
    await at('1 of 1')
    await stands('T-1499')
    await sheet.press('Control+a')
    await sheet.type('T-1500')
    await at('1 of 1')
    await stands('T-1500')
    assert.equal(await sheet.cursor(), 'sheet-500-0')
    await sheet.press('Escape', 'ArrowLeft')
  })

  it('is found among the commands, and speaks German', async (t) => {
    const { page, bar } = await open(t, '', { locale: 'de-DE' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('In der Tabelle finden')
    await page.keyboard.press('Enter')
    await bar.getByRole('searchbox', { name: 'In der Tabelle finden' }).waitFor()
    await bar.getByRole('button', { name: 'Nächster Treffer' }).waitFor()
    await bar.getByRole('button', { name: 'Schließen' }).click()
    await bar.waitFor({ state: 'detached' })
  })
})
