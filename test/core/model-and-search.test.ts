// What the search index knows of a record follows the model: a change of data type, of dimensions or of segments is seen
// by the next search. Contract 2 §3, 2 §5.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SchemaInput } from '../../src/core/model/rules/schema.ts'
import type { QueryCriterion } from '../../src/core/search/rules/criterion.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../src/core/records/rules/record.ts'
import { parse } from '../../src/kernel/input/parse.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import type { Caller } from '../../src/core/accounts/caller.ts'
import type { Services } from '../../src/app/app-services.ts'
import { createDimensionService } from '../../src/core/model/dimensions.ts'
import { createRecordService } from '../../src/core/records/records.ts'
import { ModelChanges } from '../../src/core/model/changes/model-changes.ts'
import { createSchemaService } from '../../src/core/model/schemas.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { openTestedStore, type TestedStore } from '../helpers/tested-database.ts'

const admin: Caller = { id: 'usr-admin', kind: 'user', name: 'Admin', role: BUILT_IN_ROLES[0]! }
const global = (value: unknown) => [{ scope: {}, value }]
const dimensionOf = (id: string, ...segmentIds: string[]) => ({
  id,
  name: id,
  segments: segmentIds.map((segment) => ({ id: segment })),
})

describe('After a change of the model', () => {
  let store: TestedStore
  let schemas: Services['schemas']
  let dimensions: Services['dimensions']
  let records: Services['records']

  before(async () => {
    store = await openTestedStore()
    await store.transaction((tx) => tx.workflows.insert(DEFAULT_WORKFLOW))
    const log = createLog({ level: 'info', format: 'json', system, write: assert.fail })
    const modelChanges = new ModelChanges({ store, log })
    schemas = createSchemaService({ store, system, modelChanges, bulkRunner: { wake: assert.fail } })
    dimensions = createDimensionService({ store, system, modelChanges })
    records = createRecordService({ store, system, maxRecords: 0 })
    await dimensions.create(admin, dimensionOf('language', 'en', 'de'))
    await dimensions.create(admin, dimensionOf('market', 'eu', 'us'))
  })
  after(() => store.close())

  const schemaOf = (...attributes: object[]) => parse(SchemaInput, { name: 'S', attributes })
  const makeRecord = async (schemaId: string, values: Values, parentId: string | null = null): Promise<string> =>
    (await records.create(admin, { schemaId, parentId, values })).id

  /** IDs of the records that match. The index has seen everything before: what is found is found by it. */
  async function find(schemaId: string, ...criteria: QueryCriterion[]): Promise<string[]> {
    await store.whenIndexed()
    const find = { kind: 'criteria', criteria: { criteria, criteriaOperator: 'and' } } as const
    const { batches } = await store.read.search(
      { find, schemaId, role: admin.role, offset: 0, limit: null },
      new AbortController().signal,
    )
    const ids: string[] = []
    for await (const batch of batches) ids.push(...batch.map((record) => record.id))
    return ids
  }

  it('of data type, values are compared by the new one', async () => {
    const { id } = await schemas.create(admin, schemaOf({ alias: 'a', dataType: 'text' }))
    const record = await makeRecord(id, { a: global('2024-02-29') })
    assert.deepEqual(await find(id, { attributeAlias: 'a', operator: 'contains', value: '02-2' }), [record])
    await schemas.replace(admin, id, schemaOf({ alias: 'a', dataType: 'date' }), false)
    assert.deepEqual(await find(id, { attributeAlias: 'a', operator: 'gt', value: '2024-01-01' }), [record])
    assert.deepEqual(await find(id, { attributeAlias: 'a', operator: 'contains', value: '02-2' }), [])
  })

  it('that drops values, they are found no longer', async () => {
    const attributes = [
      { alias: 'a', dataType: 'text' },
      { alias: 'b', dataType: 'text' },
    ]
    const { id } = await schemas.create(admin, schemaOf(...attributes))
    const record = await makeRecord(id, { a: global('x') })
    assert.deepEqual(await find(id, { attributeAlias: 'a', operator: 'equals', value: 'x' }), [record])
    await schemas.replace(admin, id, schemaOf(attributes[1]!), true)
    await schemas.replace(admin, id, schemaOf(...attributes), false)
    assert.deepEqual(await find(id, { attributeAlias: 'a', operator: 'equals', value: 'x' }), [])
    assert.deepEqual(await find(id, { attributeAlias: 'a', operator: 'isEmpty' }), [record])
  })

  it('of the order of dimensions, a variant inherits what is in force now', async () => {
    const scoped = (...dimensionIds: string[]) => schemaOf({ alias: 'a', dataType: 'text', dimensionIds })
    const { id } = await schemas.create(admin, scoped('language', 'market'))
    const every = ['en', 'de'].map((language) => ({ scope: { language }, value: 'by language' }))
    const parent = await makeRecord(id, { a: [...every, { scope: { market: 'eu' }, value: 'by market' }] })
    const variant = await makeRecord(id, {}, parent)
    const byMarket = { attributeAlias: 'a', operator: 'equals', value: 'by market' } as const
    assert.deepEqual(await find(id, byMarket), [parent])
    await schemas.replace(admin, id, scoped('market', 'language'), false)
    assert.deepEqual(await find(id, byMarket), [parent, variant])
  })

  it('of segments, a variant inherits what is in force now', async () => {
    await dimensions.create(admin, dimensionOf('size', 's'))
    const { id } = await schemas.create(admin, schemaOf({ alias: 'a', dataType: 'text', dimensionIds: ['size'] }))
    const parent = await makeRecord(id, { a: global('parent') })
    const variant = await makeRecord(id, { a: [{ scope: { size: 's' }, value: 'own' }] }, parent)
    const fromParent = { attributeAlias: 'a', operator: 'equals', value: 'parent' } as const
    assert.deepEqual(await find(id, fromParent), [parent])
    await dimensions.replace(admin, 'size', dimensionOf('size', 's', 'm'))
    assert.deepEqual(await find(id, fromParent), [parent, variant])
    await dimensions.replace(admin, 'size', dimensionOf('size', 's'))
    assert.deepEqual(await find(id, fromParent), [parent])
  })
})
