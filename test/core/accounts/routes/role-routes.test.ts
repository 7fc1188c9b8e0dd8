// Contract 2 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS, type Role } from '../../../../src/core/accounts/rules/permissions.ts'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { type Client, keyClient } from '../../../helpers/client.ts'
import { logIn, makeUser } from '../../../helpers/people.ts'
import { startServer, type TestServer } from '../../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
  await makeSchema('sch-a')
})
after(() => server.stop())

const post = (body: unknown) => send<Role>(server.admin, 'POST', '/api/v1/roles', body)
const put = (id: string, body: unknown) => send<Role>(server.admin, 'PUT', `/api/v1/roles/${id}`, body)
const remove = (id: string) => send(server.admin, 'DELETE', `/api/v1/roles/${id}`)

const makeSchema = async (id: string): Promise<void> => {
  const attributes = ['name', 'constructor', 'toString'].map((alias) => ({ alias, dataType: 'text' }))
  const made = await send(server.admin, 'POST', '/api/v1/schemas', { id, name: id, attributes })
  assert.equal(made.status, 201, made.text)
}

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
      [{ attributePermissions: { 'sch-b': { name: 'read' } } }, "unknown schema 'sch-b'"],
      [{ attributePermissions: { 'sch-a': { nmae: 'read' } } }, "unknown attribute 'nmae' of the schema 'sch-a'"],
      [{ permisions: [] }, "Unknown member 'permisions': did you mean 'permissions'?"],
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

describe('A role that names what is gone since', () => {
  it('can be sent back as it was, and says nothing new of it', async () => {
    await makeSchema('sch-short')
    const attributePermissions = { 'sch-short': { name: 'none' }, 'sch-a': { name: 'write' } }
    const { id } = (await post({ name: 'Late', permissions: [], attributePermissions })).body
    assert.equal((await send(server.admin, 'DELETE', '/api/v1/schemas/sch-short')).status, 204)
    const stored = (await send<Role>(server.admin, 'GET', `/api/v1/roles/${id}`)).body
    assert.deepEqual(stored.attributePermissions, attributePermissions)
    const renamed = await put(id, { ...stored, name: 'Later' })
    assert.deepEqual([renamed.status, renamed.body], [200, { ...stored, name: 'Later' }])
    const more = { ...stored, attributePermissions: { 'sch-short': { name: 'write' } } }
    assertRefused(await put(id, more), 'VALIDATION_ERROR', "'name' of the schema 'sch-short'")
    assert.equal((await put(id, { ...stored, attributePermissions: {} })).status, 200)
    assertRefused(await put(id, stored), 'VALIDATION_ERROR', "unknown schema 'sch-short'")
  })
})

