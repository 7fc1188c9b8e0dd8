// The help of a place: its keys, and its guide.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GUIDE_ADDRESSES, guideOf } from '../../../console/help/guides.ts'
import { renderGuide } from '../../../src/docs-host/guides.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

describe('The guide of a place', () => {
  it('is a page that the server serves, and a section of it', () => {
    assert.ok(GUIDE_ADDRESSES.length > 10)
    for (const address of [...GUIDE_ADDRESSES, guideOf('constructor').address]) {
      const [name, section] = address.split('#')
      const html = renderGuide(name!)
      assert.ok(html !== undefined, address)
      assert.ok(section === undefined || html.includes(` id="${section}"`), address)
    }
  })
})

describe('The help of keys', { skip: withoutBrowser }, () => {
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
    await dialog.getByRole('link', { name: 'Read more' }).click()
    const guide = await opened
    await guide.getByRole('heading', { name: 'The sheet of records' }).waitFor()
    await guide.close()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${suite().server.url}/console/categories`)
    await page.locator('main h1').first().waitFor()
    await page.keyboard.press('?')
    await dialog.getByRole('heading', { name: 'In the tree' }).waitFor()
    assert.equal(await dialog.getByRole('heading', { name: 'In the sheet' }).count(), 0)
  })

  it('is there at home, before any place has loaded its words', async (t) => {
    const { page } = await suite().visit(t, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Tasten' }).getByText('Anleitung zur Konsole').waitFor()
  })
})
