// Pictures in the sheet: a column that is read as it comes into view, the head of a record, and what a search finds.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { itLong } from '../../helpers/long.ts'
import { eventually } from '../../helpers/puppet.ts'
import { make } from '../../helpers/shirts.ts'
import type { TestServer } from '../../helpers/server.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { giveFiles, makePictureModel, png } from '../helpers/pictures.ts'
import { assertSeen } from '../helpers/seen.ts'
import { SeenSheet, setLanguage } from '../helpers/sheet.ts'

const RECORDS = 300
/** A busy machine has a late frame in most of them. */
const FLINGS = 20
const COLOURS = ['red', 'green', 'blue']

async function fill(server: TestServer): Promise<void> {
  const { admin } = server
  await makePictureModel(server, COLOURS)
  const body = Array.from({ length: RECORDS }, (_, at) => {
    const id = `shirt-${String(at).padStart(3, '0')}`
    const pictures = [{ scope: {}, value: [`pic-${COLOURS[at % 3]}`] }]
    // Every tenth has none.
    const values = { name: [{ scope: {}, value: `Shirt ${at}` }], ...(at % 10 === 9 ? {} : { pictures }) }
    return JSON.stringify({ id, schemaId: 'shirt', values })
  }).join('\n')
  const headers = { ...admin.headers, 'content-type': 'application/x-ndjson' }
  await fetch(`${admin.url}/api/v1/records/import`, { method: 'POST', headers, body })
  await make(admin, '/api/v1/roles', {
    id: 'role-blind',
    name: 'Blind',
    permissions: ['records.read'],
    attributePermissions: { shirt: { pictures: 'none' } },
  })
}

/** Counts the object URLs that the page made, and let go of. */
async function countUrls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = { made: 0, revoked: 0 }
    Object.assign(globalThis, { countedUrls: counted })
    const [make, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)]
    URL.createObjectURL = (blob) => {
      counted.made += 1
      return make(blob)
    }
    URL.revokeObjectURL = (url) => {
      counted.revoked += 1
      revoke(url)
    }
  })
}

interface Stored {
  readonly values: Readonly<Record<string, readonly { readonly value: unknown }[]>>
}

/** Drops files on a row; without a colour, a file has only words. */
async function drop(page: Page, row: number, files: readonly { readonly name: string; readonly colour: string }[]) {
  const told = files.map(async ({ name, colour }) => {
    const content = colour === '' ? Buffer.from('only words') : await png(colour)
    return { name, base64: content.toString('base64') }
  })
  const cell = page.locator(`[role=grid] [data-row="${row}"] [data-column="0"]`)
  await cell.evaluate(giveFiles, { kind: 'drop' as const, files: await Promise.all(told) })
}

