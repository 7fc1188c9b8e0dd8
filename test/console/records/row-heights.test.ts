// Higher rows of the sheet: several lines of text, exact scrolling, remembered for each user and view.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, setLanguage, sheetPath, someRecords } from '../helpers/sheet.ts'

describe('The height of rows', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin)
    const text = 'A tea from the hills, rolled by hand, with notes of honey and of walnut. '.repeat(8)
    const records = [...someRecords(300)].map(({ id, values }) => ({
      id,
      values: { ...values, name: [{ scope: {}, value: text }], secret: [{ scope: {}, value: 'x'.repeat(300) }] },
    }))
    await importRecords(admin, records)
  })

  it('is chosen with the columns; the same row stays at the top, and the last one is reached', async (t) => {
    await setLanguage(suite().server.url, 'en')
    const { page } = await suite().visit(t, { path: sheetPath('&cols=sku,name,secret,weight,kind') })
    const sheet = new SeenSheet(page)
    await sheet.shows(0, 0, 'T-0001')
    await sheet.grid.evaluate((element) => {
      element.scrollTop = 100 * 32
    })
    await sheet.shows(110, 0, 'T-0111')
    const heightOf = (row: number) =>
      sheet.grid.locator(`[data-row="${row}"]`).evaluate((element) => element.getBoundingClientRect().height)
    const choose = async (height: string) => {
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('radio', { name: height, exact: true }).check()
      await page.keyboard.press('Escape')
    }
    await choose('tall')
    assert.equal(await heightOf(100), 96)
    const first = await sheet.grid.evaluate((element) => {
      const { top, left } = element.getBoundingClientRect()
      return document.elementFromPoint(left + 60, top + 50)?.closest<HTMLElement>('[data-row]')?.dataset['row']
    })
    assert.equal(first, '100')
    const lines = await sheet
      .cell(101, 1)
      .locator('.sheet-text')
      .evaluate((element) => element.clientHeight)
    assert.ok(lines > 50, `${lines} pixels of text`)
    await assertSeen(page, 'rows-tall')
    await sheet.grid.focus()
    await sheet.press('Control+End')
    await sheet.shows(299, 0, 'T-0300')
    assert.equal(await sheet.page.locator(`#${await sheet.cursor()}`).isVisible(), true)
    await choose('medium')
    await page.waitForResponse((answer) => answer.url().endsWith('/api/v1/me/preferences'))
    await page.reload()
    await sheet.grid.locator('[data-row]').first().waitFor()
    assert.equal(await heightOf(299), 64)
    await assertSeen(page, 'rows-medium')
  })
})
