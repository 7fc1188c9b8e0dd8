// Journey 15: the session expires during typing, ends in another tab, and the server restarts. No typed text is lost,
// and each save happens once.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../helpers/answers.ts'
import { tokenClient } from '../helpers/client.ts'
import { eventually } from '../helpers/puppet.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { openBrowser } from './helpers/browser.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite, visit } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const ACCOUNT = '/console/account'
const NEW = 'a password that is new'

async function signIn(page: Page, password = ADMIN_PASSWORD): Promise<void> {
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** The token of the tab. */
function tokenOf(page: Page): Promise<string> {
  return page.evaluate(
    () => (JSON.parse(sessionStorage.getItem('pimlet-session')!) as { accessToken: string }).accessToken,
  )
}

describe('Journey 15: a session', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const user = { username: 'typist', password: ADMIN_PASSWORD, roleId: 'role-viewer' }
    await make(admin, '/api/v1/users', user)
  })

  it('that ends while somebody types is opened again over the page, and what was typed is saved once', async (t) => {
    const { server } = suite()
    const as = { username: 'typist', password: ADMIN_PASSWORD }
    const { page, expectStatus } = await suite().visit(t, { as, path: ACCOUNT })
    expectStatus(401)
    await page.getByLabel('Present password').fill(ADMIN_PASSWORD)
    await page.getByLabel('New password', { exact: true }).fill(NEW)
    await send(tokenClient(server.url, await tokenOf(page)), 'POST', '/api/v1/auth/logout')
    await page.getByLabel('New password again').fill(NEW)
    const changes: number[] = []
    page.on('response', (answer) => {
      if (answer.url().endsWith('/me/password')) changes.push(answer.status())
    })
    // Another request of the page may have opened the dialog already.
    await page.getByRole('button', { name: 'Change password' }).dispatchEvent('click')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('nothing that you typed is lost').waitFor()
    await assertSeen(page, 'session-over')
    assert.equal(await dialog.getByLabel('Username').inputValue(), 'typist')
    // The focus is in the field with the missing value.
    await page.keyboard.type(ADMIN_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Password changed').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    await assertSeen(page, 'account')
    assert.deepEqual(
      changes.filter((status) => status !== 401),
      [200],
    )
    const { status } = await send(server.anonymous, 'POST', '/api/v1/auth/login', { ...as, password: NEW })
    assert.equal(status, 200)
  })

  it('goes on in a new tab, and ends in all of them', async (t) => {
    const { page, context } = await suite().visit(t, { as: null })
    await signIn(page)
    await page.getByRole('navigation').waitFor()
    const other = await context.newPage()
    await other.goto(`${suite().server.url}${ACCOUNT}`)
    await other.getByText('Present password').waitFor()
    await other.getByRole('radio', { name: 'dark' }).check({ force: true })
    const token = await tokenOf(other)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await assertSeen(page, 'command-line')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    for (const each of [page, other]) await each.getByLabel('Username').waitFor()
    const { status } = await send(tokenClient(suite().server.url, token), 'GET', '/api/v1/me')
    assert.equal(status, 401)
    // The next person in this browser begins with the browser's language and colours.
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('preferences')))
    assert.deepEqual(kept, [])
  })

  it('outlives a server that is restarted: what was done meanwhile waits, and is done', async (t) => {
    const browser = await openBrowser()
    const first = await startServer()
    const { page, expectNoServer, expectStatus } = await visit(t, browser, first.url, { path: ACCOUNT })
    await page.getByText('Present password').waitFor()
    await page.getByText('somebody mentions me').waitFor()
    expectNoServer()
    expectStatus(503)
    await first.stop()
    await page.getByRole('radio', { name: 'dark' }).check({ force: true })
    await page.getByText('The server does not answer').waitFor()
    await assertSeen(page, 'offline')
    const second = await startServer({ dataDir: first.dataDir, port: Number(new URL(first.url).port) })
    try {
      await goOn(page, second)
    } finally {
      await second.stop()
    }
  })
})

/** The server is back: the write is stored there soon. */
async function goOn(page: Page, server: TestServer): Promise<void> {
  // The page also asks by itself.
  await page
    .getByRole('button', { name: 'Ask now' })
    .click({ timeout: 500 })
    .catch(() => undefined)
  await page.getByText('The server does not answer').waitFor({ state: 'detached' })
  const client = tokenClient(server.url, await tokenOf(page))
  const read = async () =>
    (await send<{ console?: { theme: string } }>(client, 'GET', '/api/v1/me/preferences')).body.console?.theme
  await eventually(async () => (await read()) === 'dark')
}