describe('Nobody gives more than they have', () => {
  const manages = {
    name: 'Manager',
    permissions: ['users.manage', 'records.read'],
    defaultAttributePermission: 'read',
    attributePermissions: { 'sch-a': { name: 'none' } },
  }
  const greater: [more: object, named: string][] = [
    [{ permissions: [...manages.permissions, 'records.delete'] }, "the permission 'records.delete'"],
    [{ defaultAttributePermission: 'write' }, "defaultAttributePermission 'write'"],
    [{ attributePermissions: {} }, "'read' on the attribute 'name' of the schema 'sch-a'"],
    [{ attributePermissions: { 'sch-a': { name: 'none', toString: 'write' } } }, "'write' on the attribute 'toString'"],
  ]
  let manager: Client
  before(async () => {
    await post({ id: 'role-manager', ...manages })
    await post({ id: 'role-low', name: 'Low', permissions: [], defaultAttributePermission: 'none' })
    const key = { name: 'M', roleId: 'role-manager' }
    manager = keyClient(
      server.url,
      (await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', key)).body.key,
    )
  })
  const as = (method: string, path: string, body?: unknown) =>
    send<{ id: string }>(manager, method, `/api/v1${path}`, body)

  it('makes no role that may more', async () => {
    for (const [more, named] of greater) {
      const answer = await as('POST', '/roles', { id: 'role-more', ...manages, ...more })
      assertRefused(answer, 'PERMISSION_DENIED', named)
      assertRefused(await as('GET', '/roles/role-more'), 'NOT_FOUND')
    }
    assert.equal((await as('POST', '/roles', { ...manages, permissions: ['records.read'] })).status, 201)
  })

  it('changes no role to one that may more, the own one included, and none that may more already', async () => {
    const { id } = (await as('POST', '/roles', manages)).body
    for (const target of [id, 'role-manager'])
      for (const [more, named] of greater)
        assertRefused(await as('PUT', `/roles/${target}`, { ...manages, ...more }), 'PERMISSION_DENIED', named)
    assert.equal((await as('PUT', '/roles/role-manager', { ...manages, name: 'Managers' })).status, 200)
    const less = { name: 'Editor', permissions: [], defaultAttributePermission: 'none' }
    assertRefused(await as('PUT', '/roles/role-editor', less), 'PERMISSION_DENIED', 'role-editor')
  })

  it('gives no user and no key a role that may more', async () => {
    for (const roleId of ['role-admin', 'role-editor']) {
      const user = { username: 'risen', password: 'long enough', roleId }
      assertRefused(await as('POST', '/users', user), 'PERMISSION_DENIED', roleId)
      assertRefused(await as('POST', '/users', { ...user, disabled: true }), 'PERMISSION_DENIED', roleId)
      assertRefused(await as('POST', '/api-keys', { name: 'K', roleId }), 'PERMISSION_DENIED', roleId)
      const low = await makeUser(server, { roleId: 'role-low' })
      assertRefused(await as('PATCH', `/users/${low.id}`, { roleId }), 'PERMISSION_DENIED', roleId)
    }
    const equal = { username: 'equal', password: 'long enough', roleId: 'role-manager' }
    const { id } = (await as('POST', '/users', equal)).body
    assert.equal((await as('PATCH', `/users/${id}`, { roleId: 'role-low', name: 'Less' })).status, 200)
    assert.equal((await as('POST', '/api-keys', { name: 'K', roleId: 'role-low' })).status, 201)
  })

  it('touches no user who may more: neither password, name, role nor existence', async () => {
    const above = await makeUser(server, { roleId: 'role-editor' })
    const changes = [
      { password: 'a new password' },
      { disabled: true },
      { name: 'X' },
      { username: 'x' },
      { roleId: 'role-low' },
    ]
    for (const change of changes)
      assertRefused(
        await as('PATCH', `/users/${above.id}`, change),
        'PERMISSION_DENIED',
        'role-editor',
        'records.create',
      )
    assertRefused(await as('DELETE', `/users/${above.id}`), 'PERMISSION_DENIED', 'role-editor')
    assert.deepEqual((await send(server.admin, 'GET', `/api/v1/users/${above.id}`)).body, above)
    assert.equal((await logIn(server, above.username)).status, 200)
    const below = await makeUser(server, { roleId: 'role-low' })
    assert.equal((await as('PATCH', `/users/${below.id}`, { password: 'a new password' })).status, 200)
    assert.equal((await as('DELETE', `/users/${below.id}`)).status, 204)
  })

  it('judges by the role as it is when the change is made', async () => {
    await put('role-manager', {
      ...manages,
      permissions: PERMISSIONS,
      defaultAttributePermission: 'write',
      attributePermissions: {},
    })
    assert.equal((await as('POST', '/api-keys', { name: 'K', roleId: 'role-editor' })).status, 201)
    assertRefused(await as('POST', '/api-keys', { name: 'K', roleId: 'role-admin' }), 'PERMISSION_DENIED', 'role-admin')
    await put('role-manager', manages)
    assertRefused(await as('POST', '/api-keys', { name: 'K', roleId: 'role-editor' }), 'PERMISSION_DENIED')
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