describe('Pictures in the sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('stand beside the label, are read for the rows in view alone, and are let go of out of view', async (t) => {
    const { page } = await suite().visit(t)
    await countUrls(page)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/renditions/thumb')) asked += 1
    })
    await page.goto(`${suite().server.url}/console/records?schema=shirt`)
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 1).locator('img').waitFor()
    assert.equal(await sheet.text(0, 0), 'Shirt 0')
    await page.waitForFunction(() => {
      const shown = [...document.querySelectorAll<HTMLImageElement>('[role=grid] .thumb')]
      return shown.length > 20 && shown.every((one) => one.querySelector('img')?.naturalWidth === 160)
    })
    assert.equal(await sheet.cell(9, 1).locator('.thumb').count(), 0)
    await assertSeen(page, 'sheet-pictures')
    // A row returns to its place before its last picture is let go of.
    await sheet.grid.evaluate(async (element) => {
      for (let round = 0; round < 60; round += 1) {
        element.scrollTop = round % 2 === 0 ? 320 : 0
        await new Promise((resolve) => setTimeout(resolve, round % 8 === 0 ? 120 : 0))
      }
      element.scrollTop = 0
    })
    await sheet.cell(0, 1).locator('img').waitFor()
    const drawn = await page.locator('[role=grid] .thumb').count()
    // A fling reads the pictures at its end alone. Where a frame is late, the sheet rests in between, so the fling is repeated.
    for (let fling = 0; fling < FLINGS && (fling === 0 || asked > 2 * drawn); fling += 1) {
      await sheet.grid.evaluate((element) => void (element.scrollTop = 0))
      await sheet.cell(0, 1).locator('img').waitFor()
      asked = 0
      await sheet.grid.evaluate(async (element) => {
        while (element.scrollTop + element.clientHeight < element.scrollHeight - 1) {
          element.scrollTop += 400
          await new Promise((resolve) => requestAnimationFrame(resolve))
        }
      })
      await sheet.shows(RECORDS - 2, 0, `Shirt ${RECORDS - 2}`)
      await sheet
        .cell(RECORDS - 2, 1)
        .locator('img')
        .waitFor()
    }
    assert.ok(asked <= 2 * drawn, `${asked} requests for ${drawn} pictures in view`)
    await page.waitForFunction(() => document.querySelectorAll('[role=grid] .thumb img').length > 20)
    // A picture that is still being decoded keeps its address a little longer.
    await page.waitForFunction(() => {
      const { made, revoked } = (globalThis as never as { countedUrls: { made: number; revoked: number } }).countedUrls
      return made - revoked <= document.querySelectorAll('[role=grid] .thumb img').length + 2
    })
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.waitForFunction(() => {
      const { made, revoked } = (globalThis as never as { countedUrls: { made: number; revoked: number } }).countedUrls
      return made === revoked
    })
  })

  it('are in the head of a record, on its page and beside the sheet', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/shirt-001' })
    await page.locator('.head .thumb img').waitFor()
    await assertSeen(page, 'record-picture')
    await page.goto(`${suite().server.url}/console/records?schema=shirt&open=shirt-002`)
    await page.locator('.panel .record-tools .thumb img').waitFor()
  })

  itLong('are beside what the command line finds', async (t) => {
    const { page } = await suite().visit(t)
    await page.getByRole('link', { name: 'Records', exact: true }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Shirt 12')
    await page
      .getByRole('option', { name: /Shirt 12/ })
      .first()
      .locator('.thumb img')
      .waitFor()
    await assertSeen(page, 'commands-pictures')
  })

  it('are no column for a schema without pictures, nor for a role that may not read them', async (t) => {
    const { server } = suite()
    const blind = { username: 'blind', password: 'a password of the blind' }
    await make(server.admin, '/api/v1/users', { ...blind, name: 'Blind', roleId: 'role-blind' })
    const { page } = await suite().visit(t, { path: '/console/records?schema=shirt&cols=name,.image', as: blind })
    const sheet = new SeenSheet(page)
    await sheet.shows(0, 0, 'Shirt 0')
    assert.equal(await sheet.grid.getAttribute('aria-colcount'), '2')
    assert.equal(await page.locator('.thumb').count(), 0)
  })

  it('take files that are dropped on a row: pictures are added, with a notice and undo; a fault stays until it is closed', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records?schema=shirt' })
    const sheet = new SeenSheet(page)
    await sheet.cell(4, 1).locator('img').waitFor()
    const listed = async () => {
      const { body } = await send<Stored>(suite().server.admin, 'GET', '/api/v1/records/shirt-004')
      return (body.values['pictures']?.[0]?.value ?? []) as readonly string[]
    }
    await drop(page, 4, [
      { name: 'one.png', colour: 'teal' },
      { name: 'two.png', colour: 'navy' },
    ])
    await page.getByText('Picture saved: Shirt 4').waitFor()
    const [first, ...added] = await listed()
    assert.equal(first, 'pic-green')
    const names = added.map(async (id) => {
      const { body } = await send<Stored>(suite().server.admin, 'GET', `/api/v1/records/${id}`)
      return (body.values['content']![0]!.value as { readonly fileName: string }).fileName
    })
    assert.deepEqual(await Promise.all(names), ['one.png', 'two.png'])
    assert.equal(await page.locator('.dropped').count(), 0)
    assert.equal(await page.locator('.stale').count(), 0)
    await sheet.grid.focus()
    await sheet.press('Control+z')
    await eventually(async () => (await listed()).length === 1)
    await drop(page, 4, [{ name: 'note.txt', colour: '' }])
    const fault = page.getByRole('alert').filter({ hasText: 'note.txt' })
    await fault.getByText('This must have the media type image/*, and has text/plain').waitFor()
    await assertSeen(page, 'sheet-dropped')
    await fault.getByRole('button', { name: 'Remove note.txt' }).click()
    await fault.waitFor({ state: 'detached' })
    assert.equal((await listed()).length, 1)
  })

  itLong('are set by a drop where the record has the file itself', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records?schema=sch-picture' })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 1).locator('img').waitFor()
    const id = (await sheet.text(0, 0)).replace(/The (\w+) one/, 'pic-$1')
    const content = async () => {
      const { body } = await send<Stored>(suite().server.admin, 'GET', `/api/v1/records/${id}`)
      return body.values['content']![0]!.value as { readonly fileName: string; readonly sha256: string }
    }
    const fileName = async () => (await content()).fileName
    const before = await content()
    const shown = page.waitForResponse(
      (answer) => answer.url().includes(`/${id}/files/`) && !answer.url().includes(before.sha256),
    )
    await drop(page, 0, [{ name: 'other.png', colour: 'black' }])
    await eventually(async () => (await fileName()) === 'other.png')
    // A thumbnail that the undo overtakes would be refused.
    await shown
    await page.getByText(/^Picture saved/).waitFor()
    await sheet.grid.focus()
    await sheet.press('Control+z')
    await eventually(async () => (await fileName()) === before.fileName)
  })

  it('are a wall: keys alone choose, select and open one; the address has the view', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records?schema=sch-picture' })
    await page.getByRole('button', { name: 'As pictures' }).click()
    const wall = page.getByRole('grid', { name: 'Pictures of Picture' })
    await wall.locator('.tile img').nth(2).waitFor()
    assert.match(page.url(), /as=wall/)
    await wall.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press(' ')
    const chosen = wall.getByRole('gridcell', { selected: true })
    await chosen.waitFor()
    assert.equal(await wall.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'))
    await page.getByText('1 selected').waitFor()
    await assertSeen(page, 'wall')
    await page.keyboard.press('Enter')
    await page.locator('.panel .record-tools').waitFor()
    await assertSeen(page, 'wall-open')
    await page.waitForFunction(() => [...document.images].every((image) => image.complete))
    await page.reload()
    await wall.locator('.tile img').nth(2).waitFor()
    await page.getByRole('button', { name: 'As a sheet' }).click()
    await page.getByRole('grid', { name: /Records/ }).waitFor()
  })

  itLong('speak German on the wall', async (t) => {
    await setLanguage(suite().server.url, 'de')
    const { page } = await suite().visit(t, { path: '/console/records?schema=sch-picture&as=wall', locale: 'de-DE' })
    await page.getByRole('grid', { name: 'Bilder von Picture' }).locator('.tile img').nth(2).waitFor()
    await page.getByRole('button', { name: 'Als Tabelle' }).waitFor()
    await assertSeen(page, 'wall')
  })
})
