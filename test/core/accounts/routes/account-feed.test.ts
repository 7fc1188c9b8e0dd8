// Changes of accounts in GET /api/v1/changes: users, API keys, roles and sign-ins, for who may manage users, and never a secret.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { atOneServer, type Client, tokenClient } from '../../../helpers/client.ts'
import { logIn, makeUser, PASSWORD, sessionOf, type UserBody } from '../../../helpers/people.ts'
import { make, makeShirt, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface Entry {
  entityType?: string
  entityId: string | null
  action: string
  userId: string
  changes: { field: string; oldValue: unknown; newValue: unknown }[]
  origin: { kind: string }
  signIn?: { username: string | null; address: string | null; count: number; since: string }
}
interface Feed {
  items: Entry[]
  cursor: string
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const ask = (client: Client, query: string) => send<Feed>(client, 'GET', `/api/v1/changes?${query}`)
async function read(client: Client, query: string): Promise<Feed> {
  const answer = await ask(client, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const latest = async () => (await read(shop.admin, 'after=latest')).cursor
const told = ({ entityType, action, entityId }: Entry) => `${action} ${entityType} ${entityId}`
const ok = async (client: Client, method: string, path: string, body?: unknown): Promise<void> => {
  const answer = await send(client, method, `/api/v1/${path}`, body)
  assert.ok(answer.status < 300, answer.text)
}

/** The entries after the cursor, when the failed sign-ins are told by this many. */
async function readFailures(cursor: string, count: number): Promise<Entry[]> {
  for (;;) {
    const { items } = await read(shop.admin, `entityType=account&after=${cursor}&limit=1000`)
    const failed = items.filter(({ action }) => action === 'loginFailed')
    if (failed.reduce((sum, { signIn }) => sum + signIn!.count, 0) >= count) return failed
    await sleep(100)
  }
}

describe('GET /api/v1/changes?entityType=account', () => {
  it('has every change of users, keys and roles, in the order of commits, with who did it and what', async () => {
    const cursor = await latest()
    const user = await makeUser(shop, { id: 'usr-fed', username: 'fed', name: 'Fed' })
    await ok(shop.admin, 'PATCH', 'users/usr-fed', { name: 'Fred', disabled: true })
    await ok(shop.admin, 'PATCH', 'users/usr-fed', { name: 'Fred' })
    await ok(shop.admin, 'PATCH', 'users/usr-fed', { password: 'another password', disabled: false })
    await ok(shop.admin, 'POST', 'api-keys', { id: 'key-fed', name: 'Shop', roleId: 'role-viewer' })
    await ok(shop.admin, 'DELETE', 'api-keys/key-fed')
    await ok(shop.admin, 'POST', 'roles', { id: 'role-seen', name: 'R', permissions: [] })
    await ok(shop.admin, 'PUT', 'roles/role-seen', { name: 'R', permissions: ['records.read'] })
    await ok(shop.admin, 'DELETE', 'roles/role-seen')
    await ok(shop.admin, 'DELETE', `users/${user.id}`)
    const { items } = await read(shop.admin, `entityType=account&after=${cursor}`)
    assert.deepEqual(items.map(told), [
      'create user usr-fed',
      'update user usr-fed',
      'update user usr-fed',
      'create apiKey key-fed',
      'delete apiKey key-fed',
      'create role role-seen',
      'update role role-seen',
      'delete role role-seen',
      'delete user usr-fed',
    ])
    const me = (await send<UserBody>(shop.admin, 'GET', '/api/v1/me')).body.id
    for (const { userId, origin } of items) assert.deepEqual([userId, origin], [me, { kind: 'api' }])
    assert.deepEqual(items[1]!.changes, [
      { field: 'name', oldValue: 'Fed', newValue: 'Fred' },
      { field: 'disabled', oldValue: false, newValue: true },
    ])
    assert.deepEqual(items[2]!.changes, [
      { field: 'disabled', oldValue: true, newValue: false },
      { field: 'password', oldValue: null, newValue: null },
    ])
    assert.deepEqual(items[6]!.changes, [{ field: 'permissions', oldValue: [], newValue: ['records.read'] }])
  })

  it('has sign-ins, sign-outs, and passwords that users change themselves', async () => {
    const user = await makeUser(shop, { username: 'inga' })
    const cursor = await latest()
    const session = await sessionOf(shop, 'inga')
    const { body } = await send<{ accessToken: string }>(session, 'PUT', '/api/v1/me/password', {
      currentPassword: PASSWORD,
      newPassword: 'a longer password',
    })
    await ok(tokenClient(shop.url, body.accessToken), 'POST', 'auth/logout')
    const { items } = await read(shop.admin, `entityType=account&after=${cursor}`)
    assert.deepEqual(items.map(told), [`login user ${user.id}`, `update user ${user.id}`, `logout user ${user.id}`])
    assert.deepEqual(
      items.map(({ userId }) => userId),
      [user.id, user.id, user.id],
    )
    assert.deepEqual(
      { ...items[0]!.signIn, since: '' },
      { username: 'inga', address: '127.0.0.1', count: 1, since: '' },
    )
    assert.deepEqual(items[1]!.changes, [{ field: 'password', oldValue: null, newValue: null }])
  })

  it('counts failed sign-ins of a username from an address, and says of whom they were', async () => {
    const user = await makeUser(shop, { username: 'greta' })
    const cursor = await latest()
    const door = { ...shop, anonymous: atOneServer(shop.anonymous) }
    for (let count = 0; count < 5; count += 1) await logIn(door, 'greta', 'wrong')
    await logIn(door, 'no\u0007body', 'wrong')
    const failures = await readFailures(cursor, 6)
    const summary = failures.map(({ entityId, userId, signIn }) => [entityId, userId, signIn!.username, signIn!.count])
    assert.deepEqual(summary, [
      [user.id, 'system', 'greta', 5],
      [null, 'system', 'no\\u0007body', 1],
    ])
    assert.equal(failures[0]!.signIn!.address, '127.0.0.1')
  })

  it('stands in one order with records and the model, read either way', async () => {
    const cursor = await latest()
    await makeUser(shop, { id: 'usr-order' })
    await makeShirt(shop.admin, {}, { id: 'shirt-order' })
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-order', name: 'C' })
    await ok(shop.admin, 'POST', 'roles', { id: 'role-order', name: 'R', permissions: [] })
    const all = [
      'create user usr-order',
      'create record shirt-order',
      'create catalog cat-order',
      'create role role-order',
    ]
    const { items } = await read(shop.admin, `entityType=record,model,account&after=${cursor}`)
    assert.deepEqual(items.map(told), all)
    const back = await read(shop.admin, 'entityType=account,record,model&before=latest&limit=4')
    assert.deepEqual(back.items.map(told), all.toReversed())
    const without = await read(shop.admin, `entityType=record,account&after=${cursor}`)
    assert.deepEqual(without.items.map(told), [all[0], all[1], all[3]])
    const one = await read(shop.admin, `entityType=model&after=${cursor}`)
    assert.deepEqual(one.items.map(told), [all[2], all[3]])
    const page = await read(shop.admin, `entityType=account&after=${cursor}&limit=1`)
    const next = await read(shop.admin, `entityType=account&after=${page.cursor}&limit=1`)
    assert.deepEqual([...page.items, ...next.items].map(told), [all[0], all[3]])
  })

  it('waits for the next of them, whatever else is written meanwhile', async () => {
    const cursor = await latest()
    const waiting = read(shop.admin, `entityType=account&after=${cursor}&wait=25`)
    await makeShirt(shop.admin, {}, { id: 'shirt-meanwhile' })
    await makeUser(shop, { id: 'usr-awaited' })
    assert.deepEqual((await waiting).items.map(told), ['create user usr-awaited'])
  })

  it('takes users.manage, and for records and the model what these take', async () => {
    const [manager, auditor, both, reader] = await Promise.all([
      shop.clientWith(['users.manage']),
      shop.clientWith(['audit.read']),
      shop.clientWith(['audit.read', 'users.manage']),
      shop.clientWith(['records.read', 'users.manage']),
    ])
    assertRefused(await ask(auditor, 'entityType=account'), 'PERMISSION_DENIED', 'users.manage')
    assertRefused(await ask(auditor, 'entityType=record,account'), 'PERMISSION_DENIED', 'users.manage')
    assertRefused(await ask(manager, 'entityType=record,account'), 'PERMISSION_DENIED', 'audit.read')
    assertRefused(await ask(manager, 'entityType=account,account'), 'VALIDATION_ERROR', 'entityType')
    const cursor = await latest()
    await makeShirt(shop.admin, {}, { id: 'shirt-taken' })
    await ok(shop.admin, 'POST', 'roles', { id: 'role-taken', name: 'R', permissions: [] })
    for (const client of [manager, both])
      assert.deepEqual((await read(client, `entityType=account&after=${cursor}`)).items.map(told), [
        'create role role-taken',
      ])
    const notes = await read(reader, `entityType=record,account&after=${cursor}`)
    assert.deepEqual(
      notes.items.map((item) => Object.keys(item).length),
      [3, 8],
    )
  })

  it('never has a secret', async () => {
    const { text } = await send(shop.admin, 'POST', '/api/v1/api-keys', {
      id: 'key-secret',
      name: 'S',
      roleId: 'role-viewer',
    })
    const { key } = JSON.parse(text) as { key: string }
    const answer = await ask(shop.admin, 'entityType=record,model,account&limit=1000')
    for (const secret of [
      key,
      key.slice(4),
      PASSWORD,
      'another password',
      'a longer password',
      'wrong',
      'Hash',
      '"hash"',
    ])
      assert.ok(!answer.text.includes(secret), secret)
  })
})
