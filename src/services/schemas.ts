// The use cases of schemas. Decisions §3: what replacing one does to stored values is in `model-changes/`.
import type * as v from 'valibot'
import { conflict, invalid, notFound } from '../domain/errors.ts'
import { findGuardFault } from '../domain/guards.ts'
import { type Model, Schema } from '../domain/model.ts'
import { defineSchema, type SchemaDefinition, type SchemaInput } from '../domain/schemas.ts'
import { findJobUse } from '../domain/usage.ts'
import type { Store, Transaction } from '../storage/port.ts'
import type { System } from '../system.ts'
import type { Caller } from './caller.ts'
import { assertSchemaRests } from './model-changes/interference.ts'
import type { ModelChanges } from './model-changes/model-changes.ts'
import { replaceDefinition } from './model-changes/schema-replacement.ts'

type Input = v.InferOutput<typeof SchemaInput>

export function createSchemaService(deps: { store: Store; system: System; modelChanges: ModelChanges }) {
  const { store, system } = deps
  return {
    /** In the order of creation. */
    list: (_caller: Caller): Promise<SchemaDefinition[]> => store.read.schemas.list(),

    /** @throws NOT_FOUND */
    async get(_caller: Caller, id: string): Promise<SchemaDefinition> {
      const schema = await store.read.schemas.get(id)
      if (schema === undefined) throw notFound('Schema', id)
      return schema
    },

    /** @throws VALIDATION_ERROR naming the attribute and field, CONFLICT for an ID that exists */
    create: (_caller: Caller, input: Input): Promise<SchemaDefinition> =>
      store.transaction(async (tx) => {
        const now = system.now().toISOString()
        const identity = { id: input.id ?? system.newId('sch'), createdAt: now, updatedAt: now }
        const definition = defineWhole(input, identity, await tx.model())
        await tx.schemas.insert(definition)
        return definition
      }),

    /**
     * Replaces the definition. `dropValues`: stored values that fit no longer are removed; without it they prevent the
     * change.
     * @throws NOT_FOUND, VALIDATION_ERROR, CONFLICT naming the attribute whose values do not fit, or while the schema is
     * being changed already, PERMISSION_DENIED where values would be dropped that the caller may not write, UNAVAILABLE
     */
    replace: (caller: Caller, id: string, input: Input, dropValues: boolean): Promise<SchemaDefinition> =>
      replaceDefinition(deps, caller, { id, dropValues }, async (tx) => {
        const before = await tx.schemas.get(id)
        if (before === undefined) throw notFound('Schema', id)
        const model = await tx.model()
        const identity = { id, createdAt: before.createdAt, updatedAt: system.now().toISOString() }
        const definition = defineWhole(input, identity, model)
        if (definition.workflowId !== before.workflowId)
          await assertStatesKept(tx, model, before, definition.workflowId)
        return { before, after: definition }
      }),

    /** @throws NOT_FOUND, CONFLICT while it has records or an export job uses it */
    async delete(_caller: Caller, id: string): Promise<void> {
      await store.transaction(async (tx) => {
        if ((await tx.schemas.get(id)) === undefined) throw notFound('Schema', id)
        await assertSchemaRests(tx, id)
        const count = await tx.records.count({ schemaId: id })
        if (count > 0) throw conflict(`The schema '${id}' has ${count} record${count === 1 ? '' : 's'}`)
        const use = findJobUse(await tx.exportJobs.list(), (job) => job.schemaId === id)
        if (use !== undefined) throw conflict(`The schema '${id}' is used by ${use}`)
        await tx.schemas.delete(id)
      })
    },
  }
}

export type SchemaService = ReturnType<typeof createSchemaService>

/** The definition with everything checked, guards included. */
function defineWhole(
  input: Input,
  identity: { id: string; createdAt: string; updatedAt: string },
  model: Model,
): SchemaDefinition {
  const definition = defineSchema(input, identity, model)
  const fault = findGuardFault(new Schema(definition), model)
  if (fault !== undefined) throw invalid(fault)
  return definition
}

/** @throws CONFLICT where records are in a state that the new workflow does not have */
async function assertStatesKept(
  tx: Transaction,
  { workflows }: Model,
  schema: SchemaDefinition,
  workflowId: string,
): Promise<void> {
  const kept = new Set(workflows.get(workflowId)!.states.map((state) => state.id))
  for (const { id: stateId } of workflows.get(schema.workflowId)!.states) {
    if (kept.has(stateId)) continue
    const count = await tx.records.count({ schemaId: schema.id, lifecycleStateId: stateId })
    if (count > 0)
      throw conflict(
        `workflowId: records of the schema '${schema.id}' are in the state '${stateId}', which '${workflowId}' does not have`,
      )
  }
}
