// Variants: records that inherit the values of their parent. Contract 2 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  type AuditEntryBody,
  complete,
  type CompletenessBody,
  english,
  everywhere,
  german,
  makeShirt,
  readAudit,
  readRecord,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

describe('Creating a variant', () => {
  it('full records carry the parentId, which is null for records that are no variants', async () => {
    const parent = await makeShirt(shop.admin, {}, { parentId: null })
    const variant = await makeShirt(shop.admin, {}, { parentId: parent.id })
    assert.equal(parent.parentId, null)
    assert.equal(variant.parentId, parent.id)
    assert.equal((await readRecord(shop.admin, variant.id)).parentId, parent.id)
  })

  it('values in responses are its own', async () => {
    const parent = await makeShirt(shop.admin, { weight: everywhere(1), name: [english('Shirt')] })
    const variant = await makeShirt(shop.admin, { name: [german('Hemd')] }, { parentId: parent.id })
    assert.deepEqual((await readRecord(shop.admin, variant.id)).values, { name: [german('Hemd')] })
  })

  it('an unknown parent is refused, naming it', async () => {
    for (const parentId of ['ent-none', '__proto__']) {
      const answer = await send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-shirt', parentId, values: {} })
      assertRefused(answer, 'VALIDATION_ERROR', 'parentId', parentId)
    }
  })

  it('a parent of another schema is refused', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const answer = await send(shop.admin, 'POST', '/api/v1/records', {
      schemaId: 'sch-plain',
      parentId: id,
      values: {},
    })
    assertRefused(answer, 'VALIDATION_ERROR', 'parentId', id, 'sch-shirt')
  })

  it('a variant of a variant is refused', async () => {
    const parent = await makeShirt(shop.admin, {})
    const variant = await makeShirt(shop.admin, {}, { parentId: parent.id })
    const answer = await send(shop.admin, 'POST', '/api/v1/records', {
      schemaId: 'sch-shirt',
      parentId: variant.id,
      values: {},
    })
    assertRefused(answer, 'VALIDATION_ERROR', 'parentId', variant.id)
  })

  it('a record cannot be its own parent', async () => {
    const answer = await send(shop.admin, 'POST', '/api/v1/records', {
      id: 'self',
      schemaId: 'sch-shirt',
      parentId: 'self',
      values: {},
    })
    assertRefused(answer, 'VALIDATION_ERROR', 'parentId', 'self')
  })
})

describe('Inheritance', () => {
  async function score(id: string, stateId: string): Promise<CompletenessBody> {
    const path = `/api/v1/records/${id}/completeness?stateId=${stateId}`
    return (await send<CompletenessBody>(shop.admin, 'GET', path)).body
  }

  it('an inherited value fills a required field, combination by combination', async () => {
    const parent = await makeShirt(shop.admin, { name: [english('Shirt')] })
    const variant = await makeShirt(shop.admin, { name: [german('Hemd')] }, { parentId: parent.id })
    assert.deepEqual((await score(parent.id, 'state-review')).missing, [
      { attributeAlias: 'name', scope: { language: 'de' } },
    ])
    const own = await score(variant.id, 'state-review')
    assert.deepEqual([own.filled, own.total, own.percentage, own.missing], [2, 2, 100, []])
  })

  it('a value of its own goes before the inherited one, even an empty one', async () => {
    const parent = await makeShirt(shop.admin, { name: [english('Shirt'), german('Hemd')] })
    const variant = await makeShirt(shop.admin, { name: [english('')] }, { parentId: parent.id })
    assert.deepEqual((await score(variant.id, 'state-review')).missing, [
      { attributeAlias: 'name', scope: { language: 'en' } },
    ])
  })

  it('a guard is judged on inherited values', async () => {
    const parent = await makeShirt(shop.admin, { onSale: everywhere(true) })
    const variant = await makeShirt(shop.admin, {}, { parentId: parent.id })
    const other = await makeShirt(shop.admin, { onSale: everywhere(false) }, { parentId: parent.id })
    assert.equal((await score(variant.id, 'state-published')).total, 10)
    assert.equal((await score(other.id, 'state-published')).total, 8)
  })

  it('the gate of a transition counts inherited values, as they are now', async () => {
    const parent = await makeShirt(shop.admin, complete)
    const variant = await makeShirt(shop.admin, {}, { parentId: parent.id })
    const path = `/api/v1/records/${variant.id}/transition`
    assert.equal((await send(shop.admin, 'POST', path, { transitionId: 'tr-submit' })).status, 200)
    await send(shop.admin, 'PATCH', `/api/v1/records/${parent.id}/values/price`, { scopedValues: [] })
    assertRefused(await send(shop.admin, 'POST', path, { transitionId: 'tr-publish' }), 'TRANSITION_ERROR')
    await send(shop.admin, 'PATCH', `/api/v1/records/${parent.id}/values/price`, { scopedValues: complete.price })
    assert.equal((await send(shop.admin, 'POST', path, { transitionId: 'tr-publish' })).status, 200)
  })
})

describe('Deleting a record with variants', () => {
  it('removes all its variants, with an audit entry for each, variants first', async () => {
    const parent = await makeShirt(shop.admin, { weight: everywhere(1) })
    const variants = [
      await makeShirt(shop.admin, { sku: everywhere('V-1') }, { parentId: parent.id }),
      await makeShirt(shop.admin, { sku: everywhere('V-2') }, { parentId: parent.id }),
    ]
    const start = await send<{ cursor: string }>(shop.admin, 'GET', '/api/v1/changes?limit=1000')
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${parent.id}`)).status, 204)
    for (const { id } of [parent, ...variants])
      assertRefused(await send(shop.admin, 'GET', `/api/v1/records/${id}`), 'NOT_FOUND', id)
    const feed = await send<{ items: AuditEntryBody[] }>(
      shop.admin,
      'GET',
      `/api/v1/changes?after=${start.body.cursor}`,
    )
    assert.deepEqual(
      feed.body.items.map((entry) => [entry.entityId, entry.action]),
      [...variants, parent].map((record) => [record.id, 'delete']),
    )
    const [last] = await readAudit(shop.admin, variants[0]!.id)
    assert.deepEqual(last!.changes, [{ attributeAlias: 'sku', scope: {}, oldValue: 'V-1', newValue: null }])
    await makeShirt(shop.admin, { sku: everywhere('V-1') })
  })

  it('deleting a variant leaves its parent and its siblings', async () => {
    const parent = await makeShirt(shop.admin, {})
    const [one, two] = [
      await makeShirt(shop.admin, {}, { parentId: parent.id }),
      await makeShirt(shop.admin, {}, { parentId: parent.id }),
    ]
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${one.id}`)).status, 204)
    await readRecord(shop.admin, parent.id)
    await readRecord(shop.admin, two.id)
  })
})
