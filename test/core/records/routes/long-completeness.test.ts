// Completeness that is scored in a reader thread, since it may be long: the answers are the same.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  type CompletenessBody,
  everywhere,
  make,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

const PUBLISHED = ['state-published']
const row = Array.from({ length: 100 }, (_, index) => ({ id: `r${index}` }))
const column = Array.from({ length: 60 }, (_, index) => ({ id: `c${index}` }))

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, '/api/v1/dimensions', { id: 'row', name: 'Row', segments: row })
  await make(shop.admin, '/api/v1/dimensions', { id: 'column', name: 'Column', segments: column })
  const attributes = [
    { alias: 'wide', dataType: 'text', dimensionIds: ['row', 'column'], requiredInStateIds: PUBLISHED },
    { alias: 'price', dataType: 'text', requiredInStateIds: PUBLISHED },
  ]
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-long', name: 'Long', attributes })
})
after(() => shop.stop())

const path = (id: string, what: string) => `/api/v1/records/${id}/${what}`
const everyRow = (value: string, count = 100) =>
  row.slice(0, count).map((segment) => ({ scope: { row: segment.id }, value }))

async function makeLong(values: object, more: object = {}): Promise<string> {
  const { id } = await make<RecordBody>(shop.admin, '/api/v1/records', { schemaId: 'sch-long', values, ...more })
  await send(shop.admin, 'POST', path(id, 'transition'), { transitionId: 'tr-submit' })
  return id
}

function publish(client: Client, id: string) {
  return send<RecordBody>(client, 'POST', path(id, 'transition'), { transitionId: 'tr-publish' })
}

describe('A record with thousands of required fields', () => {
  it('is scored with every missing field in its order', async () => {
    const id = await makeLong({ wide: everyRow('x', 99), price: everywhere('1') })
    const answer = await send<CompletenessBody>(shop.viewer, 'GET', path(id, 'completeness?stateId=state-published'))
    assert.equal(answer.status, 200)
    const missing = column.map(({ id: segment }) => ({
      attributeAlias: 'wide',
      scope: { row: 'r99', column: segment },
    }))
    assert.deepEqual(answer.body, {
      entityId: id,
      lifecycleStateId: 'state-published',
      filled: 5941,
      total: 6001,
      percentage: 99,
      missing,
    })
    const empty = await makeLong({})
    const none = await send<CompletenessBody>(shop.admin, 'GET', path(empty, 'completeness?stateId=state-published'))
    assert.equal(none.body.missing.length, 6001)
    assert.deepEqual(none.body.missing.at(-1), { attributeAlias: 'price', scope: {} })
  })

  it('a variant is scored by what it inherits', async () => {
    const parentId = await makeLong({ wide: everywhere('x'), price: everywhere('1') })
    const id = await makeLong({ wide: [{ scope: { row: 'r1', column: 'c1' }, value: '' }] }, { parentId })
    const { body } = await send<CompletenessBody>(shop.admin, 'GET', path(id, 'completeness?stateId=state-published'))
    assert.deepEqual(
      [body.filled, body.missing],
      [6000, [{ attributeAlias: 'wide', scope: { row: 'r1', column: 'c1' } }]],
    )
    assertRefused(await publish(shop.admin, id), 'TRANSITION_ERROR', "'wide' (column=c1;row=r1) has no value")
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { wide: [] } })
    assert.equal((await publish(shop.admin, id)).status, 200)
  })

  it('passes its gate when it is complete, and not before; what is missing is listed up to a thousand', async () => {
    const id = await makeLong({ price: everywhere('1') })
    const listed = await send<{ id: string; reasons: string[]; missing: object[] }[]>(
      shop.editor,
      'GET',
      path(id, 'transitions'),
    )
    const [toPublished, back] = listed.body
    assert.deepEqual([toPublished!.reasons, toPublished!.missing.length], [['completeness'], 1000])
    assert.deepEqual([back!.reasons, back!.missing], [['role'], []])
    assertRefused(await publish(shop.editor, id), 'TRANSITION_ERROR', "'wide' (column=c0;row=r0)", 'and 5995 more')
    assertRefused(await publish(shop.viewer, id), 'TRANSITION_ERROR', 'role')
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { wide: everyRow('x') } })
    const moved = await publish(shop.editor, id)
    assert.deepEqual([moved.status, moved.body.lifecycleStateId], [200, 'state-published'])
  })

  it('shows a role nothing of what is hidden from it, and its gate counts it all the same', async () => {
    const blind = await shop.clientWith(['records.read'], { attributePermissions: { 'sch-long': { price: 'none' } } })
    const id = await makeLong({ wide: everywhere('x') })
    const { body } = await send<CompletenessBody>(blind, 'GET', path(id, 'completeness?stateId=state-published'))
    assert.deepEqual([body.filled, body.total, body.missing], [6000, 6000, []])
    const listed = await send<{ reasons: string[]; missing: object[] }[]>(blind, 'GET', path(id, 'transitions'))
    assert.deepEqual([listed.body[0]!.reasons, listed.body[0]!.missing], [['role', 'completeness'], []])
  })

  it('is moved by exactly one of those that try at once, whatever else is written meanwhile', async () => {
    const id = await makeLong({ wide: everywhere('x'), price: everywhere('1') })
    const rename = (name: string) =>
      send(shop.admin, 'PUT', '/api/v1/dimensions/market', {
        id: 'market',
        name,
        segments: [{ id: 'eu' }, { id: 'us' }],
      })
    const tries = Promise.all(Array.from({ length: 6 }, () => publish(shop.editor, id)))
    for (const name of ['One', 'Two', 'Three']) await rename(name)
    const statuses = (await tries).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
    assert.ok(
      statuses.every((status) => [200, 400, 503].includes(status)),
      statuses.join(),
    )
  })

  it('the gate sees what was written since it was scored', async () => {
    const id = await makeLong({ wide: everywhere('x'), price: everywhere('1') })
    const [moved] = await Promise.all([
      publish(shop.editor, id),
      send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { price: [] } }),
    ])
    const { body } = await send<RecordBody>(shop.admin, 'GET', `/api/v1/records/${id}`)
    assert.equal(body.lifecycleStateId, moved.status === 200 ? 'state-published' : 'state-review')
    const audit = await send<{ action: string }[]>(shop.admin, 'GET', path(id, 'audit'))
    const order = audit.body.map(({ action }) => action)
    // Taken in whichever order, never after the price was gone.
    if (moved.status === 200) assert.ok(order.indexOf('update') < order.indexOf('transition'), order.join())
  })
})
