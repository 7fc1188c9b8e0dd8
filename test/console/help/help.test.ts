// The help of a place: its keys, and its section of the guide; each large dialog has one, too.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { guideOf } from '../../../console/state/guides.ts'
import { renderGuide } from '../../../src/docs-host/guides.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const CONSOLE = path.resolve(import.meta.dirname, '../../../console')
/** These dialogs ask one question, or explain themselves. */
const SMALL = ['kit/confirm', 'kit/draft-form', 'shell/', 'categories/name-dialog', 'help/key-help', 'people/new-key']

/** Each place of the router, with the ID of a part. */
const PLACES = [...readFileSync(path.join(CONSOLE, 'shell/places.ts'), 'utf8').matchAll(/ path: '([^']*)'/g)].map(
  ([, name]) => name!,
)

function assertServed(address: string): void {
  const [name, section] = address.split('#')
  const html = renderGuide(name!)
  assert.ok(html !== undefined, address)
  assert.ok(html.includes(` id="${section}"`), address)
}

/** Names and texts of the components. */
const components = () =>
  readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => [file, readFileSync(path.join(CONSOLE, file), 'utf8')] as const)

describe('The guide', () => {
  it('has a section for each place, which the server serves', () => {
    assert.ok(PLACES.length > 25)
    for (const place of PLACES) {
      const [name = '', id = null] = place.split('/')
      const address = guideOf(name, id)
      assert.notEqual(address, guideOf('constructor', null), place)
      assertServed(address)
    }
    assertServed(guideOf('constructor', '__proto__'))
  })

  it('has a section for each large dialog and panel', () => {
    const sections = components().flatMap(([file, text]) =>
      [...text.matchAll(/<(?:Dialog|DialogForm|SidePanel)\s[^>]*/g)].map(([tag]) => {
        const section = /guide="([^"]+)"/.exec(tag)?.[1]
        const isSmall = SMALL.some((name) => file.startsWith(name)) || file === 'kit/dialog.tsx'
        assert.ok(section !== undefined || isSmall, `${file}: ${tag}`)
        return section
      }),
    )
    const known = sections.filter((section) => section !== undefined)
    assert.ok(known.length > 10)
    for (const section of known) assertServed(section)
  })
})

describe('The help', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  it('shows the keys of the place, and leads to its guide', async (t) => {
    const { page, context } = await suite().visit(t, { path: '/console/records' })
    await page.getByRole('grid').waitFor()
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await page.keyboard.press('?')
    await dialog.getByRole('heading', { name: 'In the sheet' }).waitFor()
    for (const name of ['In the pictures', 'In the form', 'In a list of pictures', 'In dialogs and panels'])
      assert.equal(await dialog.getByRole('heading', { name }).count(), 1, name)
    assert.equal(await dialog.getByRole('heading', { name: 'In the tree' }).count(), 0)
    await assertSeen(page, 'help-records')
    const opened = context.waitForEvent('page')
    await dialog.getByRole('link', { name: 'Guide to this page' }).click()
    const guide = await opened
    await guide.getByRole('heading', { name: 'The sheet of records' }).waitFor()
    await guide.close()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Keys' }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${suite().server.url}/console/categories`)
    await page.locator('main h1').first().waitFor()
    await page.keyboard.press('?')
    await dialog.getByRole('heading', { name: 'In the tree' }).waitFor()
    assert.equal(await dialog.getByRole('heading', { name: 'In the sheet' }).count(), 0)
  })

  it('is one link in the head of each place', async (t) => {
    const { page, expectStatus } = await suite().visit(t)
    expectStatus(404)
    for (const place of PLACES) {
      await page.goto(`${suite().server.url}/console/${place.replace(':id', 'none')}`)
      const link = page.locator('main').getByRole('link', { name: 'Guide to this page' }).first()
      const [name = '', id = null] = place.split('/')
      assert.equal(await link.getAttribute('href'), `/docs/guides/${guideOf(name, id)}`, place)
    }
  })

  it('is there at home, before any place has loaded its words', async (t) => {
    const { page } = await suite().visit(t, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Tasten' }).getByText('Anleitung zu dieser Seite').waitFor()
  })
})
