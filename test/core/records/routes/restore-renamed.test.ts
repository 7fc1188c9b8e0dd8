// Restoring versions that are older than a renaming of an attribute. Contract 3 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../../../helpers/bulk-jobs.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  everywhere,
  make,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const text = (alias: string) => ({ alias, dataType: 'text' })
async function makeSchema(id: string, ...aliases: string[]): Promise<void> {
  await make(shop.admin, '/api/v1/schemas', { id, name: id, attributes: aliases.map(text) })
}
const makeRecord = (schemaId: string, values: ValuesBody): Promise<RecordBody> =>
  make(shop.admin, '/api/v1/records', { schemaId, values })
async function rename(schemaId: string, from: string, to: string): Promise<void> {
  const path = `/api/v1/schemas/${schemaId}/rename-attribute`
  const { body } = await send<BulkJobBody>(shop.admin, 'POST', path, { from, to })
  assert.equal((await untilEnded(shop.admin, body.id)).status, 'succeeded')
}
const versionOf = async (id: string): Promise<number> => (await readAudit(shop.admin, id))[0]!.version
const put = (id: string, values: ValuesBody) => send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values })
const restore = (client: Client, id: string, body: object) =>
  send<RecordBody>(client, 'POST', `/api/v1/records/${id}/restore`, body)
async function restored(client: Client, id: string, body: object): Promise<ValuesBody> {
  const answer = await restore(client, id, body)
  assert.equal(answer.status, 200, answer.text)
  return (await readRecord(shop.admin, id)).values
}

/** Opens the attribute to the one role that has permissions for attributes of the schema. */
async function openAttribute(schemaId: string, alias: string): Promise<void> {
  interface RoleBody {
    id: string
    attributePermissions: Record<string, Record<string, string>>
  }
  const { body: roles } = await send<RoleBody[]>(shop.admin, 'GET', '/api/v1/roles')
  const { id, ...role } = roles.find(({ attributePermissions }) => schemaId in attributePermissions)!
  const attributePermissions = { [schemaId]: { ...role.attributePermissions[schemaId], [alias]: 'write' } }
  const answer = await send(shop.admin, 'PUT', `/api/v1/roles/${id}`, { ...role, attributePermissions })
  assert.equal(answer.status, 200, answer.text)
}

describe('Restoring a version that is older than a renaming', () => {
  it('writes values to the attribute under its present alias, also if the record had none at the renaming', async () => {
    await makeSchema('sch-twice', 'first', 'other')
    const { id } = await makeRecord('sch-twice', { first: everywhere('a'), other: everywhere('o') })
    const version = await versionOf(id)
    await rename('sch-twice', 'first', 'second')
    await put(id, { second: [], other: everywhere('p') })
    await rename('sch-twice', 'second', 'third')
    const past = await send<RecordBody>(shop.admin, 'GET', `/api/v1/records/${id}?version=${version}`)
    assert.deepEqual(past.body.values, { first: everywhere('a'), other: everywhere('o') })
    assert.deepEqual(await restored(shop.admin, id, { version }), {
      third: everywhere('a'),
      other: everywhere('o'),
    })
  })

  it('takes the alias of the version, and the present alias', async () => {
    await makeSchema('sch-named', 'old', 'other')
    const { id } = await makeRecord('sch-named', { old: everywhere('a'), other: everywhere('o') })
    const version = await versionOf(id)
    await rename('sch-named', 'old', 'new')
    for (const alias of ['old', 'new']) {
      await put(id, { new: everywhere('b'), other: everywhere('p') })
      const values = await restored(shop.admin, id, { version, attributeAliases: [alias] })
      assert.deepEqual(values, { new: everywhere('a'), other: everywhere('p') })
    }
  })

  it('brings a deleted record back', async () => {
    await makeSchema('sch-back', 'old')
    const { id } = await makeRecord('sch-back', { old: everywhere('a') })
    const version = await versionOf(id)
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    await rename('sch-back', 'old', 'new')
    assert.deepEqual(await restored(shop.admin, id, { version }), { new: everywhere('a') })
  })

  it('is refused where the attribute was removed, also if another one was added in the same change', async () => {
    await makeSchema('sch-gone', 'old', 'other')
    const { id } = await makeRecord('sch-gone', { old: everywhere('a'), other: everywhere('o') })
    const version = await versionOf(id)
    const schema = { name: 'sch-gone', attributes: [text('other'), { ...text('new'), name: 'New' }] }
    const change = await send(shop.admin, 'PUT', '/api/v1/schemas/sch-gone?dropValues=true', schema)
    assert.equal(change.status, 200, change.text)
    assertRefused(await restore(shop.admin, id, { version }), 'VALIDATION_ERROR', 'old')
  })

  it('leaves an attribute alone whose earlier values the role may not read', async () => {
    await makeSchema('sch-hidden', 'old', 'other')
    const { id } = await makeRecord('sch-hidden', { old: everywhere('secret'), other: everywhere('o') })
    const version = await versionOf(id)
    const permissions = ['records.read', 'records.update', 'records.create'] as const
    const clerk = await shop.clientWith(permissions, { attributePermissions: { 'sch-hidden': { old: 'none' } } })
    await rename('sch-hidden', 'old', 'new')
    await put(id, { new: everywhere('b'), other: everywhere('p') })
    await openAttribute('sch-hidden', 'new')
    for (const alias of ['old', 'new'])
      assertRefused(await restore(clerk, id, { version, attributeAliases: [alias] }), 'PERMISSION_DENIED', alias)
    assert.deepEqual(await restored(clerk, id, { version }), { new: everywhere('b'), other: everywhere('o') })
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    assertRefused(await restore(clerk, id, { version }), 'PERMISSION_DENIED', 'new')
  })
})
