// The sign-in to the console, and the first page of every user.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { make } from '../helpers/shirts.ts'
import { ADMIN_PASSWORD } from '../helpers/server.ts'
import { OTHER_HOST, withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const WORDS = {
  'en-GB': { username: 'Username', password: 'Password', signIn: 'Sign in', home: 'Home' },
  'de-DE': { username: 'Benutzername', password: 'Passwort', signIn: 'Anmelden', home: 'Start' },
} as const

describe('Signing in', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  for (const locale of ['en-GB', 'de-DE'] as const)
    it(`leads to the start, by keyboard alone, in ${locale}`, async (t) => {
      const words = WORDS[locale]
      const { page } = await suite().visit(t, { as: null, locale })
      await page.getByLabel(words.username).waitFor()
      await assertSeen(page, 'sign-in')
      await page.keyboard.type('admin')
      await page.keyboard.press('Tab')
      await page.keyboard.type(ADMIN_PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: words.home, level: 1 }).waitFor()
      await assertSeen(page, 'home')
    })

  it('S2 is known to password managers', async (t) => {
    const { page } = await suite().visit(t, { as: null })
    await page.getByLabel('Username').waitFor()
    const fields = page.locator('form input')
    assert.deepEqual(await fields.evaluateAll((found) => found.map((field) => field.getAttribute('autocomplete'))), [
      'username',
      'current-password',
    ])
  })

  it('says that username or password is wrong, and goes on', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { as: null })
    expectStatus(401)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Username or password is wrong.').waitFor()
    await assertSeen(page, 'sign-in-wrong')
    await page.getByLabel('Password').fill(ADMIN_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()
  })

  it('S1 counts down where there were too many attempts', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { as: null })
    expectStatus(401)
    expectStatus(429)
    for (let attempt = 0; attempt < 10; attempt += 1)
      await send(suite().server.anonymous, 'POST', '/api/v1/auth/login', { username: 'nobody', password: 'wrong' })
    await page.getByLabel('Username').fill('nobody')
    await page.getByLabel('Password').fill('wrong again')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/Try again in 1[45]:\d\d/).waitFor()
    await assertSeen(page, 'sign-in-later')
    const before = await page.getByRole('alert').textContent()
    await page.waitForFunction((text) => document.querySelector('[role=alert]')?.textContent !== text, before)
  })

  it('S3 warns where others can read the password, and not on the machine itself', async (t) => {
    const origin = suite().server.url.replace('127.0.0.1', OTHER_HOST)
    const { page } = await suite().visit(t, { as: null, origin })
    await page.getByText('not encrypted').waitFor()
    await assertSeen(page, 'sign-in-unencrypted')
    const { page: near } = await suite().visit(t, { as: null })
    await near.getByLabel('Username').waitFor()
    assert.equal(await near.getByText('not encrypted').count(), 0)
  })

  it('S4 says that the role may not read records', async (t) => {
    const { admin } = suite().server
    await make(admin, '/api/v1/roles', { id: 'role-keys', name: 'Keys', permissions: ['users.manage'] })
    const user = { username: 'keeper', password: 'the password of keeper', roleId: 'role-keys' }
    await make(admin, '/api/v1/users', user)
    const { page, expectStatus } = await suite().visit(t, { as: user })
    expectStatus(403)
    await page.getByText('may not read records').waitFor()
    await assertSeen(page, 'sign-in-no-records')
  })
})
