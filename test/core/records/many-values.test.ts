// Contract 2 §1: one write may bring megabytes of values. Other requests are answered while they are checked and written.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Services } from '../../../src/app/app-services.ts'
import type { Caller } from '../../../src/core/accounts/caller.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { createDimensionService } from '../../../src/core/model/dimensions.ts'
import { ModelChanges } from '../../../src/core/model/changes/model-changes.ts'
import { SchemaInput } from '../../../src/core/model/rules/schema.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { createSchemaService } from '../../../src/core/model/schemas.ts'
import { createRecordValuesService } from '../../../src/core/records/record-values.ts'
import { createRecordService } from '../../../src/core/records/records.ts'
import { parse } from '../../../src/kernel/input/parse.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import { createLog } from '../../../src/kernel/observing/log.ts'
import type { LongTransaction } from '../../../src/store/port.ts'
import { over } from '../../helpers/over.ts'
import { openTestedStore, type TestedStore } from '../../helpers/tested-database.ts'

const admin: Caller = { id: 'usr-admin', kind: 'user', name: 'Admin', role: BUILT_IN_ROLES[0]! }
const FEW = 9999
const MANY = 10_000
const SEGMENTS = 100

describe('A write', () => {
  let tested: TestedStore
  let records: Services['records']
  let values: Services['recordValues']
  let schemaId: string
  let pauses = 0

  before(async () => {
    tested = await openTestedStore()
    const counting = (tx: LongTransaction): LongTransaction => {
      const pause = (): Promise<void> => {
        pauses += 1
        return tx.pause()
      }
      return over<LongTransaction>(tx, { pause })
    }
    const store = over<TestedStore>(tested, {
      longTransaction: (work) => tested.longTransaction((tx) => work(counting(tx))),
    })
    await tested.transaction((tx) => tx.workflows.insert(DEFAULT_WORKFLOW))
    const log = createLog({ level: 'info', format: 'json', system, write: assert.fail })
    const modelChanges = new ModelChanges({ store: tested, log })
    const segments = Array.from({ length: SEGMENTS }, (_, index) => ({ id: `s${index}` }))
    const dimensions = createDimensionService({ store, system, modelChanges })
    for (const id of ['m', 'n']) await dimensions.create(admin, { id, name: id, segments })
    const schemas = createSchemaService({ store, system, modelChanges, bulkRunner: { wake: assert.fail } })
    const attributes = [{ alias: 'a', name: 'a', dataType: 'text', dimensionIds: ['m', 'n'] }]
    schemaId = (await schemas.create(admin, parse(SchemaInput, { name: 'S', attributes }))).id
    records = createRecordService({ store, system, maxRecords: 0 })
    values = createRecordValuesService({ store, system })
  })
  after(() => tested.close())

  const scoped = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => {
      const scope = { m: `s${index % SEGMENTS}`, n: `s${Math.floor(index / SEGMENTS)}` }
      return { scope, value: text }
    })
  const pausesOf = async (write: Promise<unknown>): Promise<number> => {
    pauses = 0
    await write
    return pauses
  }

  it('of many values lets other requests run between its steps, and is stored whole', async () => {
    const create = records.create(admin, { id: 'r', schemaId, values: { a: scoped(MANY, 'x') } })
    assert.ok((await pausesOf(create)) >= 4)
    assert.ok((await pausesOf(records.update(admin, 'r', { a: scoped(MANY, 'y') }, undefined))) >= 4)
    assert.ok((await pausesOf(values.replace(admin, 'r', 'a', scoped(MANY, 'z'), undefined))) >= 4)
    const { valuesJson } = await records.get(admin, 'r')
    assert.deepEqual(JSON.parse(valuesJson), { a: scoped(MANY, 'z') })
  })

  it('of few values has no pause, and shares its commit with others', async () => {
    const create = records.create(admin, { id: 'f', schemaId, values: { a: scoped(FEW, 'x') } })
    assert.equal(await pausesOf(create), 0)
    assert.equal(await pausesOf(records.update(admin, 'f', { a: scoped(FEW, 'y') }, undefined)), 0)
  })
})
