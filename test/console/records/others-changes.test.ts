// What the sheet says of changes that others make: many at once, and those that its rows have already.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { importRecords, makeSheetModel, SeenSheet, sheetPath, sheetRecord, someRecords } from '../helpers/sheet.ts'

const COLUMNS = '&cols=sku,name,price,weight,stock,kind'

describe('Changes of others in the sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin)
    await importRecords(admin, someRecords(30))
  })

  async function setStock(id: string, value: number): Promise<void> {
    const values = { stock: [{ scope: {}, value }] }
    const { status, text } = await send(suite().server.admin, 'PATCH', `/api/v1/records/${id}`, { values })
    assert.equal(status, 200, text)
  }

  const others = (from: number, count: number) => Array.from({ length: count }, (_, at) => sheetRecord(from + at))

  async function open(t: TestContext) {
    const visit = await suite().visit(t)
    const sheet = new SeenSheet(visit.page)
    const follows = visit.page.waitForResponse((response) => response.url().includes('/changes?after=latest'))
    await visit.page.goto(suite().server.url + sheetPath(COLUMNS))
    await follows
    await sheet.cell(0, 0).locator('.sheet-text').waitFor()
    return { ...visit, sheet }
  }

  it('A5: the rows in view follow at once where a job changes many records, and the sheet says that there are more', async (t) => {
    const { page, sheet } = await open(t)
    await importRecords(suite().server.admin, others(1000, 420))
    await setStock('tea-000001', 4711)
    await sheet.shows(0, 4, '4711')
    await page.getByRole('button', { name: /^more than \d\d\d changes$/ }).click()
    await page.getByText('450 records').first().waitFor()
    await setStock('tea-000002', 4712)
    await sheet.shows(1, 4, '4712')
    // On a busy machine the last part of the import comes here, too.
    await setStock('tea-001400', 1)
    await page.locator('.stale').waitFor()
  })

  it('A5: records of an import that ended before the rows were read are no news', async (t) => {
    const { page } = await suite().visit(t)
    const { promise: isShown, resolve: show } = Promise.withResolvers<void>()
    await page.route(/\/changes\?.*wait=/, async (route) => {
      await isShown
      await route.continue()
    })
    const answers = page.waitForResponse((response) => /\/changes\?.*wait=/.test(response.url()))
    await page.reload()
    await page.waitForRequest(/\/changes\?.*wait=/)
    await importRecords(suite().server.admin, others(2000, 20))
    // The server says when the rows were read in whole seconds.
    await wait(1100)
    await page.getByRole('navigation').getByRole('link', { name: 'Records' }).click()
    await new SeenSheet(page).cell(0, 0).locator('.sheet-text').waitFor()
    show()
    await answers
    await importRecords(suite().server.admin, others(3000, 1))
    await page.getByRole('button', { name: '1 change', exact: true }).waitFor()
  })
})
