// What another person removes while its page is open: the page says so at once, keeps what was typed, and offers no save.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { makeUser } from '../helpers/people.ts'
import { make } from '../helpers/shirts.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const PASSING = [
  ['roles', 'Passing role', { permissions: ['records.read'], defaultAttributePermission: 'read' }],
  ['workflows', 'Passing workflow', { initialStateId: 'begun', states: [{ id: 'begun', name: 'Begun' }] }],
  ['schemas', 'Passing schema', {}],
] as const

describe('What another person removes', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  for (const [place, name, fields] of PASSING)
    it(`is said at once on the page of ${place}`, async (t) => {
      const { admin } = suite().server
      const { id } = await make<{ id: string }>(admin, `/api/v1/${place}`, { name, ...fields })
      const { page, expectStatus } = await suite().visit(t, {
        path: `/console/${place}/${id}${place === 'schemas' ? '?tab=schema' : ''}`,
      })
      const field = page.getByRole('textbox', { name: 'Name' }).first()
      await field.fill('Typed')
      expectStatus(404)
      await send(admin, 'DELETE', `/api/v1/${place}/${id}`)
      await page.getByRole('alert').getByText('This does not exist, or no longer.').waitFor()
      assert.equal(await page.locator('.stale').count(), 0)
      assert.equal(await page.getByRole('button', { name: /^(Try again|Save|Apply.*|Delete)$/ }).count(), 0)
      await page.keyboard.press('Control+s')
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await field.inputValue(), 'Typed')
      assert.equal(await field.and(page.locator(':focus')).count(), 1)
      await assertSeen(page, `removed-${place}`)
    })

  it('is said on the page of an import, which then offers no run', async (t) => {
    const { admin } = suite().server
    const headers = { ...admin.headers, 'content-type': 'text/csv' }
    const address = `${admin.url}/api/v1/imports?fileName=Passing.csv`
    const answer = await fetch(address, { method: 'POST', headers, body: 'Name,Kind\r\nSencha,Green tea\r\n' })
    const { id } = (await answer.json()) as { id: string }
    const { page, expectStatus } = await suite().visit(t, { path: `/console/imports/${id}?step=columns&schema=new` })
    const buttons = page.getByRole('button', { name: /^(Rehearse|Make the schema.*)$/ })
    await buttons.first().waitFor()
    assert.equal(await buttons.count(), 2)
    expectStatus(404)
    await send(admin, 'DELETE', `/api/v1/imports/${id}`)
    await buttons.first().click()
    await page.locator('.imports').getByText('This does not exist, or no longer.').first().waitFor()
    assert.equal(await buttons.count(), 0)
    await assertSeen(page, 'removed-import')
  })

  it('is said at once in the form of a user, who leaves the list', async (t) => {
    const { server } = suite()
    const { id, username } = await makeUser(server)
    const { page } = await suite().visit(t, { path: '/console/users' })
    await page.getByRole('button', { name: `Edit ${username}` }).click()
    const form = page.getByRole('dialog', { name: username })
    await form.getByLabel('Name', { exact: true }).fill('Typed')
    await send(server.admin, 'DELETE', `/api/v1/users/${id}`)
    await form.getByRole('alert').getByText('This does not exist, or no longer.').waitFor()
    assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'Typed')
    assert.equal(await form.getByRole('button', { name: 'Save' }).count(), 0)
    await assertSeen(page, 'removed-user')
    await page.keyboard.press('Escape')
    assert.equal(await page.getByText(username).count(), 0)
  })
})
