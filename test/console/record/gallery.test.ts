// A list of pictures on the page of a record: many files at once, order, alternative texts, focus point, roles.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { itLong } from '../../helpers/long.ts'
import { eventually } from '../../helpers/puppet.ts'
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { giveFiles, makePictureModel, png, pngFile } from '../helpers/pictures.ts'
import { assertSeen } from '../helpers/seen.ts'

const VIEWER = { username: 'vera', password: ADMIN_PASSWORD }
const ARRANGER = { username: 'arne', password: ADMIN_PASSWORD }
const IDS = ['many', 'order', 'texts', 'failing', 'full', 'seen', 'german'] as const

const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') }

async function fill(server: TestServer): Promise<void> {
  const { admin } = server
  const colours = ['red', 'green', 'blue']
  await makePictureModel(server, colours)
  const shown = [{ scope: {}, value: colours.map((colour) => `pic-${colour}`) }]
  const isShown = (id: string) => !['many', 'failing', 'german'].includes(id)
  for (const id of IDS)
    await make(admin, '/api/v1/records', { id, schemaId: 'shirt', values: isShown(id) ? { pictures: shown } : {} })
  await make(admin, '/api/v1/users', { ...VIEWER, name: 'Vera', roleId: 'role-viewer' })
  const permissions = ['records.read', 'records.update']
  const role = { id: 'role-arranger', name: 'Arranger', permissions, defaultAttributePermission: 'write' }
  await make(admin, '/api/v1/roles', role)
  await make(admin, '/api/v1/users', { ...ARRANGER, name: 'Arne', roleId: role.id })
}

const gallery = (page: Page): Locator => page.locator('[data-alias=pictures]')
const choose = (page: Page): Locator => gallery(page).locator('input[type=file]')
const items = (page: Page): Locator => gallery(page).locator('.picture')

async function shows(page: Page, expected: readonly string[]): Promise<void> {
  const labels = expected.map((name, at) => `Picture ${at + 1} of ${expected.length}: ${name}`)
  await page.waitForFunction((wanted) => {
    const shown = [...document.querySelectorAll('[data-alias=pictures] .picture')]
    return shown.map((one) => one.getAttribute('aria-label')).join('\n') === wanted
  }, labels.join('\n'))
}

async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.keyboard.press('Control+s')
  assert.equal((await saved).status(), 200)
}

async function give(page: Page, kind: 'drop' | 'paste', name: string, colour: string): Promise<void> {
  const files = [{ name, base64: (await png(colour)).toString('base64') }]
  await gallery(page).locator('.gallery').evaluate(giveFiles, { kind, files })
}

/** Waits until each place in the list has a loaded picture. */
async function loaded(page: Page, count: number): Promise<void> {
  await page.waitForFunction((expected) => {
    const shown = [...document.querySelectorAll<HTMLImageElement>('[data-alias=pictures] .pictures img')]
    return shown.length === expected && shown.every((one) => one.complete && one.naturalWidth > 0)
  }, count)
}

interface Stored {
  readonly values: Readonly<Record<string, readonly { readonly scope: object; readonly value: unknown }[]>>
}

