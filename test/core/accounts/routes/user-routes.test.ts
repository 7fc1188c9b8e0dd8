// Contract 2 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { logIn, makeUser, PASSWORD, sessionOf, type UserBody } from '../../../helpers/people.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const post = (body: unknown) => send<UserBody>(server.admin, 'POST', '/api/v1/users', body)
const patch = (id: string, body: unknown) => send<UserBody>(server.admin, 'PATCH', `/api/v1/users/${id}`, body)
const valid = { username: 'somebody', roleId: 'role-viewer', password: PASSWORD }

describe('users.create: POST /api/v1/users', () => {
  it('answers 201 with the user, without a secret', async () => {
    const { status, body, text } = await post({
      ...valid,
      username: 'berta',
      name: 'Berta',
      password: 'secret of berta',
    })
    assert.equal(status, 201)
    const { id, createdAt, ...rest } = body
    assert.match(id, /^usr-[0-9a-z]{20,}$/)
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, { username: 'berta', name: 'Berta', roleId: 'role-viewer', disabled: false })
    assert.ok(!text.includes('secret of berta') && !text.includes('scrypt'))
  })

  it('takes a client ID; a duplicate ID or username is a CONFLICT', async () => {
    assert.equal((await post({ ...valid, id: 'usr-own', username: 'own' })).body.id, 'usr-own')
    assertRefused(await post({ ...valid, id: 'usr-own', username: 'own2' }), 'CONFLICT', 'usr-own')
    assertRefused(await post({ ...valid, username: 'own' }), 'CONFLICT', 'own')
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ ...valid, username: 'race' })))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409, 409],
    )
  })

  it('names the field that is not as it must be', async () => {
    const wrong: [object, string][] = [
      [{ username: '' }, 'username'],
      [{ username: 'a b' }, 'username'],
      [{ username: 7 }, 'username'],
      [{ username: undefined }, 'username'],
      [{ password: 'short' }, 'password'],
      [{ password: 'x'.repeat(201) }, 'password'],
      [{ password: '🔑'.repeat(7) }, 'password'],
      [{ password: undefined }, 'password'],
      [{ roleId: 'role-none' }, 'roleId'],
      [{ roleId: undefined }, 'roleId'],
      [{ disabled: 'yes' }, 'disabled'],
      [{ id: '/' }, 'id'],
      [{ name: '  ' }, 'name'],
    ]
    for (const [fields, named] of wrong) {
      const answer = await post({ ...valid, ...fields })
      assertRefused(answer, 'VALIDATION_ERROR', named)
      assert.ok(!answer.text.includes(PASSWORD))
    }
  })

  it('names of members of Object are usernames like others', async () => {
    for (const username of ['constructor', '__proto__', 'toString']) {
      assert.equal((await post({ ...valid, username })).status, 201)
      assert.equal((await logIn(server, username)).status, 200)
    }
  })
})

describe('users.list, GET /api/v1/users, and users.get, GET /api/v1/users/:id', () => {
  it('list shows everybody and get one, without secrets', async () => {
    const user = await makeUser(server, { username: 'listed' })
    const { status, body, text } = await send<UserBody[]>(server.admin, 'GET', '/api/v1/users')
    assert.equal(status, 200)
    assert.equal(body[0]!.username, 'admin')
    assert.deepEqual(
      body.find(({ id }) => id === user.id),
      user,
    )
    assert.ok(!text.includes('passwordHash') && !text.includes('tokenGeneration'))
    assert.deepEqual((await send(server.admin, 'GET', `/api/v1/users/${user.id}`)).body, user)
  })

  it('an unknown one is NOT_FOUND, naming type and ID', async () => {
    assertRefused(await send(server.admin, 'GET', '/api/v1/users/usr-none'), 'NOT_FOUND', 'User', 'usr-none')
    assertRefused(await patch('usr-none', { name: 'x' }), 'NOT_FOUND', 'User', 'usr-none')
    assertRefused(await send(server.admin, 'DELETE', '/api/v1/users/usr-none'), 'NOT_FOUND', 'User', 'usr-none')
  })
})

describe('users.update: PATCH /api/v1/users/:id', () => {
  it('changes what it names and leaves the rest', async () => {
    const user = await makeUser(server, { username: 'patched' })
    const renamed = await patch(user.id, { name: 'New name' })
    assert.deepEqual([renamed.status, renamed.body], [200, { ...user, name: 'New name' }])
    const moved = await patch(user.id, { username: 'moved', roleId: 'role-editor', disabled: true, unknown: 1 })
    assert.deepEqual(moved.body, {
      ...user,
      name: 'New name',
      username: 'moved',
      roleId: 'role-editor',
      disabled: true,
    })
    assertRefused(await logIn(server, 'moved'), 'UNAUTHORIZED')
    await patch(user.id, { disabled: false, password: 'a new password' })
    assert.equal((await logIn(server, 'moved', 'a new password')).status, 200)
    assert.deepEqual((await patch(user.id, {})).body.username, 'moved')
  })

  it('a username that exists is a CONFLICT, an unknown role is 400, and nothing changes', async () => {
    const user = await makeUser(server)
    assertRefused(await patch(user.id, { username: 'admin', name: 'X' }), 'CONFLICT', 'admin')
    assertRefused(await patch(user.id, { roleId: 'role-none', name: 'X' }), 'VALIDATION_ERROR', 'roleId')
    assertRefused(await patch(user.id, { password: 'short' }), 'VALIDATION_ERROR', 'password')
    assert.deepEqual((await send(server.admin, 'GET', `/api/v1/users/${user.id}`)).body, user)
  })

  it('a change that ends no tokens leaves them valid', async () => {
    const user = await makeUser(server, { username: 'keeper' })
    const client = await sessionOf(server, 'keeper')
    await patch(user.id, { name: 'Other', disabled: false })
    assert.equal((await send<{ name: string }>(client, 'GET', '/api/v1/me')).body.name, 'Other')
  })
})

describe('users.delete: DELETE /api/v1/users/:id', () => {
  it('answers 204, and the user is gone', async () => {
    const user = await makeUser(server, { username: 'leaver' })
    const answer = await send(server.admin, 'DELETE', `/api/v1/users/${user.id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assertRefused(await send(server.admin, 'GET', `/api/v1/users/${user.id}`), 'NOT_FOUND')
    assertRefused(await logIn(server, 'leaver'), 'UNAUTHORIZED')
  })
})

describe('The last enabled admin', () => {
  it('cannot be deleted, disabled or given another role; with another one it can', async () => {
    const [admin] = (await send<UserBody[]>(server.admin, 'GET', '/api/v1/users')).body
    const second = await makeUser(server, { roleId: 'role-admin', disabled: true })
    const attempts = [
      () => patch(admin!.id, { disabled: true }),
      () => patch(admin!.id, { roleId: 'role-editor' }),
      () => send(server.admin, 'DELETE', `/api/v1/users/${admin!.id}`),
    ]
    for (const attempt of attempts) assertRefused(await attempt(), 'CONFLICT', 'admin')
    assert.equal((await logIn(server, 'admin', ADMIN_PASSWORD)).status, 200)
    await patch(second.id, { disabled: false })
    const both = await Promise.all([patch(admin!.id, { disabled: true }), patch(second.id, { disabled: true })])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
  })
})
