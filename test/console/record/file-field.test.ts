// A file on the page of a record: chosen, dropped, pasted, refused, replaced, removed, downloaded, and only read.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { send } from '../../helpers/answers.ts'
import { itLong } from '../../helpers/long.ts'
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const VIEWER = { username: 'vera', password: ADMIN_PASSWORD }
const IDS = ['keys', 'hand', 'refused', 'failing', 'german'] as const

const png = (colour: string, width = 300, height = 200): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()
const picture = async (name: string, colour: string) => ({ name, mimeType: 'image/png', buffer: await png(colour) })
const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') }

async function fill({ admin }: TestServer): Promise<void> {
  await make(admin, '/api/v1/schemas', {
    id: 'shirt',
    name: 'Shirt',
    attributes: [
      { alias: 'name', name: 'Name', dataType: 'text' },
      { alias: 'photo', name: 'Photo', dataType: 'file', validation: { mediaTypes: ['image/*'], maxBytes: 100_000 } },
      { alias: 'manual', name: 'Manual', dataType: 'file' },
    ],
  })
  for (const id of IDS) await make(admin, '/api/v1/records', { id, schemaId: 'shirt', values: {} })
  await make(admin, '/api/v1/users', { ...VIEWER, name: 'Vera', roleId: 'role-viewer' })
}

interface Stored {
  readonly values: Record<string, { readonly value: { readonly fileName: string; readonly width: number } }[]>
}

const photo = (page: Page): Locator => page.locator('[data-alias=photo]')
const choose = (page: Page): Locator => photo(page).locator('input[type=file]')

/** While a file uploads, its name has no download. */
async function uploaded(page: Page, name: string): Promise<void> {
  await photo(page)
    .getByRole('button', { name: `Download ${name}` })
    .waitFor()
}

async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.keyboard.press('Control+s')
  assert.equal((await saved).status(), 200)
}

/** Waits until the thumbnail is a loaded picture. */
async function thumbnail(page: Page): Promise<{ readonly src: string; readonly width: number }> {
  await page.waitForFunction(() => {
    const shown = document.querySelector<HTMLImageElement>('[data-alias=photo] img')
    return shown !== null && shown.complete && shown.naturalWidth > 0
  })
  return photo(page)
    .locator('img')
    .evaluate((shown: HTMLImageElement) => ({ src: shown.src, width: shown.naturalWidth }))
}

/** Drops or pastes a file, as a browser reports it. */
async function give(page: Page, kind: 'drop' | 'paste', name: string, content: Buffer): Promise<void> {
  const told = { kind, name, base64: content.toString('base64') }
  await photo(page)
    .locator('.file-field')
    .evaluate((field, { kind, name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type: 'image/png' }))
      const how = { bubbles: true, cancelable: true }
      if (kind === 'drop') field.dispatchEvent(new DragEvent('drop', { ...how, dataTransfer: data }))
      else field.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData: data }))
    }, told)
}

