// A subscription tells what its owner may read when it tells it, also of what is past. Contract 3 §12.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { runJob } from '../../helpers/bulk-jobs.ts'
import { type Client, keyClient } from '../../helpers/client.ts'
import { HOUR, makeClock, type TestClock } from '../../helpers/clock.ts'
import { type EventReceiver, startReceiver } from '../../helpers/event-receiver.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { eventually } from '../../helpers/puppet.ts'
import { english, everywhere, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

const PATH = '/api/v1/subscriptions'
const TELLING = ['records.read', 'subscriptions.write']
const HIDDEN = { attributePermissions: { 'sch-shirt': { weight: 'none' } } }
const search = { criteria: [{ attributeAlias: 'weight', operator: 'isNotEmpty' }], criteriaOperator: 'and' }

interface Body {
  readonly id: string
  readonly active: boolean
  readonly ownerId: string
  readonly createdBy: string
  readonly url: string
  readonly pausedReason: { readonly code: string; readonly message: string } | null
}
interface RoleBody {
  readonly id: string
  readonly name: string
}

let shop: Workspace
let clock: TestClock
const receivers: EventReceiver[] = []
before(async () => {
  clock = makeClock()
  shop = await startWorkspace({
    allowDestinations: ['127.0.0.1'],
    testing: { eventLimits: { firstBackoff: 20, maxBackoff: 40 }, system: clock },
  })
})
after(async () => {
  await shop.stop()
  await Promise.all(receivers.map((receiver) => receiver.close()))
})

async function receive(): Promise<EventReceiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}
let count = 0
async function makeRole(more: object = {}): Promise<RoleBody> {
  count += 1
  const role = { name: `Role ${count}`, permissions: TELLING, defaultAttributePermission: 'write', ...more }
  return make<RoleBody>(shop.admin, '/api/v1/roles', role)
}
const changeRole = async (role: RoleBody, more: object): Promise<void> => {
  const answer = await send(shop.admin, 'PUT', `/api/v1/roles/${role.id}`, { ...role, ...more })
  assert.equal(answer.status, 200, answer.text)
}
async function keyHolder(more: object = {}, expiresAt: string | null = null) {
  const role = await makeRole(more)
  const body = { name: 'Shop', roleId: role.id, expiresAt }
  const { id, key } = await make<{ id: string; key: string }>(shop.admin, '/api/v1/api-keys', body)
  return { id, role, client: keyClient(shop.url, key) }
}
const subscribe = (client: Client, receiver: EventReceiver, more: object = {}) =>
  make<Body>(client, PATH, { name: 'S', url: receiver.url, events: ['record.created'], ...more })
