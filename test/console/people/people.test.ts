// Users, roles and keys in a browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { itLong } from '../../helpers/long.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

describe('People', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  it('are added, given a role, and kept from signing in', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/users' })
    await page.getByRole('button', { name: 'Add a user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Username').fill('berta')
    await dialog.getByLabel('Role').selectOption('role-editor')
    await dialog.getByLabel('Password').fill('the password of berta')
    await assertSeen(page, 'user-new')
    await page.keyboard.press('Enter')
    const line = page.getByRole('listitem').filter({ hasText: 'berta' })
    await line.getByText('Editor').waitFor()
    await line.getByRole('button', { name: 'Disable' }).click()
    await line.getByText('may not sign in').waitFor()
    await send(suite().server.admin, 'POST', '/api/v1/users', {
      username: 'rtl',
      name: 'ليلى حداد',
      password: 'the password of layla',
      roleId: 'role-editor',
    })
    await page.reload()
    const person = page.locator('.person').filter({ hasText: 'ليلى' })
    await person.waitFor()
    const [disc, name] = [await person.locator('.avatar').boundingBox(), await person.getByText('ليلى').boundingBox()]
    assert.ok(disc!.x < name!.x, 'the initials stand before a name from right to left')
    await assertSeen(page, 'users')
    const { body } = await send<{ username: string; disabled: boolean }[]>(suite().server.admin, 'GET', '/api/v1/users')
    assert.equal(body.find(({ username }) => username === 'berta')!.disabled, true)
  })

  it('are refused in the language of the console, once and at the field', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/users', locale: 'fr-FR' })
    await page.getByRole('button', { name: 'Ajouter un utilisateur' }).click()
    const dialog = page.getByRole('dialog')
    const [username, password] = [dialog.getByLabel('Nom d’utilisateur'), dialog.getByLabel('Mot de passe')]
    const save = dialog.getByRole('button', { name: 'Enregistrer' })
    const wrong = dialog.locator('.field.wrong')
    await username.fill('anna berg')
    await password.fill('court')
    assert.deepEqual(await wrong.locator('.fault').allTextContents(), ['Sans espaces.', 'Au moins 8 caractères.'])
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await password.fill('assez long')
    assert.equal(await save.getAttribute('title'), 'Sans espaces.')
    await username.fill('admin')
    expectStatus(409)
    await save.click()
    await wrong.getByText('Il existe déjà').waitFor()
    assert.equal(await dialog.getByRole('alert').count(), 0)
    await username.fill('annaberg')
    assert.equal(await wrong.count(), 0)
    await save.click()
    await page.getByRole('listitem').filter({ hasText: 'annaberg' }).waitFor()
  })

  for (const locale of ['en-GB', 'de-DE'] as const)
    (locale === 'en-GB' ? it : itLong)(`M5 roles are attributes by none, read and write, in ${locale}`, async (t) => {
      const { admin } = suite().server
      const id = `role-texts-${locale}`
      await make(admin, '/api/v1/roles', { id, name: 'Texts', permissions: ['records.read'] })
      const { page } = await suite().visit(t, { path: `/console/roles/${id}`, locale })
      const [write, none] = locale === 'en-GB' ? ['write', 'none'] : ['schreiben', 'nichts']
      const table = page.getByRole('table', { name: 'Tea', exact: true })
      await table.getByRole('button', { name: `sku: ${none}` }).click()
      await table.getByRole('button', { name: `name: ${write}`, exact: true }).click()
      await assertSeen(page, 'role')
      await page.keyboard.press('Control+s')
      await page.getByText(locale === 'en-GB' ? 'Texts is saved' : 'Texts ist gespeichert').waitFor()
      const { body } = await send<{ attributePermissions: object }>(admin, 'GET', `/api/v1/roles/${id}`)
      assert.deepEqual(body.attributePermissions, { 'sch-tea': { sku: 'none', name: 'write' } })
    })

  it('M6 a key is shown once', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/keys' })
    await page.getByRole('button', { name: 'Add an API key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Shop')
    await page.keyboard.press('Enter')
    const key = (await page.locator('.new-key code').textContent())!
    assert.ok(key.length >= 32)
    // The key itself must not be in a photograph.
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Shop' }).waitFor()
    assert.equal((await page.content()).includes(key), false)
    await assertSeen(page, 'keys')
    const { status } = await send(keyClient(suite().server.url, key), 'GET', '/api/v1/me')
    assert.equal(status, 200)
  })

  it('lists roles', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/roles' })
    await page.getByRole('link', { name: 'Translator' }).waitFor()
    await assertSeen(page, 'roles')
  })
})
