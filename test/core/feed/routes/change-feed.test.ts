// GET /api/v1/changes as it comes, backwards, and for who may not read the trail.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertErrorBody, assertRefused, send } from '../../../helpers/answers.ts'
import { atOneServer, type Client, keyClient } from '../../../helpers/client.ts'
import { eventually } from '../../../helpers/puppet.ts'
import {
  type AuditEntryBody,
  everywhere,
  make,
  makeShirt,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface Feed {
  items: AuditEntryBody[]
  cursor: string
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  for (let n = 0; n < 5; n += 1) await makeShirt(shop.admin, { weight: everywhere(n) })
})
after(() => shop.stop())

async function read(client: Client, query: string): Promise<Feed> {
  const answer = await send<Feed>(client, 'GET', `/api/v1/changes${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const latest = async () => (await read(shop.admin, '?after=latest')).cursor
/** Resolves when the server has had time to begin to wait. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 100))

describe('GET /api/v1/changes', () => {
  it('begins at now with after=latest', async () => {
    const { items, cursor } = await read(shop.admin, '?after=latest')
    assert.deepEqual(items, [])
    const { id } = await makeShirt(shop.admin, {})
    const next = await read(shop.admin, `?after=${cursor}`)
    assert.deepEqual(
      next.items.map(({ entityId }) => entityId),
      [id],
    )
    assert.equal(next.cursor, await latest())
  })

  it('goes back from a cursor, newest first, each once, to the beginning', async () => {
    const { items: all } = await read(shop.admin, '?limit=1000')
    for (const start of ['latest', await latest()]) {
      const seen: AuditEntryBody[] = []
      let page = await read(shop.admin, `?before=${start}&limit=2`)
      while (page.items.length > 0) {
        seen.push(...page.items)
        page = await read(shop.admin, `?before=${page.cursor}&limit=2`)
      }
      assert.deepEqual(seen, all.toReversed())
    }
    const middle = await read(shop.admin, '?limit=3')
    assert.deepEqual((await read(shop.admin, `?before=${middle.cursor}`)).items, middle.items.toReversed())
  })

  it('waits for a change where there is none, and gives it as soon as it is there', async () => {
    const cursor = await latest()
    const waiting = read(shop.admin, `?after=${cursor}&wait=25`)
    await settle()
    const { id } = await makeShirt(shop.admin, {})
    const page = await waiting
    assert.deepEqual(
      page.items.map(({ entityId }) => entityId),
      [id],
    )
    assert.deepEqual(await read(shop.admin, `?after=${cursor}&wait=25`), page, 'what is there is not waited for')
  })

  it('answers with an empty page and the same cursor when the time is over, whatever else was committed', async () => {
    const cursor = await latest()
    const began = performance.now()
    const waiting = read(shop.admin, `?after=latest&wait=0.4`)
    await settle()
    await send(shop.admin, 'POST', '/api/v1/catalogs', { name: 'No change of a record' })
    assert.deepEqual(await waiting, { items: [], cursor })
    assert.ok(performance.now() - began > 300)
  })

  it('holds 20 of one caller, and none of who went away', async () => {
    const viewer = atOneServer(shop.viewer)
    const cursor = await latest()
    const gone = new AbortController()
    const url = `${viewer.url}/api/v1/changes?after=${cursor}&wait=25`
    const { headers } = viewer
    const asked = Array.from({ length: 21 }, () => fetch(url, { headers, signal: gone.signal }))
    // All others wait.
    const refused = await Promise.race(asked)
    assert.equal(refused.status, 429)
    assertErrorBody(await refused.json(), 'RATE_LIMITED', '20')
    assert.ok(refused.headers.get('retry-after'))
    assert.equal((await send(viewer, 'GET', `/api/v1/changes?after=${cursor}`)).status, 200)
    gone.abort()
    const ends = await Promise.allSettled(asked)
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, 20)
    // The server notices one after another that they are gone.
    const probe = () => send(viewer, 'GET', `/api/v1/changes?after=${cursor}&wait=0.2`)
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, probe))
      return answers.every(({ status }) => status === 200)
    })
    const waits = Array.from({ length: 20 }, () => read(viewer, `?after=${cursor}&wait=25`))
    await settle()
    const { id } = await makeShirt(shop.admin, {})
    for (const { items } of await Promise.all(waits)) assert.equal(items[0]!.entityId, id)
  })

  it('gives notes to who may read records, but not the trail', async () => {
    const reader = await shop.clientWith(['records.read'])
    const { items: entries } = await read(shop.admin, '?limit=3')
    const { items, cursor } = await read(reader, '?limit=3')
    assert.deepEqual(
      items,
      entries.map(({ entityId, action, timestamp }) => ({ entityId, action, timestamp })),
    )
    assert.deepEqual((await read(reader, `?before=${cursor}`)).items, items.toReversed())
    const auditor = await shop.clientWith(['audit.read'])
    assert.deepEqual((await read(auditor, '?limit=3')).items, entries)
    assertRefused(await send(shop.stranger, 'GET', '/api/v1/changes'), 'PERMISSION_DENIED', 'audit.read')
    assertRefused(await send(shop.anonymous, 'GET', '/api/v1/changes'), 'UNAUTHORIZED')
  })

  it('answers who has waited by the rights of then, and not who has lost the key meanwhile', async () => {
    const role = { id: 'role-waits', name: 'Waits', permissions: ['records.read', 'audit.read'] }
    await make(shop.admin, '/api/v1/roles', { ...role, defaultAttributePermission: 'read' })
    const { id, key } = await make<{ id: string; key: string }>(shop.admin, '/api/v1/api-keys', {
      name: 'Waits',
      roleId: role.id,
    })
    const waits = async () => {
      const client = keyClient(shop.admin.url, key)
      const waiting = send<Feed>(client, 'GET', `/api/v1/changes?after=${await latest()}&wait=25`)
      await settle()
      return waiting
    }
    const first = waits()
    await settle()
    const less = { ...role, defaultAttributePermission: 'none' }
    assert.equal((await send(shop.admin, 'PUT', `/api/v1/roles/${role.id}`, less)).status, 200)
    await makeShirt(shop.admin, { weight: everywhere(7) })
    assert.deepEqual(
      (await first).body.items.map(({ changes }) => changes),
      [[]],
    )
    const second = waits()
    await settle()
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/api-keys/${id}`)).status, 204)
    await makeShirt(shop.admin, { weight: everywhere(8) })
    assertRefused(await second, 'UNAUTHORIZED')
  })

  it('refuses what is no cursor, what does not go together, and longer waits', async () => {
    const cursor = await latest()
    for (const [query, named] of [
      ['?before=x', 'before'],
      ['?after=newest', 'after'],
      [`?after=${cursor}&before=${cursor}`, 'before'],
      [`?before=${cursor}&wait=1`, 'wait'],
      [`?after=${cursor}&wait=25.1`, 'wait'],
      ['?wait=-1', 'wait'],
      ['?wait=x', 'wait'],
      ['?entityType=models', 'entityType'],
      ['?entityType=record,record', 'entityType'],
    ] as const)
      assertRefused(await send(shop.admin, 'GET', `/api/v1/changes${query}`), 'VALIDATION_ERROR', named)
  })
})

it('a stop ends who waits for changes, with an answer', async () => {
  const other = await startWorkspace({ testing: { stopGrace: 20_000 } })
  const waiting = read(other.admin, '?after=latest&wait=25')
  await settle()
  const began = performance.now()
  await other.stop()
  assert.ok(performance.now() - began < 10_000)
  assert.deepEqual((await waiting).items, [])
})
