// The messages of the sheet after a refusal: too many cells, records that are not deleted.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { importRecords, makeSheetModel, SeenSheet, sheetPath, someRecords } from '../helpers/sheet.ts'

/** Three columns of these records are more cells than one paste takes. */
const RECORDS = 6800
const TOO_MANY = 'At most 20,000 cells at once.'

describe('What the sheet refuses', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(
    async ({ admin }) => {
      await makeSheetModel(admin)
      await importRecords(admin, someRecords(RECORDS))
    },
    { maxRecords: 0 },
  )

  async function readRecord(id: string) {
    return send<{ values: Readonly<Record<string, unknown>> }>(suite().server.admin, 'GET', `/api/v1/records/${id}`)
  }

  async function open(t: TestContext) {
    const { page } = await suite().visit(t, { path: '/console/account' })
    const sheet = new SeenSheet(page)
    const go = async () => {
      await page.goto(suite().server.url + sheetPath('&cols=sku,weight,stock'))
      await sheet.shows(0, 0, 'T-0001')
    }
    return { page, sheet, go }
  }

  it('G6: more cells than are pasted at once are refused as a whole, and it is said how many may be', async (t) => {
    const { page, sheet, go } = await open(t)
    await go()
    await sheet.cell(0, 1).click()
    await sheet.paste('7\n'.repeat(20_001))
    await page.getByText(TOO_MANY).first().waitFor()
    assert.equal(await sheet.text(0, 1), '1')
    assert.deepEqual((await readRecord('tea-000001')).body.values['weight'], [{ scope: {}, value: 1 }])
  })

  it('a column that pimlet fills is not written: the refusal is no good news; F1 shows the keys and keeps the text', async (t) => {
    const { page, sheet } = await open(t)
    await page.goto(suite().server.url + sheetPath('&cols=sku,.updatedBy'))
    await sheet.shows(0, 0, 'T-0001')
    await sheet.cell(0, 1).click()
    await page.keyboard.type('a')
    await page.locator('.status.bad').getByText('The sheet does not write this column').waitFor()
    const message = (await page.locator('.status').boundingBox())!
    const line = (await page.locator('.cell-line').boundingBox())!
    const bar = (await page.locator('.bar').boundingBox())!
    assert.ok(message.x >= bar.x + bar.width && message.y + message.height <= line.y, 'the message covers neither')
    await sheet.cell(0, 0).click()
    await sheet.press('F1')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.shows(0, 0, 'T-0001')
  })

  for (const [what, key] of [
    ['filled', 'Control+d'],
    ['cleared', 'Delete'],
  ] as const)
    it(`G6: so are more cells than are ${what} at once`, async (t) => {
      const { page, sheet, go } = await open(t)
      const writes: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/records/batch')) writes.push(request.url())
      })
      await go()
      await sheet.cell(0, 0).click()
      await sheet.press('Control+Shift+End')
      await sheet.cell(RECORDS - 1, 2).waitFor()
      await sheet.press(key)
      await page.getByText(TOO_MANY).first().waitFor()
      assert.deepEqual(writes, [])
    })

  it('says how many records were not deleted, and leads to why', async (t) => {
    const { page, sheet, go } = await open(t)
    // The sheet receives no events: the deleted record is still shown.
    await page.route(/\/api\/v1\/changes/, () => undefined)
    await go()
    await sheet.cell(4, 0).click()
    await sheet.press('Space', 'ArrowDown', 'Space')
    await page.getByText('2 selected').first().waitFor()
    await send(suite().server.admin, 'DELETE', '/api/v1/records/tea-000005')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 record was not deleted.').first().waitFor()
    assert.equal((await readRecord('tea-000006')).status, 404)
    await page.getByRole('button', { name: 'Open', exact: true }).first().click()
    await page.waitForURL(/\/console\/bulk\//)
    await page.getByText('tea-000005').first().waitFor()
  })
})
