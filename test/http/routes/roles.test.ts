// Decisions §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS, type Role } from '../../../src/domain/permissions.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { makeUser } from '../../helpers/people.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const post = (body: unknown) => send<Role>(server.admin, 'POST', '/api/v1/roles', body)
const put = (id: string, body: unknown) => send<Role>(server.admin, 'PUT', `/api/v1/roles/${id}`, body)
const remove = (id: string) => send(server.admin, 'DELETE', `/api/v1/roles/${id}`)

const translator = {
  name: 'Translator',
  permissions: ['records.read', 'records.update'],
  defaultAttributePermission: 'read',
  attributePermissions: { 'sch-a': { name: 'write', constructor: 'none', toString: 'none' } },
}

describe('roles.list, GET /api/v1/roles, and roles.get, GET /api/v1/roles/:id', () => {
  it('the built-in ones are there from the first start', async () => {
    const { status, body } = await send<Role[]>(server.admin, 'GET', '/api/v1/roles')
    assert.equal(status, 200)
    assert.deepEqual(
      body.slice(0, 3).map(({ id, defaultAttributePermission }) => [id, defaultAttributePermission]),
      [
        ['role-admin', 'write'],
        ['role-editor', 'write'],
        ['role-viewer', 'read'],
      ],
    )
    assert.deepEqual(body[0]!.permissions, PERMISSIONS)
    assert.deepEqual((await send(server.admin, 'GET', '/api/v1/roles/role-viewer')).body, body[2])
  })

  it('an unknown one is NOT_FOUND', async () => {
    assertRefused(await send(server.admin, 'GET', '/api/v1/roles/role-none'), 'NOT_FOUND', 'Role', 'role-none')
    assertRefused(await put('role-none', translator), 'NOT_FOUND', 'Role', 'role-none')
    assertRefused(await remove('role-none'), 'NOT_FOUND', 'Role', 'role-none')
  })
})

describe('roles.create: POST /api/v1/roles', () => {
  it('answers 201 with the role, attributes called like members of Object included', async () => {
    const { status, body } = await post({ id: 'role-translator', ...translator })
    assert.equal(status, 201)
    assert.deepEqual(body, { id: 'role-translator', ...translator })
    assert.deepEqual((await send(server.admin, 'GET', '/api/v1/roles/role-translator')).body, body)
    assert.match((await post({ name: 'Plain', permissions: [] })).body.id, /^role-[0-9a-z]{20,}$/)
  })

  it('an ID that exists is a CONFLICT', async () => {
    await post({ id: 'role-twice', name: 'One', permissions: [] })
    assertRefused(await post({ id: 'role-twice', name: 'Two', permissions: [] }), 'CONFLICT', 'role-twice')
  })

  it('names the field that is not as it must be', async () => {
    const wrong: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ permissions: undefined }, 'permissions'],
      [{ permissions: ['records.fly'] }, 'permissions[0]'],
      [{ permissions: ['records.read', 'records.read'] }, 'permissions'],
      [{ defaultAttributePermission: 'all' }, 'defaultAttributePermission'],
      [{ attributePermissions: [] }, 'attributePermissions'],
      [{ attributePermissions: { 'sch-a': { name: 'fly' } } }, 'attributePermissions'],
      [{ attributePermissions: { 'sch-a': null } }, 'attributePermissions'],
      [{ id: ' ' }, 'id'],
    ]
    for (const [fields, named] of wrong)
      assertRefused(await post({ ...translator, ...fields }), 'VALIDATION_ERROR', named)
  })
})

describe('roles.replace: PUT /api/v1/roles/:id', () => {
  it('holds from the next request on, for callers that are in the middle of their work', async () => {
    const role = (await post({ name: 'Changing', permissions: ['users.manage'] })).body
    const made = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', { name: 'C', roleId: role.id })
    const client = keyClient(server.url, made.body.key)
    for (let round = 0; round < 3; round += 1) {
      assert.equal((await send(client, 'GET', '/api/v1/users')).status, 200)
      assert.equal((await put(role.id, { name: 'Changing', permissions: [] })).status, 200)
      assertRefused(await send(client, 'GET', '/api/v1/users'), 'PERMISSION_DENIED', 'users.manage')
      await put(role.id, { name: 'Changing', permissions: ['users.manage'] })
    }
  })

  it('replaces the whole role, and the path names it', async () => {
    await post({ id: 'role-whole', ...translator })
    const { body } = await put('role-whole', { id: 'role-other', name: 'Whole', permissions: [] })
    const defaults = { defaultAttributePermission: 'read', attributePermissions: {} }
    assert.deepEqual(body, { id: 'role-whole', name: 'Whole', permissions: [], ...defaults })
  })

  it("the admin's cannot be changed, the other built-in ones can", async () => {
    assertRefused(await put('role-admin', { name: 'Admin', permissions: [] }), 'CONFLICT', 'role-admin')
    const viewer = (await send<Role>(server.admin, 'GET', '/api/v1/roles/role-viewer')).body
    assert.equal((await put('role-viewer', { ...viewer, name: 'Reader' })).body.name, 'Reader')
  })
})

describe('roles.delete: DELETE /api/v1/roles/:id', () => {
  it('answers 204, and the role is gone', async () => {
    const { id } = (await post({ name: 'Short-lived', permissions: [] })).body
    assert.equal((await remove(id)).status, 204)
    assertRefused(await send(server.admin, 'GET', `/api/v1/roles/${id}`), 'NOT_FOUND')
  })

  it('a built-in one is a CONFLICT', async () => {
    for (const id of ['role-admin', 'role-editor', 'role-viewer'])
      assertRefused(await remove(id), 'CONFLICT', id, 'built in')
  })

  it('one that a user, a key or a transition names is a CONFLICT that says who', async () => {
    for (const id of ['role-u', 'role-k', 'role-t']) await post({ id, name: id, permissions: [] })
    const user = await makeUser(server, { roleId: 'role-u' })
    assertRefused(await remove('role-u'), 'CONFLICT', user.id)
    await send(server.admin, 'POST', '/api/v1/api-keys', { id: 'key-k', name: 'K', roleId: 'role-k' })
    assertRefused(await remove('role-k'), 'CONFLICT', 'key-k')
    const workflow = await send(server.admin, 'POST', '/api/v1/workflows', {
      id: 'wf-roles',
      name: 'Roles',
      initialStateId: 'a',
      states: [{ id: 'a' }, { id: 'b' }],
      transitions: [{ id: 'tr-roles', fromStateId: 'a', toStateId: 'b', allowedRoleIds: ['role-t'] }],
    })
    assert.equal(workflow.status, 201, workflow.text)
    assertRefused(await remove('role-t'), 'CONFLICT', 'tr-roles', 'wf-roles')
    await send(server.admin, 'DELETE', '/api/v1/api-keys/key-k')
    assert.equal((await remove('role-k')).status, 204)
  })
})
