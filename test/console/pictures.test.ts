// The demonstration in the console, and the pictures of docs/console.md: `npm run make:pictures` takes them again.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PROGRAM } from '../helpers/program.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { openBrowser } from './helpers/browser.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { type Visit, visit } from './helpers/console.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The directory of the pictures. */
const PICTURES = process.env['PIMLET_PICTURES']
const PASSWORD = 'of the demonstration of this test'

/** Each screen with its address, and a text that shows that it is complete. */
const SCREENS = [
  ['home', '', 'Price list in German'],
  [
    'sheet',
    'records?schema=sch-tea&scope=language:de,market:eu&variants=shown&cols=sku,name@language:de,description@language:fr,price@market:eu,.lifecycleStateId,.completeness',
    'Jasminperlen',
  ],
  ['record', 'records/tea-chamomile?scope=language:fr,market:eu&with=language:en', 'Whole blossoms, nothing else.'],
  ['exports', 'exports', 'The file looked wrong'],
] as const

/** A typical file of an office. */
const PRICE_LIST = `Artikelnummer;Bezeichnung;VK-Preis;Währung;Lager
JP-50;Jasminperlen aus Fujian;9,40;EUR;12
AS-1;Assam, erste Pflückung;7,20;EUR;40
TE-901;Sencha Morgentau;11,50;EUR;8
TE-902;Rooibos natur;auf Anfrage;EUR;3
TE-903;Kräuter am Abend;5,80;EUR;25
`

/** Resolves with its address. */
async function startDemo(demo: ChildProcess): Promise<string> {
  let output = ''
  for await (const more of demo.stdout!.setEncoding('utf8')) {
    output += String(more)
    const [, url] = /Open (\S+)\/console\/ .*Ctrl\+C/s.exec(output) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`The demonstration does not start: ${output}`)
}

/** The browser converts to WebP on a separate page, where no policy prevents that. */
async function writePicture({ page, context }: Visit, name: string): Promise<void> {
  if (PICTURES === undefined) return
  const png = (await page.screenshot()).toString('base64')
  const painter = await context.newPage()
  const webp = await painter.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas')
    ;[canvas.width, canvas.height] = [image.width, image.height]
    canvas.getContext('2d')!.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.82).split(',')[1]!
  }, png)
  await painter.close()
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(path.join(PICTURES, `${name}.webp`), Buffer.from(webp, 'base64'))
}

/** The steps of an import, up to the differences that a run would make. */
async function takeImport(seen: Visit): Promise<void> {
  const { page } = seen
  await page.getByRole('navigation').getByTitle('Imports').click()
  const file = { name: 'Preisliste.csv', mimeType: 'text/csv', buffer: Buffer.from(PRICE_LIST) }
  await page.getByLabel('Choose a file').setInputFiles(file)
  await page.getByLabel('VK-Preis: Market').selectOption('eu')
  await isStill(page)
  await writePicture(seen, 'import-columns')
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.getByRole('button', { name: 'Rehearse' }).click()
  // A price that is no number is refused, and refused rows are shown first.
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.locator('.difference ins').first().waitFor()
  await isStill(page)
  await writePicture(seen, 'import-rehearsal')
}

async function isStill(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.locator('.thumb:empty').first().waitFor({ state: 'detached' })
  await page.evaluate(() => Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode())]))
}

describe('The demonstration in the console', { skip: withoutBrowser }, () => {
  const suite = sharedInSuite(async (lifetime) => {
    const opened = openBrowser()
    const env = { PATH: process.env['PATH'], TMPDIR: makeTempDirectory(), PIMLET_ADMIN_PASSWORD: PASSWORD }
    const demo = spawn(process.execPath, [PROGRAM, 'demo'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    lifetime.after(async () => {
      const ended = once(demo, 'close')
      demo.kill('SIGTERM')
      await ended
    })
    return { browser: await opened, url: await startDemo(demo) }
  })

  it('has something in each place that the guide tells of', async (t) => {
    const { browser, url } = suite()
    const as = { username: 'admin', password: PASSWORD }
    const seen = await visit(t, browser, url, { as })
    await seen.page.setViewportSize({ width: 1280, height: 600 })
    for (const [name, address, text] of SCREENS) {
      await seen.page.goto(`${url}/console/${address}`)
      await seen.page.getByText(text).first().waitFor()
      await isStill(seen.page)
      await writePicture(seen, name)
    }
    assert.ok(await seen.page.getByText('Marketplace').first().isVisible())
    await takeImport(seen)
  })
})
