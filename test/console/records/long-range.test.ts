// A range of more rows than are read: its sum, its copy, its filling.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { importRecords, makeSheetModel, SeenSheet, setLanguage, sheetPath, someRecords } from '../helpers/sheet.ts'

const RECORDS = 450
const SUM = (RECORDS * (RECORDS + 1)) / 2

describe('A long range of the sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin)
    await importRecords(admin, someRecords(RECORDS))
  })

  async function open(t: TestContext, query = '') {
    await setLanguage(suite().server.url, 'en')
    const { page } = await suite().visit(t, { path: sheetPath(`&cols=sku,weight${query}`) })
    const sheet = new SeenSheet(page, page.locator('.sheet'))
    await sheet.grid.locator('[data-row="1"] [data-column="0"] .sheet-text').waitFor()
    return { page, sheet }
  }

  it('is added up over all rows, and says before how many are read', async (t) => {
    const { page, sheet } = await open(t)
    const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/api/v1/search', async (route) => {
      await seen
      await route.continue().catch(() => undefined)
    })
    await sheet.cell(0, 1).click()
    await sheet.press('Control+Shift+End')
    await page.getByText(/\d+ of 450 rows read/).waitFor()
    goOn()
    await page.getByText(`Sum ${SUM.toLocaleString('en')}`).waitFor()
    assert.equal(await page.getByText('rows read').count(), 0)
  })

  it('is copied, and filled', async (t) => {
    for (const query of ['', '&group=kind']) {
      const { page, sheet } = await open(t, query)
      await sheet.cell(1, 1).click()
      await sheet.press('Control+Shift+End')
      await page.getByText(/Sum/).waitFor()
      await page.getByText('rows read').waitFor({ state: 'detached' })
      const copied = (await sheet.copy()).split('\n').filter((line) => line !== '')
      assert.equal(copied.length, query === '' ? RECORDS - 1 : RECORDS)
    }
    const { page, sheet } = await open(t)
    await sheet.cell(0, 1).click()
    await sheet.press('Control+Shift+End', 'Control+d')
    await page.getByText(`Sum ${RECORDS}`, { exact: true }).waitFor()
    await sheet.saved()
  })
})