describe('The pictures of a record', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)
  const stored = async (id: string) =>
    (await send<Stored>(suite().server.admin, 'GET', `/api/v1/records/${id}`)).body.values
  const listed = async (id: string) => (await stored(id))['pictures']?.[0]?.value as string[] | undefined

  it('takes many files at once: each becomes a picture record, in the order of the choice; drop and paste add more', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/many' })
    await choose(page).waitFor()
    await choose(page).setInputFiles([await pngFile('a.png', 'teal'), await pngFile('b.png', 'navy')])
    await shows(page, ['a.png', 'b.png'])
    await give(page, 'drop', 'c.png', 'olive')
    await shows(page, ['a.png', 'b.png', 'c.png'])
    await give(page, 'paste', 'd.png', 'black')
    await shows(page, ['a.png', 'b.png', 'c.png', 'd.png'])
    await loaded(page, 4)
    await save(page)
    const ids = (await listed('many'))!
    const files = await Promise.all(
      ids.map(async (id) => (await stored(id))['content']![0]!.value as { fileName: string }),
    )
    assert.deepEqual(
      files.map(({ fileName }) => fileName),
      ['a.png', 'b.png', 'c.png', 'd.png'],
    )
    await assertSeen(page, 'record-gallery')
  })

  it('is moved and emptied by keys alone, says the new place, and is dragged', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/order' })
    await shows(page, ['The red one', 'The green one', 'The blue one'])
    await items(page).nth(0).focus()
    await page.keyboard.press('Alt+ArrowRight')
    await shows(page, ['The green one', 'The red one', 'The blue one'])
    await gallery(page).getByRole('status').getByText('Now picture 2 of 3').waitFor()
    await page.keyboard.press('Alt+ArrowRight')
    await shows(page, ['The green one', 'The blue one', 'The red one'])
    assert.equal(
      await items(page)
        .nth(2)
        .evaluate((one) => one === document.activeElement),
      true,
    )
    await page.keyboard.press('Alt+ArrowRight')
    // The details give the focus back to their picture.
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Move forward in the list' }).focus()
    await page.keyboard.press('Escape')
    await items(page).nth(2).and(page.locator(':focus')).waitFor()
    await page.getByRole('combobox', { name: 'Add an existing picture …' }).press('ArrowDown')
    await page.getByText('Type to search').waitFor()
    await page.keyboard.press('Escape')
    await save(page)
    assert.deepEqual(await listed('order'), ['pic-green', 'pic-blue', 'pic-red'])
    await items(page).nth(0).press('Delete')
    await shows(page, ['The blue one', 'The red one'])
    assert.equal(
      await items(page)
        .nth(0)
        .evaluate((one) => one === document.activeElement),
      true,
    )
    await items(page).nth(1).dragTo(items(page).nth(0))
    await shows(page, ['The red one', 'The blue one'])
    await save(page)
    assert.deepEqual(await listed('order'), ['pic-red', 'pic-blue'])
    // What was removed is found again.
    await gallery(page).getByRole('combobox', { name: 'Add an existing picture …' }).fill('green')
    await page.getByRole('option', { name: 'The green one' }).click()
    await shows(page, ['The red one', 'The blue one', 'The green one'])
    await gallery(page).getByText('As a list of IDs').click()
    await gallery(page).getByRole('textbox', { name: 'As a list of IDs' }).fill('pic-blue|pic-red')
    await shows(page, ['The blue one', 'The red one'])
  })

  it('saves the texts of a picture in each language, and its focus point by a click and by keys, at once', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/texts' })
    await items(page).nth(0).press('Enter')
    const german = gallery(page).getByRole('textbox', { name: 'Alternative text · Deutsch' })
    await german.fill('Das rote')
    await german.press('Tab')
    await eventually(async () => {
      const alt = (await stored('pic-red'))['alt']!
      return alt.some(({ scope, value }) => 'language' in scope && scope.language === 'de' && value === 'Das rote')
    })
    const pad = gallery(page).getByRole('button', { name: 'Focus point', exact: true })
    await page.waitForFunction(() => {
      const shown = document.querySelector<HTMLImageElement>('.focus-point img')
      return shown !== null && shown.complete && shown.naturalWidth > 0
    })
    const box = (await pad.boundingBox())!
    await pad.click({ position: { x: box.width / 4, y: box.height / 2 } })
    const focus = async () => (await stored('pic-red'))['focus']?.[0]?.value as { x: number; y: number } | undefined
    await eventually(async () => Math.abs(((await focus())?.x ?? 0) - 0.25) < 0.02)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('ArrowUp')
    await gallery(page)
      .getByText(/^Focus point: 35\s?% from the left, 49\s?% from the top$/)
      .waitFor()
    await eventually(async () => Math.round(((await focus())?.y ?? 0) * 100) === 49)
    await assertSeen(page, 'record-gallery-picture')
    await page.setViewportSize({ width: 390, height: 844 })
    const details = gallery(page).locator('.picture-details')
    const [name, close] = await Promise.all(
      [details.locator('bdi').first(), details.getByRole('button', { name: 'Close' })].map((one) => one.boundingBox()),
    )
    assert.ok(Math.abs(name!.y + name!.height / 2 - close!.y - close!.height / 2) < 2, 'in one line')
    assert.ok(close!.x > name!.x)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Control+z')
    await eventually(async () => Math.round(((await focus())?.y ?? 0) * 100) === 50)
    await pad.press('Escape')
    await pad.waitFor({ state: 'detached' })
  })

  it('says of each file how far it is, and at the one that failed why; that one is tried again', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/records/failing' })
    await choose(page).waitFor()
    let isBroken = true
    expectStatus(413)
    await page.route('**/api/v1/files?fileName=bad.png', async (route) => {
      const body = JSON.stringify({ error: 'PAYLOAD_TOO_LARGE', message: 'The file has more than 5 bytes' })
      if (isBroken) await route.fulfill({ status: 413, contentType: 'application/json', body })
      else await route.continue()
    })
    const released = Promise.withResolvers<void>()
    await page.route('**/api/v1/files?fileName=good.png', async (route) => {
      await released.promise
      await route.continue()
    })
    await choose(page).setInputFiles([await pngFile('bad.png', 'red'), await pngFile('good.png', 'lime'), note])
    const alert = gallery(page).getByRole('alert').filter({ hasText: 'bad.png' })
    await alert.getByText(/The file has more than 5 bytes/).waitFor()
    await gallery(page).getByRole('progressbar', { name: 'Uploading good.png' }).waitFor()
    await assertSeenFailing(page)
    released.resolve()
    await shows(page, ['good.png'])
    await gallery(page)
      .getByRole('alert')
      .filter({ hasText: 'note.txt' })
      .getByText('This must have the media type image/*, and has text/plain')
      .waitFor()
    isBroken = false
    await alert.getByRole('button', { name: 'Try again' }).click()
    await shows(page, ['good.png', 'bad.png'])
    await gallery(page).getByRole('button', { name: 'Remove note.txt' }).click()
    assert.equal(await gallery(page).getByRole('alert').count(), 0)
  })

  /** While a file uploads, the field is busy. */
  async function assertSeenFailing(page: Page): Promise<void> {
    await gallery(page)
      .locator('[aria-busy=true]')
      .first()
      .evaluate((field) => field.removeAttribute('aria-busy'))
    await assertSeen(page, 'record-gallery-failing')
  }

  itLong('refuses files beyond the most pictures of the list before they are sent', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/full' })
    await items(page).nth(2).waitFor()
    await choose(page).setInputFiles([await pngFile('fourth.png', 'pink'), await pngFile('fifth.png', 'gold')])
    await shows(page, ['The red one', 'The green one', 'The blue one', 'fourth.png'])
    await gallery(page).getByRole('alert').getByText('The list has no room for more pictures.').waitFor()
  })

  it('is only read by a reader, and has no upload for a role that makes no records', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/seen', as: VIEWER })
    await loaded(page, 3)
    assert.equal(await gallery(page).locator('input, button').count(), 0)
    await gallery(page).getByRole('link', { name: 'Picture 2 of 3: The green one' }).waitFor()
    await assertSeen(page, 'record-gallery-read')
    const other = await suite().visit(t, { path: '/console/records/seen', as: ARRANGER })
    await items(other.page).nth(2).waitFor()
    assert.equal(await choose(other.page).count(), 0)
    await gallery(other.page).getByRole('combobox', { name: 'Add an existing picture …' }).waitFor()
  })

  itLong('speaks German', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/german', locale: 'de-DE' })
    await choose(page).setInputFiles(await pngFile('eins.png', 'silver'))
    await gallery(page).locator('.picture[aria-label="Bild 1 von 1: eins.png"]').waitFor()
    assert.equal(await items(page).count(), 1)
    await items(page).first().click()
    await gallery(page).getByText('Kein Bildmittelpunkt: Ein Zuschnitt behält die Mitte.').waitFor()
    await assertSeen(page, 'record-gallery')
  })
})
