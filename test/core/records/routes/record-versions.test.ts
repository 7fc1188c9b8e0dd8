// GET /api/v1/records/:id?version=: a record as it was.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  english,
  everywhere,
  german,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

async function readVersion(client: Client, id: string, version: number): Promise<RecordBody> {
  const answer = await send<RecordBody>(client, 'GET', `/api/v1/records/${id}?version=${version}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('etag'), `"${version}"`)
  return answer.body
}
const path = (id: string, version: unknown) => `/api/v1/records/${id}?version=${String(version)}`

/** Writes a record in several ways. @returns each of its states as GET answered it, by version */
async function makeHistory(
  client: Client,
  more: object = {},
): Promise<{ id: string; states: Map<number, RecordBody> }> {
  const { id } = await makeShirt(client, { name: [english('Shirt'), german('Hemd')], weight: everywhere(1) }, more)
  const states = new Map<number, RecordBody>()
  const note = async () => {
    const answer = await send<RecordBody>(client, 'GET', `/api/v1/records/${id}`)
    states.set(Number(answer.headers.get('etag')!.slice(1, -1)), answer.body)
  }
  await note()
  const writes = [
    ['PUT', '', { values: { name: [german('Oberhemd')], constructor: everywhere('x'), weight: [] } }],
    ['POST', '/transition', { transitionId: 'tr-submit' }],
    ['PATCH', '', { values: { name: [english('Shirt again')], extra: everywhere({ b: 1, a: [null] }) } }],
    ['PUT', '', { values: {} }],
    ['PATCH', '/values/name', { scopedValues: [] }],
  ] as const
  for (const [method, rest, body] of writes) {
    const answer = await send(client, method, `/api/v1/records/${id}${rest}`, body)
    assert.equal(answer.status, 200, answer.text)
    await note()
  }
  return { id, states }
}

const inOrder = ({ values, ...head }: RecordBody) => ({
  ...head,
  values: Object.fromEntries(
    Object.entries(values).map(([alias, scoped]) => [alias, scoped.map((item) => JSON.stringify(item)).sort()]),
  ),
})

describe('GET /api/v1/records/:id?version=', () => {
  it('answers each version as GET did then, also when the record is deleted', async () => {
    const { id, states } = await makeHistory(shop.admin)
    assert.equal(states.size, 6)
    const assertAll = async () => {
      for (const [version, state] of states)
        assert.deepEqual(inOrder(await readVersion(shop.viewer, id, version)), inOrder(state))
    }
    await assertAll()
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)).status, 204)
    await assertAll()
    const [deletion] = await readAudit(shop.admin, id)
    assertRefused(await send(shop.admin, 'GET', path(id, deletion!.version)), 'NOT_FOUND', id, 'deleted')
  })

  it('tells apart what had the same ID before', async () => {
    const first = await makeShirt(shop.admin, { weight: everywhere(1) }, { id: 'again' })
    const [made] = await readAudit(shop.admin, first.id)
    await send(shop.admin, 'DELETE', '/api/v1/records/again')
    await send(shop.admin, 'POST', '/api/v1/records', { id: 'again', schemaId: 'sch-plain', values: {} })
    assert.deepEqual(await readVersion(shop.admin, 'again', made!.version), first)
  })

  it('of a variant are its own values and its parent', async () => {
    const parent = await makeShirt(shop.admin, { weight: everywhere(1) })
    const variant = await makeShirt(shop.admin, { color: everywhere('red') }, { parentId: parent.id })
    const [made] = await readAudit(shop.admin, variant.id)
    await send(shop.admin, 'DELETE', `/api/v1/records/${parent.id}`)
    assert.deepEqual(await readVersion(shop.admin, variant.id, made!.version), variant)
  })

  it('leaves out attributes that the caller may not read, and takes records.read as every GET of a record does', async () => {
    const { id } = await makeShirt(shop.admin, {
      price: everywhere({ amount: 1, currency: 'EUR' }),
      weight: everywhere(1),
    })
    const [made] = await readAudit(shop.admin, id)
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { price: [], weight: [] } })
    assert.deepEqual((await readVersion(shop.clerk, id, made!.version)).values, { weight: everywhere(1) })
    const reader = await shop.clientWith(['records.read'])
    assert.equal((await readRecord(reader, id)).id, id)
    assert.equal((await readVersion(reader, id, made!.version)).id, id)
    const auditor = await shop.clientWith(['audit.read'])
    assertRefused(await send(auditor, 'GET', path(id, made!.version)), 'PERMISSION_DENIED', 'records.read')
  })

  it('is NOT_FOUND where there was no such version, and 400 where it is none', async () => {
    const other = await makeShirt(shop.admin, {})
    const { id } = await makeShirt(shop.admin, {})
    const [otherMade] = await readAudit(shop.admin, other.id)
    const [made] = await readAudit(shop.admin, id)
    for (const version of [otherMade!.version, made!.version + 1, Number.MAX_SAFE_INTEGER])
      assertRefused(await send(shop.admin, 'GET', path(id, version)), 'NOT_FOUND', id, String(version))
    assertRefused(await send(shop.admin, 'GET', path('gone', 1)), 'NOT_FOUND', 'Record', 'gone')
    for (const version of ['0', '-1', '1.5', 'x', '', '9007199254740993'])
      assertRefused(await send(shop.admin, 'GET', path(id, version)), 'VALIDATION_ERROR', 'version')
  })
})