describe('The field of a file', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)
  const stored = async (id: string) => (await send<Stored>(suite().server.admin, 'GET', `/api/v1/records/${id}`)).body

  it('takes a file by keys alone, shows it with its facts, and reads the thumbnail through the record once it is saved', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/keys' })
    await choose(page).waitFor()
    await page.evaluate(() => {
      const revoke = URL.revokeObjectURL.bind(URL)
      URL.revokeObjectURL = (url) => {
        document.documentElement.dataset['revoked'] = url
        revoke(url)
      }
    })
    const dialog = page.waitForEvent('filechooser')
    await choose(page).press('Enter')
    await (await dialog).setFiles(await picture('front.png', 'red'))
    await uploaded(page, 'front.png')
    await photo(page)
      .getByText(/^image\/png · [\d.]+ (?:byte|kB) · 300 × 200 px$/)
      .waitFor()
    const before = await thumbnail(page)
    assert.equal(before.width, 300)
    await save(page)
    await page.waitForFunction(
      (src) => document.querySelector<HTMLImageElement>('[data-alias=photo] img')?.src !== src,
      before.src,
    )
    const after = await thumbnail(page)
    assert.equal(after.width, 160)
    assert.match(after.src, /^blob:/)
    // The page has let go of the first picture.
    assert.equal(await page.evaluate(() => document.documentElement.dataset['revoked']), before.src)
    assert.deepEqual((await stored('keys')).values['photo']?.[0]?.value.fileName, 'front.png')
    await assertSeen(page, 'record-file')
  })

  it('takes a dropped and a pasted file; a file is downloaded, replaced and removed', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/hand' })
    await choose(page).waitFor()
    await give(page, 'drop', 'dropped.png', await png('green'))
    await uploaded(page, 'dropped.png')
    await save(page)
    const content = await png('blue')
    await give(page, 'paste', 'pasted.png', content)
    await uploaded(page, 'pasted.png')
    await save(page)
    assert.equal((await stored('hand')).values['photo']?.[0]?.value.fileName, 'pasted.png')
    await page.reload()
    await thumbnail(page)
    const started = page.waitForEvent('download')
    await photo(page).getByRole('button', { name: 'Download pasted.png' }).click()
    const download = await started
    assert.equal(download.suggestedFilename(), 'pasted.png')
    assert.deepEqual(readFileSync(await download.path()), content)
    await photo(page).getByRole('button', { name: 'Remove the file' }).click()
    await photo(page).getByText('pasted.png').waitFor({ state: 'detached' })
    assert.equal(await choose(page).evaluate((field) => field === document.activeElement), true)
    await save(page)
    assert.equal((await stored('hand')).values['photo'], undefined)
  })

  it('shows the broken rule of the attribute at the field, and does not save that file', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/refused' })
    await choose(page).setInputFiles(note)
    await photo(page).getByText('This must have the media type image/*, and has text/plain').waitFor()
    assert.equal(await choose(page).getAttribute('aria-invalid'), 'true')
    await assertSeen(page, 'record-file-refused')
    await choose(page).setInputFiles(await picture('good.png', 'navy'))
    await uploaded(page, 'good.png')
    assert.equal(await choose(page).getAttribute('aria-invalid'), null)
    await save(page)
  })

  it('shows an upload while it runs, which can be cancelled, and the failure of an upload', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/records/failing' })
    const released = Promise.withResolvers<void>()
    await page.route('**/api/v1/files?*', async (route) => {
      await released.promise
      const body = JSON.stringify({ error: 'PAYLOAD_TOO_LARGE', message: 'The file has more than 5 bytes' })
      await route.fulfill({ status: 413, contentType: 'application/json', body }).catch(() => undefined)
    })
    await choose(page).setInputFiles(await picture('slow.png', 'red'))
    const bar = photo(page).getByRole('progressbar', { name: 'Uploading …' })
    await bar.waitFor()
    await assertSeen(page, 'record-file-uploading')
    await photo(page).getByRole('button', { name: 'Cancel' }).click()
    await bar.waitFor({ state: 'detached' })
    assert.equal(await photo(page).getByRole('alert').count(), 0)
    expectStatus(413)
    released.resolve()
    await choose(page).setInputFiles(await picture('large.png', 'red'))
    await photo(page)
      .getByRole('alert')
      .getByText(/The file has more than 5 bytes/)
      .waitFor()
  })

  itLong('says how far an upload is, in per cent', async (t) => {
    const { page, context } = await suite().visit(t, { path: '/console/records/failing' })
    await choose(page).waitFor()
    const network = await context.newCDPSession(page)
    const speed = { latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 }
    await network.send('Network.emulateNetworkConditions', { offline: false, ...speed })
    const large = { ...note, buffer: Buffer.alloc(800_000, 'words ') }
    await page.locator('[data-alias=manual] input[type=file]').setInputFiles(large)
    const shown = page.locator('[data-alias=manual] .upload-bar')
    await shown.getByText(/^[1-9]\d? %$|^[1-9]\d?%$/).waitFor()
    const share = await shown.locator('progress').evaluate((bar: HTMLProgressElement) => bar.value)
    assert.ok(share > 0 && share <= 1, String(share))
    await page.locator('[data-alias=manual]').getByRole('button', { name: 'Download note.txt' }).waitFor()
  })

  itLong('speaks German', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/german', locale: 'de-DE' })
    await choose(page).setInputFiles(note)
    await photo(page).getByText('So geht es nicht: nur der Medientyp image/*, und diese Datei hat text/plain').waitFor()
    await photo(page).getByText('Datei wählen').waitFor()
    await page.locator('[data-alias=manual] input[type=file]').setInputFiles(note)
    await page
      .locator('[data-alias=manual]')
      .getByText(/^text\/plain · 10 Byte$/)
      .waitFor()
    await assertSeen(page, 'record-file')
  })

  it('shows a reader the name and a download, without an input', async (t) => {
    const { server } = suite()
    const upload = await fetch(`${server.url}/api/v1/files?fileName=read.png`, {
      method: 'POST',
      headers: { ...server.admin.headers, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(await png('teal')),
    })
    const value = (await upload.json()) as object
    const values = { photo: [{ scope: {}, value }] }
    await make(server.admin, '/api/v1/records', { id: 'read', schemaId: 'shirt', values })
    const { page } = await suite().visit(t, { path: '/console/records/read', as: VIEWER })
    await photo(page).getByText('read.png').waitFor()
    assert.equal((await thumbnail(page)).width, 160)
    assert.equal(await photo(page).locator('input').count(), 0)
    const started = page.waitForEvent('download')
    await photo(page).getByRole('button', { name: 'Download read.png' }).click()
    assert.equal((await started).suggestedFilename(), 'read.png')
    await assertSeen(page, 'record-file-read')
  })
})
