// Contract 2 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS } from '../../../../src/core/accounts/rules/permissions.ts'
import type { Client } from '../../../helpers/client.ts'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { tokenClient } from '../../../helpers/client.ts'
import { isAccepted, logIn, makeUser, PASSWORD, type SessionBody, sessionOf } from '../../../helpers/people.ts'
import { startServer, type TestServer } from '../../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

describe('me.get: GET /api/v1/me', () => {
  it('describes the user behind a token', async () => {
    const user = await makeUser(server, { username: 'me', name: 'Me Myself' })
    const { status, body } = await send(await sessionOf(server, 'me'), 'GET', '/api/v1/me')
    const permissions = ['records.read', 'comments.write', 'audit.read', 'model.read']
    assert.equal(status, 200)
    const rights = { permissions, defaultAttributePermission: 'read', attributePermissions: {} }
    const workspace = { name: 'Workspace of tests', maxRecords: 500 }
    assert.deepEqual(body, {
      id: user.id,
      kind: 'user',
      name: 'Me Myself',
      roleId: 'role-viewer',
      ...rights,
      workspace,
    })
  })

  it('says which attributes the role may read and write', async () => {
    const attributePermissions = { 'sch-me': { constructor: 'none', name: 'write' } }
    const attributes = ['constructor', 'name'].map((alias) => ({ alias, dataType: 'text' }))
    await send(server.admin, 'POST', '/api/v1/schemas', { id: 'sch-me', name: 'S', attributes })
    const role = { id: 'role-me', name: 'R', permissions: [], defaultAttributePermission: 'none', attributePermissions }
    await send(server.admin, 'POST', '/api/v1/roles', role)
    await makeUser(server, { username: 'limited', roleId: 'role-me' })
    const { body } = await send<typeof role>(await sessionOf(server, 'limited'), 'GET', '/api/v1/me')
    assert.deepEqual(body.attributePermissions, attributePermissions)
    assert.equal(body.defaultAttributePermission, 'none')
  })

  it('describes an API key', async () => {
    const { body } = await send(server.admin, 'GET', '/api/v1/me')
    const expected = {
      id: 'key-bootstrap',
      kind: 'apiKey',
      name: 'First API key',
      roleId: 'role-admin',
      permissions: PERMISSIONS,
      defaultAttributePermission: 'write',
      attributePermissions: {},
      workspace: { name: 'Workspace of tests', maxRecords: 500 },
    }
    assert.deepEqual(body, expected)
  })
})

describe('me.changePassword: PUT /api/v1/me/password', () => {
  it('changes the password, ends all tokens, and answers a new one', async () => {
    await makeUser(server, { username: 'changer' })
    const [client, other] = [await sessionOf(server, 'changer'), await sessionOf(server, 'changer')]
    const body = { currentPassword: PASSWORD, newPassword: 'the new password' }
    const answer = await send<SessionBody>(client, 'PUT', '/api/v1/me/password', body)
    assert.equal(answer.status, 200)
    assert.equal(await isAccepted(client), false)
    assert.equal(await isAccepted(other), false)
    assert.equal(await isAccepted(tokenClient(server.url, answer.body.accessToken)), true)
    assertRefused(await logIn(server, 'changer', PASSWORD), 'UNAUTHORIZED')
    assert.equal((await logIn(server, 'changer', 'the new password')).status, 200)
  })

  it('a wrong current password is 400, changes nothing, and counts as a failed login', async () => {
    await makeUser(server, { username: 'guesser' })
    const client = await sessionOf(server, 'guesser')
    const change = (currentPassword: string) =>
      send(client, 'PUT', '/api/v1/me/password', { currentPassword, newPassword: 'the new password' })
    const answers = []
    for (let n = 0; n < 12; n += 1) answers.push(await change('wrong'))
    assertRefused(answers[0]!, 'VALIDATION_ERROR', 'currentPassword')
    assertRefused(answers.at(-1)!, 'RATE_LIMITED')
    assert.equal(await isAccepted(client), true)
  })

  it('names the field that is not as it must be', async () => {
    const put = (body: unknown) => send(server.admin, 'PUT', '/api/v1/me/password', body)
    assertRefused(await put({ newPassword: 'long enough' }), 'VALIDATION_ERROR', 'currentPassword')
    assertRefused(await put({ currentPassword: 'x', newPassword: 'short' }), 'VALIDATION_ERROR', 'newPassword')
    assertRefused(await put({ currentPassword: 'x', newPassword: 'x'.repeat(201) }), 'VALIDATION_ERROR', 'newPassword')
  })

  it('is not for API keys', async () => {
    const body = { currentPassword: 'whatever', newPassword: 'long enough' }
    assertRefused(await send(server.admin, 'PUT', '/api/v1/me/password', body), 'PERMISSION_DENIED')
  })
})

