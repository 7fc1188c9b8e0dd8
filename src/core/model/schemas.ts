// The use cases of schemas. `changes/` has the effects of replacing a schema on stored values. Contract 2 §3.
import type * as v from 'valibot'
import type { ExportJob } from '../../exports/rules/export-job.ts'
import type { Attribute } from './rules/attributes.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { findGuardFault } from './rules/guards.ts'
import { assertMayGuard, showGuards } from './rules/hidden-rules.ts'
import type { ModelEffects } from './rules/model-preview.ts'
import { type Model, Schema, type SchemaDefinition } from './rules/model.ts'
import { pictureSchema } from './rules/picture-schema.ts'
import { defineSchema, type SchemaInput } from './rules/schema.ts'
import { asksFor, findProfileUse, findReferringAttribute, findSubscriptionUse } from './rules/usage.ts'
import type { DocumentText } from '../../store/document-port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { canReadAll, type Role } from '../accounts/rules/permissions.ts'
import type { BulkJob } from '../jobs/rules/bulk-job.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { findJobUse, searchOf } from './job-uses.ts'
import { type ModelChanger, noteModelChange } from './model-entries.ts'
import { assertSchemaRests } from './changes/interference.ts'
import type { ModelChanges } from './changes/model-changes.ts'
import { replaceDefinition } from './changes/schema-replacement.ts'

type Input = v.InferOutput<typeof SchemaInput>
type ShownSchema = ReturnType<typeof showGuards<SchemaDefinition>>

export function createSchemaService(deps: {
  store: Store
  system: System
  modelChanges: ModelChanges
  /** Begins jobs that wait. */
  bulkRunner: { wake(): void }
}) {
  const { store, system } = deps

  async function insert(tx: Transaction, caller: Caller, inputFor: (model: Model) => Input): Promise<ShownSchema> {
    const now = system.now().toISOString()
    const model = await tx.model()
    const input = inputFor(model)
    const identity = { id: input.id ?? system.newId('sch'), createdAt: now, updatedAt: now }
    const definition = defineWhole(caller, input, identity, [], model)
    await tx.schemas.insert(definition)
    noteModelChange(tx, system, caller, { entityType: 'schema', after: definition })
    return keepAnswer(tx, caller, showGuards(definition, caller.role))
  }

  return {
    /** In the order of creation. */
    async list({ role }: Caller): Promise<Iterable<string>> {
      return shownTexts(await store.read.schemas.texts(), role, showGuards)
    },

    /** @throws NOT_FOUND */
    async get({ role }: Caller, id: string): Promise<ShownSchema> {
      const schema = await store.read.schemas.find(id)
      return showGuards(schema, role)
    },

    /**
     * @throws VALIDATION_ERROR naming the attribute and field
     * @throws PERMISSION_DENIED for a guard on an attribute that is hidden from the caller
     * @throws CONFLICT for an ID that exists
     */
    create: (caller: Caller, input: Input): Promise<ShownSchema> =>
      store.transaction((tx) => insert(tx, caller, () => input)),

    /** Creates a schema for pictures. @throws CONFLICT for an ID that exists */
    createForPictures: (caller: Caller, input: Parameters<typeof pictureSchema>[0]): Promise<ShownSchema> =>
      store.transaction((tx) => insert(tx, caller, ({ dimensions }) => pictureSchema(input, [...dimensions.values()]))),

    /**
     * Replaces the definition; if many records must change, a bulk job does the work. With `dropValues` stored values that
     * no longer fit are removed; without it they prevent the change.
     * @throws NOT_FOUND, VALIDATION_ERROR, UNAVAILABLE
     * @throws CONFLICT naming the attribute whose values do not fit, or while the schema is being changed already
     * @throws PERMISSION_DENIED for dropped values that the caller may not write
     * @throws PERMISSION_DENIED for a guard on an attribute that is hidden from the caller
     */
    async replace(caller: Caller, id: string, input: Input, dropValues: boolean): Promise<ReplacedSchema> {
      const replaced = await replaceDefinition(deps, caller, { id, dropValues }, async (tx) => {
        const before = await tx.schemas.find(id)
        const model = await tx.model()
        const identity = { id, createdAt: before.createdAt, updatedAt: system.now().toISOString() }
        const definition = defineWhole(caller, input, identity, before.attributes, model)
        if (definition.workflowId !== before.workflowId)
          await assertStatesKept(tx, model, before, definition.workflowId)
        return { before, after: definition }
      })
      if ('definition' in replaced) return { schema: showGuards(replaced.definition, caller.role) }
      deps.bulkRunner.wake()
      return replaced
    },

    /**
     * Previews the effects of a new definition on stored records; nothing is changed.
     * @throws NOT_FOUND, VALIDATION_ERROR, PERMISSION_DENIED as `replace`; UNAVAILABLE if the preview exceeds its time
     */
    async preview(caller: Caller, id: string, input: Input, signal: AbortSignal): Promise<ModelEffects> {
      const schema = await store.snapshot(async (reads) => {
        const before = await reads.schemas.find(id)
        return defineWhole(caller, input, before, before.attributes, await reads.model())
      })
      return store.read.preview({ schema, schemaIds: [id], role: caller.role, callerId: caller.id }, signal)
    },

    /**
     * @throws NOT_FOUND, CONFLICT while the schema has records, or an attribute, an export job, an import profile or a
     * subscription uses it
     */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction((tx) => removeSchema(tx, { system, caller }, id)),
  }
}

