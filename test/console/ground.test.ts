// Journeys on the ground of every place: the frame, home, account, command line, keys.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../helpers/answers.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

describe('The frame', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  it('H1 a number on home leads to exactly so many records', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t)
    await page.getByRole('heading', { name: /Complete for/ }).waitFor()
    await page.locator('.matrix a').first().waitFor()
    await assertSeen(page, 'home')
    for (const link of await page.locator('.home :is(.matrix, .figures, .tasks, h2) a').all()) {
      const name = (await link.getAttribute('title')) ?? (await link.innerText())
      const said = Number(/\d+/.exec(name)![0])
      const query = new URL((await link.getAttribute('href'))!, server.url).searchParams
      const state = query.get('state')
      const criteria = [
        ...(state === null ? [] : [{ field: 'lifecycleStateId', operator: 'equals', value: state }]),
        ...(JSON.parse(query.get('where') ?? '[]') as object[]),
      ]
      const body = { schemaId: query.get('schema'), criteria, criteriaOperator: 'and', limit: 1 }
      const answer = await send(server.admin, 'POST', '/api/v1/search', body)
      assert.equal(Number(answer.headers.get('x-total-count')), said, name)
    }
    // The sheet has the same value.
    for (const kind of ['.figures a', '.matrix a', '.matrix .lacking', '.tasks a']) {
      const link = page.locator(kind).filter({ hasText: /[1-9]/ }).first()
      const said = /\d+/.exec((await link.getAttribute('title')) ?? (await link.innerText()))![0]
      await link.click()
      await page
        .locator('.count[role=status]')
        .filter({ hasText: new RegExp(`^${said} `) })
        .waitFor()
      await page.goBack()
    }
  })

  it('A5 home follows what changes elsewhere', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t)
    await page.getByRole('link', { name: '23 records' }).waitFor()
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('after=latest')),
    )
    const made = { id: 'tea-new', schemaId: 'sch-tea', values: {} }
    await send(server.admin, 'POST', '/api/v1/records', made)
    await page.getByRole('link', { name: '24 records' }).waitFor()
    await page.getByRole('link', { name: 'tea-new' }).waitFor()
    await send(server.admin, 'DELETE', '/api/v1/records/tea-new')
  })

  it('every place and action is in the command line, and every record', async (t) => {
    const { page } = await suite().visit(t)
    await heading(page, 'Home').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sencha')
    await page
      .getByRole('option', { name: /Sencha/ })
      .first()
      .waitFor()
    await assertSeen(page, 'command-line')
    await page.getByRole('dialog').getByRole('combobox').fill('account')
    await page.keyboard.press('Enter')
    await heading(page, 'Account').waitFor()
    assert.equal(new URL(page.url()).pathname, '/console/account')
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })

  it('the command line leads to each place once, and opens the popovers of the page', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records?schema=sch-tea' })
    await page.getByRole('grid').getByText('Sencha').first().waitFor()
    await page.keyboard.press('Control+k')
    const titles = await page.getByRole('dialog').getByRole('option').allInnerTexts()
    assert.ok(titles.length > 20)
    assert.equal(new Set(titles.map((title) => title.split('\n')[0])).size, titles.length, titles.join(', '))
    for (const [typed, dialog] of [
      ['group by', 'Group by'],
      ['columns', 'Columns'],
      ['filter', 'Filter'],
    ] as const) {
      await page.getByRole('dialog').getByRole('combobox').fill(typed)
      await page.keyboard.press('Enter')
      const popover = page.getByRole('dialog', { name: dialog })
      await popover.locator(':focus').waitFor()
      await page.keyboard.press('Escape')
      await popover.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
    }
    await page.getByRole('dialog').getByRole('combobox').fill('variants alone')
    await page.keyboard.press('Enter')
    await page.waitForURL(/variants=alone/)
  })

  it('keys lead to places and are told by ?, unless letters are switched off', async (t) => {
    const { page } = await suite().visit(t)
    await heading(page, 'Home').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Ctrl+K').waitFor()
    await assertSeen(page, 'keys')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await heading(page, 'Account').waitFor()
    await page.getByLabel('Letter keys').click()
    await page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    assert.equal(new URL(page.url()).pathname, '/console/account')
    await page.getByLabel('Letter keys').click()
    await page.waitForResponse((response) => response.request().method() === 'PUT')
  })

  for (const [locale, nav, names] of [
    ['de-DE', 'Strg+K', ['Strg+Umschalt+H', 'Leertaste Umschalt+↑ Strg+A', 'Entf', '← ↑ → ↓ Pos1 Ende Bild↑ Bild↓']],
    ['fr-FR', 'Ctrl+K', ['Ctrl+Maj+H', 'Espace Maj+↑ Ctrl+A', 'Suppr', '← ↑ → ↓ Début Fin Page↑ Page↓']],
  ] as const)
    it(`keys have the names that keyboards of ${locale} print`, async (t) => {
      const { page } = await suite().visit(t, { locale, path: '/console/records' })
      await page.getByRole('grid').waitFor()
      await page.locator('nav kbd').getByText(nav).waitFor()
      await page.keyboard.press('Control+/')
      for (const name of names) await page.locator('dialog kbd').getByText(name, { exact: true }).first().waitFor()
    })

  it('the account keeps language, theme and density for the next time', async (t) => {
    const { visit } = suite()
    const { page } = await visit(t, { path: '/console/account' })
    await heading(page, 'Account').waitFor()
    await assertSeen(page, 'account')
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByText('Deutsch').click()
    await page.getByText('dunkel').click()
    await saved
    await assertSeen(page, 'account')
    const other = await visit(t, { path: '/console/account' })
    await heading(other.page, 'Konto').waitFor()
    assert.equal(await other.page.evaluate(() => document.documentElement.dataset['theme']), 'dark')
    const back = other.page.waitForResponse((response) => response.request().method() === 'PUT')
    await other.page.getByText('English').click()
    await other.page.getByText('as the system').click()
    await back
  })

  it('the password is changed, and a wrong one is told', async (t) => {
    const { server, visit } = suite()
    const as = { username: 'ben', password: 'ben-password' }
    await send(server.admin, 'POST', '/api/v1/users', { ...as, name: 'Ben', roleId: 'role-viewer' })
    const { page, expectStatus } = await visit(t, { as, path: '/console/account' })
    expectStatus(400)
    // Another request of the page may have the token of before.
    expectStatus(401)
    const change = async (current: string) => {
      await page.getByLabel('Present password').fill(current)
      await page.getByLabel('New password', { exact: true }).fill('another-password')
      await page.getByLabel('New password again').fill('another-password')
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await change('wrong')
    await page.getByText('This is not your present password.').waitFor()
    await change(as.password)
    await page.getByText('Password changed.').waitFor()
    await page.reload()
    await page.getByText('Ben').first().waitFor()
  })

  it('an address that is none says so, and leads home', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/nowhere' })
    await heading(page, 'There is no such page').waitFor()
    await assertSeen(page, 'no-such-page')
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await heading(page, 'Home').waitFor()
  })

  it('A9 back leads to where the reader was, another place begins at its top', async (t) => {
    const { page } = await suite().visit(t)
    await page.setViewportSize({ width: 390, height: 400 })
    await page.getByRole('link', { name: 'Sencha' }).first().waitFor()
    const top = () => page.locator('main').evaluate((element) => element.scrollTop)
    // Late content would shift the scroll position.
    await page.waitForFunction(() => {
      const main = document.querySelector('main')!
      return document.querySelector('[aria-busy=true]') === null && main.scrollHeight - main.clientHeight > 240
    })
    await page.locator('main').hover()
    await page.mouse.wheel(0, 240)
    await page.waitForFunction(() => document.querySelector('main')?.scrollTop === 240)
    await page.getByRole('link', { name: 'Account' }).click()
    await heading(page, 'Account').waitFor()
    assert.equal(await top(), 0)
    await page.goBack()
    await heading(page, 'Home').waitFor()
    await page.waitForFunction(() => document.querySelector('main')?.scrollTop === 240)
  })

  it('the focus goes along where the focused link leads, so that keys go on there', async (t) => {
    const { page } = await suite().visit(t)
    await page.locator('main a[href*="/records?"]').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('grid').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.localName), 'main')
  })

  it('signing out asks whether drafts stay', async (t) => {
    for (const [button, left] of [
      ['Sign out, keep drafts', 1],
      ['Sign out, delete drafts', 0],
    ] as const) {
      const { page } = await suite().visit(t)
      await heading(page, 'Home').waitFor()
      await page.evaluate(() => {
        const { user } = JSON.parse(sessionStorage.getItem('pimlet-session')!) as { user: { id: string } }
        const draft = { recordId: 'tea-sencha', values: [{ alias: 'sku', scope: {}, value: 'x', before: null }], at: 1 }
        localStorage.setItem(`pimlet-draft:${user.id}:tea-sencha`, JSON.stringify(draft))
      })
      await page.keyboard.press('Control+k')
      await page.keyboard.type('sign out')
      await page.keyboard.press('Enter')
      await page.getByText('1 record has a draft that is not saved').waitFor()
      const loaded = page.waitForEvent('load')
      await page.getByRole('button', { name: button }).click()
      await loaded
      await page.getByLabel('Username').waitFor()
      const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('pimlet-draft:')).length
      assert.equal(await page.evaluate(kept), left, button)
    }
  })

  it('F6 goes round the regions of the page', async (t) => {
    const { page } = await suite().visit(t)
    await heading(page, 'Home').waitFor()
    const where = () => page.evaluate(() => document.activeElement?.closest('[data-region]')?.className)
    const seen: (string | undefined)[] = []
    for (let step = 0; step < 3; step += 1) {
      await page.keyboard.press('F6')
      seen.push(await where())
    }
    assert.deepEqual(seen, ['bar words', 'head', 'bar words'])
  })
})

describe('An empty workspace', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => {})

  it('H3 says how to begin', async (t) => {
    const { page } = await suite().visit(t)
    await page.getByText('Choose one of three ways to begin.').waitFor()
    await assertSeen(page, 'home-empty')
  })
})
