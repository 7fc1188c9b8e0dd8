// The building blocks in a browser: keys as their ARIA patterns define, and mouse.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { PATIENCE } from '../helpers/puppet.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const options = (page: Page) => page.getByRole('listbox').getByRole('option')

describe('The kit', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => {})
  const gallery = bundleGallery()

  async function openGallery(t: TestContext) {
    const { browser, server } = suite()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    context.setDefaultTimeout(PATIENCE)
    t.after(() => context.close())
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error.stack)))
    t.after(() => assert.deepEqual(faults, []))
    const body = await gallery
    await page.route('**/console/-/ahead-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.goto(`${server.url}/console/`)
    await page.getByRole('heading', { name: 'Kit' }).waitFor()
    const said = () => page.locator('output').innerText()
    return { page, said }
  }

  it('is seen by everybody, at every width', async (t) => {
    const { page } = await openGallery(t)
    await assertSeen(page, 'kit')
  })

  it('a combobox narrows by typing, chooses by Enter, gives up by Escape', async (t) => {
    const { page, said } = await openGallery(t)
    const field = page.getByRole('combobox', { name: 'One' })
    await field.click()
    assert.equal(await options(page).count(), 43)
    await page.keyboard.type('gre')
    assert.deepEqual(await options(page).allInnerTexts(), ['Green tea', 'Earl Grey\nblend'])
    await page.keyboard.press('ArrowDown')
    const active = await field.getAttribute('aria-activedescendant')
    assert.equal(await page.locator(`[id="${active}"]`).innerText(), 'Earl Grey\nblend')
    await page.keyboard.press('Enter')
    assert.deepEqual([await said(), await field.inputValue()], ['one: grey', 'Earl Grey'])
    for (const opening of ['ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(opening)
      assert.equal(await options(page).count(), 43, opening)
      await page.keyboard.press('Escape')
      assert.equal(await options(page).count(), 0)
      assert.equal(await field.inputValue(), 'Earl Grey')
    }
    await page.keyboard.press('Shift+Tab')
    for (const enter of [() => field.focus(), () => field.click()]) {
      await enter()
      await page.keyboard.type('green')
      assert.equal(await field.inputValue(), 'green')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Shift+Tab')
    }
    await field.fill('')
    assert.equal(await said(), 'one: none')
  })

  it('a combobox is chosen from by mouse, also in a panel, where its list is cut by nothing', async (t) => {
    const { page } = await openGallery(t)
    await page.getByRole('button', { name: 'Panel' }).click()
    await page.getByRole('combobox', { name: 'In the panel' }).click()
    const list = await page.getByRole('listbox').boundingBox()
    assert.ok(list !== null && list.height > 300)
    await page.getByRole('listbox').getByRole('option', { name: 'Black tea' }).click()
    assert.equal(await page.getByRole('listbox').count(), 0)
  })

  it('a combobox that asks shows what was found', async (t) => {
    const { page } = await openGallery(t)
    const asked = page.getByRole('combobox', { name: 'Asked' })
    await asked.fill('nothing like it')
    await page.getByText('Nothing found').waitFor()
    await asked.fill('earl')
    await page.getByRole('listbox').getByRole('option', { name: 'Earl Grey' }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('combobox', { name: 'Asked' }).inputValue(), 'Earl Grey')
  })

  it('several are chips, of which Backspace takes the last away', async (t) => {
    const { page, said } = await openGallery(t)
    const field = page.getByRole('combobox', { name: 'Several' })
    for (const text of ['green', 'black', 'earl']) {
      await field.fill(text)
      await page.keyboard.press('Enter')
    }
    assert.equal(await said(), 'several: green,black,grey')
    await page.keyboard.press('Backspace')
    assert.equal(await said(), 'several: green,black')
    await page.getByRole('button', { name: 'Remove Green tea' }).click()
    assert.equal(await said(), 'several: black')
    // Tab keeps the typed text, and does not remove a chosen option.
    for (const text of ['green', 'green']) {
      await field.fill(text)
      await page.keyboard.press('Tab')
      assert.equal(await said(), 'several: black,green')
    }
  })

  it('a menu opens and moves by arrows, and gives the focus back', async (t) => {
    const { page, said } = await openGallery(t)
    const button = page.getByRole('button', { name: 'Menu' })
    await button.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.equal(await said(), 'menu: copy')
    assert.equal(await button.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('p')
    await page.keyboard.press('Enter')
    assert.equal(await said(), 'menu: copy', 'a closed entry does nothing')
    for (const leaving of ['Tab', 'Shift+Tab']) {
      await page.keyboard.press(leaving)
      assert.equal(await page.getByRole('menu').count(), 0, leaving)
      await button.focus()
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('menu').count(), 0)
    assert.equal(await button.evaluate((element) => element === document.activeElement), true)
  })

  it('tabs are moved between by arrows, and opened by Enter', async (t) => {
    const { page } = await openGallery(t)
    await page.getByRole('tab', { name: 'Values' }).focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await page.getByText('Shown: values').count(), 1)
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('tabpanel', { name: /Variants/ }).innerText(), 'Shown: variants')
  })

  it('a tree opens, moves and closes by arrows', async (t) => {
    const { page } = await openGallery(t)
    await page.getByRole('treeitem', { name: 'Tea' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const current = () => page.evaluate(() => document.activeElement?.textContent)
    assert.equal(await current(), 'Green12')
    await page.keyboard.press('End')
    assert.equal(await current(), 'Pots12')
    await page.keyboard.press('t')
    await page.keyboard.press('ArrowLeft')
    assert.equal(await page.getByRole('treeitem').count(), 2)
  })

  it('dialog and panel end by Escape, and a dialog gives the focus back', async (t) => {
    const { page } = await openGallery(t)
    const button = page.getByRole('button', { name: 'Dialog' })
    await button.click()
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await button.evaluate((element) => element === document.activeElement), true)
    await page.getByRole('button', { name: 'Panel' }).click()
    await page.getByRole('complementary').getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
  })

  it('what is closed says why, and does nothing', async (t) => {
    const { page, said } = await openGallery(t)
    await page.getByRole('button', { name: 'Closed' }).click({ force: true })
    assert.equal(await said(), '')
    assert.equal(await page.getByRole('button', { name: 'Closed' }).getAttribute('title'), 'needs Editor')
  })

  it('a text is copied, also where the connection is not encrypted, and that is said', async (t) => {
    const { page } = await openGallery(t)
    await page.getByRole('button', { name: 'Copy this' }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    await page.getByRole('textbox', { name: 'Text' }).focus()
    await page.keyboard.press('Control+v')
    assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'what is copied')
  })
})

/** The page is one file with everything that it needs. */
async function bundleGallery(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'helpers/gallery.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}