describe('me.getPreferences: GET /api/v1/me/preferences, me.setPreferences: PUT /api/v1/me/preferences', () => {
  const url = '/api/v1/me/preferences'
  const read = async (client: Client) => (await send(client, 'GET', url)).body

  it('keep one JSON object for each caller, also over a restart', async () => {
    await makeUser(server, { id: 'same', username: 'keeper' })
    const client = await sessionOf(server, 'keeper')
    assert.deepEqual(await read(client), {})
    const preferences = { columns: ['a', 'ü'], constructor: { toString: null }, n: 1.5, deep: [{ a: [[]] }] }
    const answer = await send(client, 'PUT', url, preferences)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, preferences)
    server = await server.restart()
    const again = { ...client, url: server.url }
    assert.deepEqual(await read(again), preferences)
    assert.deepEqual(await read(server.admin), {})
    await send(again, 'PUT', url, { other: true })
    assert.deepEqual(await read(again), { other: true })
  })

  it('are not those of an API key with the same ID, and go with their owner', async () => {
    const keyBody = { id: 'same', name: 'Same', roleId: 'role-viewer' }
    const { body } = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', keyBody)
    const key = { url: server.url, headers: { 'x-service-apikey': body.key } }
    assert.deepEqual(await read(key), {})
    await send(key, 'PUT', url, { mine: 1 })
    for (const path of ['/api/v1/users/same', '/api/v1/api-keys/same']) await send(server.admin, 'DELETE', path)
    await makeUser(server, { id: 'same', username: 'keeper' })
    assert.deepEqual(await read(await sessionOf(server, 'keeper')), {})
    const again = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', keyBody)
    assert.deepEqual(await read({ ...key, headers: { 'x-service-apikey': again.body.key } }), {})
  })

  it('are an object of up to 64 KiB', async () => {
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    assert.equal((await send(server.admin, 'PUT', url, sized(64 * 1024))).status, 200)
    assertRefused(await send(server.admin, 'PUT', url, sized(64 * 1024 + 1)), 'PAYLOAD_TOO_LARGE', '65536')
    for (const body of [[], 'text', 1, null])
      assertRefused(await send(server.admin, 'PUT', url, body), 'VALIDATION_ERROR')
    assertRefused(await send(server.anonymous, 'GET', url), 'UNAUTHORIZED')
  })
})

describe('people.list: GET /api/v1/people', () => {
  it('names users and API keys, to whom may read the audit trail', async () => {
    const user = await makeUser(server, { username: 'person', name: 'A Person' })
    const { body } = await send<{ id: string }[]>(await sessionOf(server, 'person'), 'GET', '/api/v1/people')
    assert.deepEqual(
      body.find(({ id }) => id === user.id),
      { id: user.id, kind: 'user', name: 'A Person' },
    )
    assert.deepEqual(
      body.find(({ id }) => id === 'key-bootstrap'),
      { id: 'key-bootstrap', kind: 'apiKey', name: 'First API key' },
    )
  })

  it('is refused without audit.read', async () => {
    const role = { id: 'role-blind', name: 'R', permissions: ['records.read', 'users.manage'] }
    await send(server.admin, 'POST', '/api/v1/roles', role)
    await makeUser(server, { username: 'blind', roleId: 'role-blind' })
    assertRefused(
      await send(await sessionOf(server, 'blind'), 'GET', '/api/v1/people'),
      'PERMISSION_DENIED',
      'audit.read',
    )
    assertRefused(await send(server.admin, 'GET', '/api/v1/people?x=1'), 'VALIDATION_ERROR', 'x')
  })
})