/** @throws as deleting a schema does */
export async function removeSchema(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  id: string,
): Promise<void> {
  const before = await tx.schemas.find(id)
  await assertSchemaRests(tx, id)
  const count = await tx.records.count({ schemaId: id })
  if (count > 0) throw conflict(`The schema '${id}' has ${count} record${count === 1 ? '' : 's'}`)
  const use = await findUse(tx, id)
  if (use !== undefined) throw conflict(`The schema '${id}' is used by ${use}`)
  await tx.schemas.delete(id)
  noteModelChange(tx, system, caller, { entityType: 'schema', before, origin })
}

/** A user of the schema, for a message, or undefined. */
async function findUse(tx: Transaction, id: string): Promise<string | undefined> {
  // Future definitions also count, because the deleted schema could not be restored.
  const coming = (await tx.modelChanges.list()).flatMap((change) => (change.kind === 'schema' ? [change.after] : []))
  const isExported = async (job: ExportJob): Promise<boolean> =>
    job.schemaId === id || (await searchOf(tx, job))?.schemaId === id
  return (
    findReferringAttribute([...(await tx.schemas.list()), ...coming], id) ??
    (await findJobUse(tx, isExported)) ??
    findProfileUse(await tx.importProfiles.list(), id) ??
    findSubscriptionUse(await tx.subscriptions.list(), (subscription) => asksFor(subscription, id))
  )
}

/** The new schema, or the job that will change the schema. */
export type ReplacedSchema = { readonly schema: ShownSchema } | { readonly job: BulkJob }

/** The JSON of each schema as `show` shows it to the role, made on demand: hundreds of schemas have megabytes. */
export function* shownTexts(
  schemas: Iterable<DocumentText>,
  role: Role,
  show: (schema: SchemaDefinition, role: Role) => object,
): Generator<string, void> {
  for (const { id, document } of schemas)
    yield canReadAll(role, id) ? document : JSON.stringify(show(JSON.parse(document) as SchemaDefinition, role))
}

/** Returns the checked definition with its guards. Guards that are hidden from the caller come from `stored`. */
function defineWhole(
  { role }: Caller,
  input: Input,
  identity: { id: string; createdAt: string; updatedAt: string },
  stored: readonly Attribute[],
  model: Model,
): SchemaDefinition {
  assertMayGuard(input.attributes, role, identity.id)
  const definition = defineSchema(input, identity, model, stored)
  const fault = findGuardFault(new Schema(definition), model)
  if (fault !== undefined) throw invalid(fault)
  return definition
}

/** @throws CONFLICT if records are in a state that the new workflow does not have */
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
