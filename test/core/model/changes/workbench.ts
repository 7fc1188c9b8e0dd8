// The services that change the model and write records, on a real store in which changes can be made to stand still.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { PimletError } from '../../../../src/kernel/errors.ts'
import { BUILT_IN_ROLES, type Role } from '../../../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { SchemaInput } from '../../../../src/core/model/rules/schema.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'
import { createLog } from '../../../../src/kernel/observing/log.ts'
import type { Caller } from '../../../../src/core/accounts/caller.ts'
import type { Services } from '../../../../src/app/app-services.ts'
import { createDimensionService } from '../../../../src/core/model/dimensions.ts'
import { createLifecycleService } from '../../../../src/core/records/transitions.ts'
import { ModelChanges } from '../../../../src/core/model/changes/model-changes.ts'
import { createRecordService } from '../../../../src/core/records/records.ts'
import { createSchemaService } from '../../../../src/core/model/schemas.ts'
import { createWorkflowService } from '../../../../src/core/model/workflows.ts'
import type { StoredRecord } from '../../../../src/store/record-port.ts'
import { system } from '../../../../src/kernel/machine/system.ts'
import { type HeldStore, holdStore } from '../../../helpers/held-store.ts'
import { makeTempDirectory } from '../../../helpers/temp-directory.ts'
import { openTestedStore } from '../../../helpers/tested-database.ts'

export const admin: Caller = { id: 'usr-admin', kind: 'user', name: 'Admin', role: BUILT_IN_ROLES[0]! }
export const callerOf = (role: Role): Caller => ({ ...admin, id: 'usr-other', role })

/** Whether an error is a CONFLICT that names all of it. */
export const conflict =
  (...named: string[]) =>
  (error: unknown): boolean =>
    error instanceof PimletError && error.code === 'CONFLICT' && named.every((name) => error.message.includes(name))

export const everywhere = (value: unknown) => [{ scope: {}, value }]
export const text = (alias: string, more: object = {}): object => ({ alias, dataType: 'text', ...more })
export const schemaOf = (...attributes: object[]) => parse(SchemaInput, { name: 'S', attributes })

export interface Workbench extends Pick<Services, 'schemas' | 'dimensions' | 'workflows' | 'records' | 'lifecycle'> {
  readonly store: HeldStore
  readonly modelChanges: ModelChanges
  /** A schema with a record for each of the values. */
  makeSchema(
    attributes: object[],
    ...values: Values[]
  ): Promise<{ schema: { readonly id: string }; records: StoredRecord[] }>
  valuesOf(record: StoredRecord): Promise<Values>
  /** The stage of the change that is under way. */
  stage(): Promise<string | undefined>
  /** Another server on the same workspace, after this one has stopped. */
  restart(): Promise<Workbench>
}

export async function openWorkbench(test: Pick<TestContext, 'after'>): Promise<Workbench> {
  const bench = await openOn(makeTempDirectory(), test)
  await bench.store.transaction(async (tx) => {
    await tx.workflows.insert(DEFAULT_WORKFLOW)
    for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
  })
  for (const id of ['language', 'market'])
    await bench.dimensions.create(admin, { id, name: id, segments: [{ id: 'one' }, { id: 'two' }] })
  return bench
}

async function openOn(directory: string, test: Pick<TestContext, 'after'>): Promise<Workbench> {
  const opened = await openTestedStore(directory)
  const store = holdStore(opened)
  const log = createLog({ level: 'info', format: 'json', system, write: () => undefined })
  const modelChanges = new ModelChanges({ store, log, retryAfter: 20 })
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => (stopping ??= stopNow())
  async function stopNow(): Promise<void> {
    const stopped = modelChanges.stop()
    store.release()
    await stopped
    await opened.close()
  }
  test.after(stop)
  // None of the schemas has so many records that a job changes them.
  const bulkRunner = { wake: assert.fail }
  const deps = { store, system, modelChanges, maxRecords: 0, bulkRunner }
  const [schemas, records] = [createSchemaService(deps), createRecordService(deps)]
  return {
    store,
    modelChanges,
    schemas,
    records,
    dimensions: createDimensionService(deps),
    workflows: createWorkflowService(deps),
    lifecycle: createLifecycleService(deps),
    async makeSchema(attributes, ...values) {
      const schema = await schemas.create(admin, schemaOf(...attributes))
      const made = await Promise.all(values.map((each) => records.create(admin, { schemaId: schema.id, values: each })))
      return { schema, records: made }
    },
    valuesOf: async ({ id }) => JSON.parse((await records.get(admin, id)).valuesJson) as Values,
    stage: async () => (await store.read.modelChanges.list())[0]?.stage,
    async restart() {
      await stop()
      const next = await openOn(directory, test)
      await next.modelChanges.recover()
      return next
    },
  }
}
