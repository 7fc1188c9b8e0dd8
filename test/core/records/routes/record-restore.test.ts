// POST /api/v1/records/:id/restore: values of an earlier version, and deleted records.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  complete,
  english,
  everywhere,
  german,
  make,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'
import { assertSound } from '../../../helpers/soundness.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  for (const id of ['ctg-1', 'ctg-2', 'ctg-gone'])
    await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name: id })
})
after(async () => {
  await shop.stop()
  await assertSound(shop.dataDir)
})

const restore = (client: Client, id: string, body: object, headers?: Record<string, string>) =>
  send<RecordBody>(client, 'POST', `/api/v1/records/${id}/restore`, body, headers)
async function restored(client: Client, id: string, body: object): Promise<RecordBody> {
  const answer = await restore(client, id, body)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, await readRecord(client, id))
  return answer.body
}
const put = (id: string, values: object, client = shop.admin) =>
  send(client, 'PUT', `/api/v1/records/${id}`, { values })
async function versionsOf(id: string): Promise<number[]> {
  return (await readAudit(shop.admin, id)).map(({ version }) => version)
}
const remove = async (id: string) =>
  assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)).status, 204)

describe('POST /api/v1/records/:id/restore', () => {
  it('writes the values of a version again, as a change like any other', async () => {
    const first = await makeShirt(shop.admin, { name: [german('Hemd'), english('Shirt')], weight: everywhere(1) })
    const { id } = first
    await put(id, { name: [german('Oberhemd')], weight: [], color: everywhere('red') })
    await send(shop.admin, 'POST', `/api/v1/records/${id}/transition`, { transitionId: 'tr-submit' })
    const [newest] = await versionsOf(id)
    const after = await restored(shop.admin, id, { version: (await versionsOf(id)).at(-1) })
    assert.deepEqual(after.values, first.values)
    assert.equal(after.lifecycleStateId, 'state-review', 'the state stays')
    const [entry] = await readAudit(shop.admin, id)
    assert.deepEqual([entry!.action, entry!.origin], ['update', { kind: 'restore' }])
    assert.ok(entry!.version > newest!)
    assert.equal(entry!.changes.length, 4)
  })

  it('restores some attributes, and some scopes', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('a'), german('b')], weight: everywhere(1) })
    const [version] = await versionsOf(id)
    await put(id, { name: [english('c'), german('d')], weight: everywhere(2) })
    const one = await restored(shop.admin, id, { version, scopes: [{ language: 'de' }] })
    assert.deepEqual(one.values['name'], [english('c'), german('b')])
    assert.deepEqual(one.values['weight'], everywhere(2))
    const other = await restored(shop.admin, id, { version, attributeAliases: ['weight'] })
    assert.deepEqual([other.values['weight'], other.values['name']], [everywhere(1), one.values['name']])
    await restored(shop.admin, id, { version, attributeAliases: [] })
    assert.deepEqual((await readAudit(shop.admin, id))[0]!.changes, [])
  })

  it('is checked as any write is: unique values, rules of today, references, If-Match', async () => {
    const { id } = await makeShirt(shop.admin, { sku: everywhere('R-1') })
    const [version] = await versionsOf(id)
    await put(id, { sku: [] })
    const other = await makeShirt(shop.admin, { sku: everywhere('R-1') })
    assertRefused(await restore(shop.admin, id, { version }), 'CONFLICT', 'sku')
    await remove(other.id)
    const stale = await restore(shop.admin, id, { version }, { 'if-match': `"${version}"` })
    assertRefused(stale, 'PRECONDITION_FAILED')
    const [now] = await versionsOf(id)
    assert.equal((await restore(shop.admin, id, { version }, { 'if-match': `"${now}"` })).status, 200)

    const target = await makeShirt(shop.admin, {})
    await put(id, { related: everywhere(target.id) })
    const [referring] = await versionsOf(id)
    await put(id, { related: [] })
    await remove(target.id)
    assertRefused(await restore(shop.admin, id, { version: referring }), 'VALIDATION_ERROR', 'related', target.id)
  })

  it('leaves attributes alone that the caller may not read, and writes none that it may not write', async () => {
    const price = everywhere({ amount: 1, currency: 'EUR' })
    const { id } = await makeShirt(shop.admin, { price, weight: everywhere(1) })
    const [version] = await versionsOf(id)
    await put(id, { price: [], weight: [] })
    assert.deepEqual((await restored(shop.clerk, id, { version })).values, { weight: everywhere(1) })
    assert.equal((await readRecord(shop.admin, id)).values['price'], undefined)
    const refused = await restore(shop.clerk, id, { version, attributeAliases: ['price'] })
    assertRefused(refused, 'PERMISSION_DENIED', 'price')
    const unchanged = await restore(shop.clerk, id, { version, attributeAliases: ['constructor'] })
    assertRefused(unchanged, 'PERMISSION_DENIED', 'constructor')
    await put(id, { sku: everywhere('R-2') })
    assertRefused(await restore(shop.clerk, id, { version }), 'PERMISSION_DENIED', 'sku')
  })

  it('brings a deleted record back whole, with what still exists', async () => {
    const { id } = await makeShirt(shop.editor, complete)
    for (const transitionId of ['tr-submit', 'tr-publish'])
      await send(shop.admin, 'POST', `/api/v1/records/${id}/transition`, { transitionId })
    const places = ['ctg-1', 'ctg-gone', 'ctg-2'].map((categoryId, index) => ({ categoryId, sortOrder: index + 0.5 }))
    await send(shop.admin, 'PUT', `/api/v1/records/${id}/categories`, places)
    const last = await readRecord(shop.admin, id)
    const [version] = await versionsOf(id)
    await remove(id)
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/categories/ctg-gone')).status, 204)
    const [deletion] = await versionsOf(id)

    const back = await restored(shop.admin, id, { version })
    const { updatedAt, updatedBy, ...same } = last
    assert.deepEqual({ ...back, updatedAt, updatedBy }, { ...same, updatedAt, updatedBy })
    assert.notEqual(back.updatedBy, back.createdBy)
    const assigned = await send<object[]>(shop.admin, 'GET', `/api/v1/records/${id}/categories`)
    assert.deepEqual(assigned.body, [
      { entityId: id, categoryId: 'ctg-1', sortOrder: 0.5 },
      { entityId: id, categoryId: 'ctg-2', sortOrder: 2.5 },
    ])
    const entries = (await readAudit(shop.admin, id)).filter((entry) => entry.version > deletion!)
    assert.deepEqual(
      entries.map(({ action, origin }) => [action, origin.kind]),
      [
        ['update', 'restore'],
        ['transition', 'restore'],
        ['create', 'restore'],
      ],
    )
    const found = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search', {
      criteria: [{ attributeAlias: 'description', operator: 'equals', value: 'Cotton' }],
      criteriaOperator: 'and',
    })
    assert.ok(found.body.some((record) => record.id === id))
    assertRefused(await restore(shop.admin, id, { version: deletion }), 'NOT_FOUND', id, 'deleted')
  })

  it('brings a variant back below its parent, and without one where that is gone', async () => {
    const parent = await makeShirt(shop.admin, {})
    const variant = await makeShirt(shop.admin, { weight: everywhere(1) }, { parentId: parent.id })
    const [version] = await versionsOf(variant.id)
    await remove(variant.id)
    assert.equal((await restored(shop.admin, variant.id, { version })).parentId, parent.id)
    await remove(parent.id)
    assert.equal((await restored(shop.admin, variant.id, { version })).parentId, null)
  })

  it('of a deleted record takes records.create, and categories.write for its categories', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    const [bare] = await versionsOf(id)
    await send(shop.admin, 'PUT', `/api/v1/records/${id}/categories`, [{ categoryId: 'ctg-1' }])
    const [version] = await versionsOf(id)
    const updater = await shop.clientWith(['records.read', 'records.update'])
    const creator = await shop.clientWith(['records.read', 'records.create'])
    assertRefused(await restore(creator, id, { version: bare }), 'PERMISSION_DENIED', 'records.update')
    await restored(updater, id, { version: bare })
    await remove(id)
    assertRefused(await restore(updater, id, { version }), 'PERMISSION_DENIED', 'records.create')
    assertRefused(await restore(creator, id, { version }), 'PERMISSION_DENIED', 'categories.write')
    const match = { 'if-match': `"${version}"` }
    assertRefused(await restore(shop.admin, id, { version }, match), 'PRECONDITION_FAILED', 'deleted')
    assert.equal((await restored(creator, id, { version: bare })).id, id)
    assertRefused(await restore(shop.anonymous, id, { version }), 'UNAUTHORIZED')
    for (const client of [shop.stranger, shop.viewer])
      assertRefused(await restore(client, id, { version }), 'PERMISSION_DENIED', 'records.update', 'records.create')
  })

  it('of a deleted record tells nothing of values that the caller may not write', async () => {
    const target = await makeShirt(shop.admin, {})
    const { id } = await makeShirt(shop.admin, { related: everywhere(target.id) })
    const [version] = await versionsOf(id)
    for (const gone of [id, target.id]) await remove(gone)
    const creator = await shop.clientWith(['records.read', 'records.create'], {
      attributePermissions: { 'sch-shirt': { related: 'none' } },
    })
    const refused = await restore(creator, id, { version })
    assertRefused(refused, 'PERMISSION_DENIED', 'related')
    assert.ok(!refused.text.includes(target.id))
  })

  it('does not tell whether a version had a value of a hidden attribute that is gone', async () => {
    const schema = { id: 'sch-gone', name: 'G', attributes: [{ alias: 'gone', dataType: 'text' }] }
    await make(shop.admin, '/api/v1/schemas', schema)
    const reader = await shop.clientWith(['records.read', 'records.update'], {
      attributePermissions: { 'sch-gone': { gone: 'none' } },
    })
    const values = [{ gone: everywhere('secret') }, {}]
    const made = await Promise.all(
      values.map((own) => make<RecordBody>(shop.admin, '/api/v1/records', { schemaId: 'sch-gone', values: own })),
    )
    const versions = await Promise.all(made.map(({ id }) => versionsOf(id)))
    const path = '/api/v1/schemas/sch-gone?dropValues=true'
    assert.equal((await send(shop.admin, 'PUT', path, { name: 'G', attributes: [] })).status, 200)
    for (const [n, { id }] of made.entries()) {
      const body = { version: versions[n]!.at(-1), attributeAliases: ['gone'] }
      assertRefused(await restore(reader, id, body), 'PERMISSION_DENIED', 'gone')
    }
  })

  it('refuses what names no version, no attribute and no scope, and other schemas', async () => {
    const { id } = await makeShirt(shop.admin, {}, { id: 'reused' })
    const [version] = await versionsOf(id)
    const refuse = async (body: object, ...named: string[]) =>
      assertRefused(await restore(shop.admin, id, body), 'VALIDATION_ERROR', ...named)
    await refuse({}, 'version')
    for (const wrong of [0, 1.5, '1', null]) await refuse({ version: wrong }, 'version')
    await refuse({ version, attributeAliases: 'name' }, 'attributeAliases')
    await refuse({ version, attributeAliases: ['nme'] }, 'attributeAliases', 'nme')
    await refuse({ version, attributeAliases: Array(1001).fill('name') }, 'attributeAliases', '1000')
    await refuse({ version, scopes: {} }, 'scopes')
    await refuse({ version, scopes: Array.from({ length: 1001 }, () => ({})) }, 'scopes', '1000')
    await refuse({ version, scopes: [{}, { language: 'xx' }] }, 'scopes[1].language')
    await refuse({ version, scopes: [{ size: 'xl' }] }, 'scopes[0]', 'size')
    await refuse({ version, scopes: ['de'] }, 'scopes[0]')
    assertRefused(await restore(shop.admin, id, { version: version! + 1 }), 'NOT_FOUND', id)
    assertRefused(await restore(shop.admin, 'gone', { version: 1 }), 'NOT_FOUND', 'Record', 'gone')
    await remove(id)
    await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-plain', values: {} })
    await refuse({ version }, 'version', 'sch-shirt')
  })
})

it('a record comes back only where there is room for it', async () => {
  const small = await startWorkspace({ maxRecords: 1 })
  const { id } = await makeShirt(small.admin, {})
  const [made] = await readAudit(small.admin, id)
  await send(small.admin, 'DELETE', `/api/v1/records/${id}`)
  const other = await makeShirt(small.admin, {})
  assertRefused(await restore(small.admin, id, { version: made!.version }), 'LIMIT_EXCEEDED', '1')
  await send(small.admin, 'DELETE', `/api/v1/records/${other.id}`)
  assert.equal((await restore(small.admin, id, { version: made!.version })).status, 200)
  await small.stop()
})