const get = async (id: string, client = shop.admin) => (await send<Body>(client, 'GET', `${PATH}/${id}`)).body
const takeOver = (client: Client, id: string) => send<Body>(client, 'POST', `${PATH}/${id}/take-over`)
const weigh = (weight: number) => makeShirt(shop.admin, { weight: everywhere(weight), name: [english(`W${weight}`)] })
const put = async (client: Client, id: string, more: object): Promise<Body> => {
  const answer = await send<Body>(client, 'PUT', `${PATH}/${id}`, { ...(await get(id, client)), ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The next event is not delivered: the subscription pauses and says why. */
async function assertPauses(id: string, receiver: EventReceiver, why: RegExp): Promise<void> {
  const before = receiver.requests.length
  await weigh(1)
  const paused = await eventually(async () => {
    const found = await get(id)
    return !found.active && found
  })
  assert.equal(paused.pausedReason!.code, 'OWNER')
  assert.match(paused.pausedReason!.message, why)
  assert.equal(receiver.requests.length, before)
}

describe('A subscription', () => {
  it('tells what the present role of its owner may read', async () => {
    const receiver = await receive()
    const [role, less] = [await makeRole(), await makeRole(HIDDEN)]
    const { id: userId, username } = await makeUser(shop, { roleId: role.id })
    const { ownerId, createdBy, id } = await subscribe(await sessionOf(shop, username), receiver)
    assert.deepEqual([ownerId, createdBy], [userId, userId])
    await weigh(4321)
    await receiver.untilAccepted(1)
    assert.match(JSON.stringify(receiver.accepted[0]), /4321/)
    assert.equal((await send(shop.admin, 'PATCH', `/api/v1/users/${userId}`, { roleId: less.id })).status, 200)
    await weigh(8765)
    await receiver.untilAccepted(2)
    assert.doesNotMatch(JSON.stringify(receiver.accepted[1]!.data.record!.values), /weight/)
    assert.equal((await send(shop.admin, 'PATCH', `/api/v1/users/${userId}`, { roleId: 'role-viewer' })).status, 200)
    await assertPauses(id, receiver, new RegExp(`'${userId}'.*lacks the permission 'subscriptions.write'`))
  })

  it('tells what was read before, and is to come yet, with the rights of now', async () => {
    const receiver = await receive()
    receiver.answers = ['held']
    const owner = await keyHolder()
    const { id } = await subscribe(owner.client, receiver, { active: false })
    const weights = [5001, 5002, 5003, 5004]
    for (const weight of weights) await weigh(weight)
    assert.equal((await send(owner.client, 'POST', `${PATH}/${id}/resume`)).status, 200)
    await receiver.untilRequested(1)
    await changeRole(owner.role, HIDDEN)
    receiver.letGo()
    await receiver.untilAccepted(weights.length)
    const [first, ...later] = receiver.requests.map(({ events }) => JSON.stringify(events))
    assert.match(first!, /"weight"/)
    assert.match(later.join(), /W5004/)
    assert.doesNotMatch(later.join(), /"weight"/)
  })

  it('is paused where its owner is gone, disabled or expired, lacks a permission, or may not read what it names', async () => {
    const receiver = await receive()
    const revoked = await keyHolder()
    const one = await subscribe(revoked.client, receiver)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/api-keys/${revoked.id}`)).status, 204)
    await assertPauses(one.id, receiver, /API key.*no longer exists/)

    const role = await makeRole()
    const { id: userId, username } = await makeUser(shop, { roleId: role.id })
    const two = await subscribe(await sessionOf(shop, username), receiver)
    assert.equal((await send(shop.admin, 'PATCH', `/api/v1/users/${userId}`, { disabled: true })).status, 200)
    await assertPauses(two.id, receiver, /user.*is disabled/)
    assertRefused(await send(shop.admin, 'POST', `${PATH}/${two.id}/resume`), 'CONFLICT', 'disabled')
    assert.equal((await send(shop.admin, 'PATCH', `/api/v1/users/${userId}`, { disabled: false })).status, 200)
    assert.equal((await send<Body>(shop.admin, 'POST', `${PATH}/${two.id}/resume`)).body.ownerId, userId)
    await receiver.untilAccepted(1)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/users/${userId}`)).status, 204)
    await assertPauses(two.id, receiver, /user.*no longer exists/)

    const expiring = await keyHolder({}, new Date(clock.now().getTime() + HOUR).toISOString())
    const three = await subscribe(expiring.client, receiver)
    clock.advance(2 * HOUR)
    await assertPauses(three.id, receiver, /API key.*has expired/)

    const reader = await keyHolder()
    const four = await subscribe(reader.client, receiver)
    await changeRole(reader.role, { permissions: ['subscriptions.write'] })
    await assertPauses(four.id, receiver, /lacks the permission 'records.read'/)

    const searcher = await keyHolder()
    const five = await subscribe(searcher.client, receiver, { selection: search })
    await changeRole(searcher.role, HIDDEN)
    await assertPauses(five.id, receiver, /may not read the attribute 'weight'/)
  })
})

describe('POST /api/v1/subscriptions/:id/take-over', () => {
  it('needs subscriptions.write, and a subscription that exists', async () => {
    const { id } = await subscribe(shop.admin, await receive(), { active: false })
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/${id}/take-over` }, 'subscriptions.write')
    await assertNotFound(shop.admin, 'Subscription', (gone) => ({ method: 'POST', path: `${PATH}/${gone}/take-over` }))
  })

  it('makes the caller the owner; what was paused for the owner goes on where it was', async () => {
    const receiver = await receive()
    const owner = await keyHolder(HIDDEN)
    const { id } = await subscribe(owner.client, receiver)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/api-keys/${owner.id}`)).status, 204)
    await assertPauses(id, receiver, /no longer exists/)
    await weigh(6001)
    const taken = await takeOver(shop.admin, id)
    assert.equal(taken.status, 200, taken.text)
    const { ownerId, createdBy, active, pausedReason } = taken.body
    assert.deepEqual([ownerId, createdBy, active, pausedReason], ['key-bootstrap', owner.id, true, null])
    await receiver.untilAccepted(2)
    assert.match(JSON.stringify(receiver.accepted[1]), /6001/)
    const { body } = await send<{ items: { entityType: string; entityId: string; userId: string; changes: object }[] }>(
      shop.admin,
      'GET',
      '/api/v1/changes?entityType=model&before=latest&limit=20',
    )
    const { userId, changes } = body.items.find(({ entityId }) => entityId === id)!
    assert.deepEqual(
      [userId, changes],
      ['key-bootstrap', [{ field: 'ownerId', oldValue: owner.id, newValue: 'key-bootstrap' }]],
    )
  })

  it('is for those who may do all that the subscription does', async () => {
    const less = await keyHolder(HIDDEN)
    const { id } = await subscribe(shop.admin, await receive(), { selection: search, active: false })
    assertRefused(await takeOver(less.client, id), 'PERMISSION_DENIED', 'weight')
    const plain = await subscribe(shop.admin, await receive(), { active: false })
    const taken = await takeOver(less.client, plain.id)
    assert.deepEqual([taken.body.ownerId, taken.body.active], [less.id, false])
  })
})

