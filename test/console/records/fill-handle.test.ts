// The corner of the range in the sheet: dragging it fills cells below or to the right, by mouse and by finger.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, it, type TestContext } from 'node:test'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, sheetPath, someRecords } from '../helpers/sheet.ts'

describe('The corner of a range', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin)
    await importRecords(admin, someRecords(60))
  })

  async function open(t: TestContext, options: VisitOptions = {}) {
    const visit = await suite().visit(t, { path: sheetPath('&cols=sku,weight,stock,kind'), ...options })
    const sheet = new SeenSheet(visit.page)
    await sheet.shows(5, 1, '6')
    const corner = sheet.grid.locator('[data-fill]')
    const middle = async (row: number, column: number) => {
      const { x, y, width, height } = (await sheet.cell(row, column).boundingBox())!
      return { x: x + width / 2, y: y + height / 2 }
    }
    const drag = async (row: number, column: number) => {
      await corner.hover()
      await visit.page.mouse.down()
      const { x, y } = await middle(row, column)
      await visit.page.mouse.move(x, y, { steps: 5 })
    }
    const texts = (column: number, ...rows: readonly number[]) =>
      Promise.all(rows.map((row) => sheet.text(row, column)))
    return { ...visit, sheet, corner, middle, drag, texts }
  }

  it('repeats one cell down and to the right, goes on with several, and undo takes each fill back', async (t) => {
    const { sheet, page, drag, texts } = await open(t)
    await sheet.cell(0, 1).click()
    await drag(3, 1)
    await assertSeen(page, 'fill-handle')
    await page.mouse.up()
    await sheet.shows(3, 1, '1')
    assert.deepEqual(await texts(1, 0, 1, 2, 3, 4), ['1', '1', '1', '1', '5'])
    await sheet.saved()
    await sheet.press('Control+z')
    await sheet.shows(3, 1, '4')
    await sheet.cell(1, 1).click()
    await sheet.cell(2, 1).click({ modifiers: ['Shift'] })
    await drag(5, 1)
    await page.mouse.up()
    await sheet.saved()
    assert.deepEqual(await texts(1, 1, 2, 3, 4, 5, 6), ['2', '3', '4', '5', '6', '7'])
    await sheet.cell(9, 1).click()
    await drag(9, 2)
    await page.keyboard.down('Control')
    await page.mouse.up()
    await page.keyboard.up('Control')
    await sheet.shows(9, 2, '11')
    await sheet.saved()
    await sheet.press('Control+z')
    await sheet.shows(9, 2, '10')
  })

  it('fills up to the pointer also where all moves come before the code is loaded', async (t) => {
    const { sheet, page, drag } = await open(t)
    const { promise: isMoved, resolve: moved } = Promise.withResolvers<void>()
    await page.route(/\/groups-\w+\.js/, async (route) => {
      await isMoved
      await route.continue()
    })
    const isLoaded = page.waitForResponse(/\/groups-\w+\.js/)
    await sheet.cell(0, 1).click()
    await drag(3, 1)
    moved()
    await (await isLoaded).finished()
    await wait(300)
    await page.mouse.up()
    await sheet.shows(3, 1, '1')
    await sheet.saved()
    await sheet.press('Control+z')
    await sheet.shows(3, 1, '4')
  })

  it('follows the pointer below the sheet, and a drag back to the beginning fills nothing', async (t) => {
    const { sheet, page, drag, corner } = await open(t)
    await sheet.cell(10, 1).click()
    await drag(12, 1)
    const scrolled = () => sheet.grid.evaluate((element) => element.scrollTop)
    for (let at = 0; at < 100 && (await scrolled()) < 64; at += 1) await page.mouse.move(300 + at, 895)
    assert.ok((await scrolled()) >= 64)
    await sheet.grid.evaluate((element) => {
      element.scrollTop = 0
    })
    await sheet.cell(10, 1).hover()
    await page.mouse.up()
    assert.equal(await sheet.text(11, 1), '12')
    assert.equal(await corner.count(), 1)
  })

  it('is dragged by a finger, too', async (t) => {
    const { sheet, page, corner, middle, texts } = await open(t, { phone: { width: 700, height: 800 } })
    await sheet.cell(0, 2).tap()
    const box = (await corner.boundingBox())!
    const devtools = await page.context().newCDPSession(page)
    const touch = (type: string, points: readonly { x: number; y: number }[]) =>
      devtools.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: [...points] })
    await touch('touchStart', [{ x: box.x + box.width - 3, y: box.y + box.height - 3 }])
    for (const row of [1, 2, 3]) await touch('touchMove', [await middle(row, 2)])
    await touch('touchEnd', [])
    await sheet.shows(3, 2, '1')
    await sheet.saved()
    assert.deepEqual(await texts(2, 0, 1, 2, 3, 4), ['1', '1', '1', '1', '5'])
  })
})