describe('A PUT of a subscription by somebody else than the owner', () => {
  it('keeps the owner where it changes neither what is told nor to whom', async () => {
    const other = await keyHolder(HIDDEN)
    const { id } = await subscribe(shop.admin, await receive(), { headers: { 'X-Shop': 'one' }, active: false })
    for (const more of [{ name: 'Other' }, { batchSize: 5 }, { active: true }, { headers: { 'X-Shop': 'one' } }])
      assert.equal((await put(other.client, id, more)).ownerId, 'key-bootstrap', JSON.stringify(more))
  })

  it('makes the caller the owner where it changes what is told, or to whom', async () => {
    const other = await keyHolder(HIDDEN)
    const elsewhere = await receive()
    for (const more of [
      { url: elsewhere.url },
      { events: ['record.created', 'record.updated'] },
      { schemaIds: ['sch-shirt'] },
      { selection: { criteria: [], criteriaOperator: 'and' } },
      { headers: { 'X-Shop': 'two' } },
      { signingSecret: 'mine' },
    ]) {
      const { id } = await subscribe(shop.admin, await receive(), { active: false })
      assert.equal((await put(other.client, id, more)).ownerId, other.id, JSON.stringify(more))
    }
  })

  it('gives it no past that the new owner may not read', async () => {
    const [receiver, elsewhere] = [await receive(), await receive()]
    const thief = await keyHolder(HIDDEN)
    const events = ['record.created', 'record.updated', 'record.transitioned', 'record.deleted', 'bulk.finished']
    const { id } = await subscribe(shop.admin, receiver, { events })
    const start = (await send<{ cursor: string }>(shop.admin, 'GET', `${PATH}/${id}`)).body.cursor
    const shirt = await weigh(7001)
    const path = `/api/v1/records/${shirt.id}`
    const heavier = { values: { weight: everywhere(7002) } }
    assert.equal((await send(shop.admin, 'PATCH', path, heavier)).status, 200)
    assert.equal((await send(shop.admin, 'POST', `${path}/transition`, { transitionId: 'tr-submit' })).status, 200)
    const actions = [{ setValues: { weight: everywhere(7003) } }]
    await runJob(shop.admin, { selection: { ids: [shirt.id] }, actions })
    assert.equal((await send(shop.admin, 'DELETE', path)).status, 204)
    await receiver.untilAccepted(6)
    assert.match(JSON.stringify(receiver.accepted), /7002.*7003/)
    await put(thief.client, id, { url: elsewhere.url })
    assert.equal((await send(thief.client, 'POST', `${PATH}/${id}/replay`, { after: start })).status, 200)
    await elsewhere.untilAccepted(6)
    assert.match(JSON.stringify(elsewhere.accepted), /W7001/)
    assert.doesNotMatch(JSON.stringify(elsewhere.accepted), /"weight"|700[23]/)
  })

  it('tells of an import without options that it made for an attribute which the owner may not read', async () => {
    const receiver = await receive()
    const { client } = await keyHolder({ attributePermissions: { 'sch-shirt': { color: 'none' } } })
    await subscribe(client, receiver, { events: ['bulk.finished'] })
    const path = '/api/v1/imports'
    const upload = {
      method: 'POST',
      headers: { ...shop.admin.headers, 'content-type': 'text/csv' },
      body: 'c\nviolet\n',
    }
    const { id } = (await (await fetch(`${shop.url}${path}?fileName=c.csv`, upload)).json()) as { id: string }
    const columns = [{ header: 'c', to: { attributeAlias: 'color' }, createOptions: true }]
    const mapping = { schemaId: 'sch-shirt', mode: 'create', columns }
    assert.equal((await send(shop.admin, 'PUT', `${path}/${id}/mapping`, mapping)).status, 200)
    const job = await send<{ id: string }>(shop.admin, 'POST', `${path}/${id}/run`)
    await receiver.untilAccepted(1)
    const [told] = receiver.accepted
    assert.equal(told!.data['id'], job.body.id)
    assert.deepEqual((told!.data as { making?: { options: unknown } }).making!.options, [])
  })
})
