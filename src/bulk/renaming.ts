// Gives an attribute another alias: first in the values of all records, then at once in the schema and all references.
// Until then, the noted model change refuses writes to the attribute. Contract 3 §2.
import { renameInPreset } from '../files/rules/presets.ts'
import { renameInTemplate } from '../product-sheets/rules/sheet-template.ts'
import { renameInMapping } from '../imports/rules/import-profile.ts'
import { isZipMapping, renameInZipMapping, type UploadPlan } from '../imports/rules/zip-mapping.ts'
import {
  assertCanRename,
  type AttributeRenaming,
  extendRole,
  renameInJob,
  renameInQuery,
  renameInRole,
  renameInSchema,
  renameInSelection,
  renameInValues,
} from '../core/model/rules/attribute-renaming.ts'
import type { BulkJob } from '../core/jobs/rules/bulk-job.ts'
import { type ChangeOrigin, diffValues } from '../core/records/rules/changes.ts'
import { changeId } from '../core/model/rules/model-change.ts'
import { type Model, Schema, type SchemaDefinition } from '../core/model/rules/model.ts'
import { valueLinks, uniqueKeys } from '../core/values/values.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import { eachOf } from '../store/each-of.ts'
import type { LongTransaction, Transaction } from '../store/port.ts'
import type { StoredRecord } from '../store/record-port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { assertSchemaRests } from '../core/model/changes/interference.ts'
import { noteJobChange, noteModelChange } from '../core/model/model-entries.ts'
import { appendAudit } from '../core/records/record-writing.ts'
import type { Judge, JudgeContext, Judged } from './job-step.ts'
import { parseValues } from '../core/records/rules/record.ts'

/**
 * A schema with at most this many records is renamed in one transaction. Larger ones are renamed record by record while
 * other writers continue.
 */
const AT_ONCE = 1000
/** Comments between two pauses. */
const COMMENTS_AT_ONCE = 100

/**
 * Notes the change. From now on nobody can write the attribute, and permissions for the old alias apply to the new one.
 * @throws NOT_FOUND, VALIDATION_ERROR, CONFLICT for an alias that is taken, and while the schema is being changed
 */
export async function beginRenaming(
  tx: Transaction,
  system: System,
  caller: Caller,
  { jobId, ...renaming }: AttributeRenaming & { readonly jobId: string },
): Promise<void> {
  const before = await tx.schemas.find(renaming.schemaId)
  assertCanRename(before, renaming)
  const after: SchemaDefinition = { ...renameInSchema(before, renaming), updatedAt: system.now().toISOString() }
  await assertSchemaRests(tx, before.id, after)
  const who = { callerId: caller.id, roleId: caller.role.id }
  const id = changeId('schema', before.id)
  await tx.modelChanges.insert({ id, kind: 'schema', stage: 'drop', before, after, ...who, jobId })
  for (const role of await tx.roles.list()) {
    const extended = extendRole(role, renaming)
    if (extended === role) continue
    await tx.roles.update(extended)
    const origin = { kind: 'schema', id: jobId } as const
    noteModelChange(tx, system, caller, { entityType: 'role', before: role, after: extended, origin })
  }
}

export class Renaming implements Judge {
  readonly isOfServer = true
  readonly isWhole: boolean
  readonly #system: System
  readonly #renaming: AttributeRenaming

  constructor(system: System, renaming: AttributeRenaming, selected: number) {
    this.#system = system
    this.#renaming = renaming
    this.isWhole = selected <= AT_ONCE
  }

  async judge({ tx, job, caller }: JudgeContext, { recordId }: BulkItem): Promise<Judged> {
    const { schemaId, from } = this.#renaming
    const record = await tx.records.get(recordId)
    // A record deleted meanwhile has nothing to rename.
    if (record === undefined) return { outcome: 'unchanged', schemaId, changes: [] }
    const values = parseValues(record)
    if (!Object.hasOwn(values, from)) return { outcome: 'unchanged', schemaId, changes: [] }
    const changes = await this.#rename(tx, job, caller, record)
    return { outcome: 'updated', schemaId, changes }
  }

  async finish(tx: LongTransaction): Promise<void> {
    const { schemaId, from } = this.#renaming
    const id = changeId('schema', schemaId)
    const change = await tx.modelChanges.get(id)
    if (change?.kind !== 'schema') throw new Error(`The renaming of an attribute of ${schemaId} is not noted`)
    const model = await tx.model()
    const isOther = [...model.schemas.values()].some(
      (schema) => schema.id !== schemaId && schema.attribute(from) !== undefined,
    )
    await tx.schemas.update(change.after)
    const user = { id: change.callerId }
    const origin = { kind: 'schema', ...(change.jobId !== undefined && { id: change.jobId }) } as const
    const { before, after } = change
    noteModelChange(tx, this.#system, user, { entityType: 'schema', before, after, origin })
    await tx.records.reindex(schemaId)
    await this.#renameInRoles(tx, user, origin)
    await this.#renameInUsers(tx, user, { isOther, model })
    await this.#renameInUploads(tx)
    await this.#renameInComments(tx)
    await tx.modelChanges.delete(id)
  }

  async #renameInRoles(tx: LongTransaction, user: Pick<Caller, 'id'>, origin: ChangeOrigin): Promise<void> {
    for (const role of await tx.roles.list()) {
      const renamed = renameInRole(role, this.#renaming)
      if (renamed === role) continue
      await tx.roles.update(renamed)
      noteModelChange(tx, this.#system, user, { entityType: 'role', before: role, after: renamed, origin })
    }
  }

  /**
   * Renames the alias in saved queries, import profiles, rendition presets, sheet templates, subscriptions and export jobs.
   * @param at whether another schema has the old alias, and the model with the old alias
   */
  async #renameInUsers(
    tx: LongTransaction,
    user: Pick<Caller, 'id'>,
    at: { readonly isOther: boolean; readonly model: Model },
  ): Promise<void> {
    const { isOther } = at
    for await (const query of eachOf(tx.savedQueries)) {
      await tx.pause()
      const renamed = renameInQuery(query, this.#renaming, isOther)
      if (renamed !== query) await tx.savedQueries.update(renamed)
    }
    for await (const profile of eachOf(tx.importProfiles)) {
      const renamed = renameInMapping(profile, this.#renaming)
      if (renamed !== profile) await tx.importProfiles.update(renamed)
    }
    for (const preset of isOther ? [] : await tx.renditionPresets.list()) {
      const renamed = renameInPreset(preset, this.#renaming)
      if (renamed !== preset) await tx.renditionPresets.update(renamed)
    }
    for await (const template of eachOf(tx.sheetTemplates)) {
      const renamed = renameInTemplate(template, this.#renaming)
      if (renamed !== template) await tx.sheetTemplates.update(renamed)
    }
    for (const stored of await tx.subscriptions.list()) {
      const { selection } = stored.subscription
      const renamed = selection && renameInSelection(selection, this.#renaming, isOther)
      if (renamed !== selection)
        await tx.subscriptions.save({ ...stored, subscription: { ...stored.subscription, selection: renamed } })
    }
    for await (const job of eachOf(tx.exportJobs)) {
      await tx.pause()
      const renamed = renameInJob(job, this.#renaming, at)
      if (renamed === job) continue
      await tx.exportJobs.update(renamed)
      noteJobChange(tx, this.#system, user, job, renamed)
    }
  }

  /** Renames the alias in mappings of uploaded files, which may be imported later. */
  async #renameInUploads(tx: LongTransaction): Promise<void> {
    for (const id of await tx.imports.ids()) {
      const details = await tx.imports.detailsOf(id)
      const mapping = details.mapping && renameInPlan(details.mapping, this.#renaming)
      if (mapping !== details.mapping) await tx.imports.update((await tx.imports.get(id))!, { ...details, mapping })
      await tx.pause()
    }
  }

  async #renameInComments(tx: LongTransaction): Promise<void> {
    const { schemaId, from, to } = this.#renaming
    while ((await tx.comments.renameAttribute(schemaId, from, to, COMMENTS_AT_ONCE)) === COMMENTS_AT_ONCE)
      await tx.pause()
  }

  async #rename(tx: LongTransaction, { id }: BulkJob, caller: Caller, record: StoredRecord) {
    const change = await tx.modelChanges.get(changeId('schema', this.#renaming.schemaId))
    if (change?.kind !== 'schema') throw new Error(`The renaming of ${this.#renaming.from} is not noted`)
    const before = parseValues(record)
    const after = renameInValues(before, this.#renaming)
    const { from, to } = this.#renaming
    const changes = diffValues(before, after, [from, to])
    const timestamp = this.#system.now().toISOString()
    const { id: recordId, schemaId } = record
    const entry = { recordId, schemaId, action: 'update', changes, timestamp, origin: { kind: 'schema', id } } as const
    const version = appendAudit(tx, this.#system, caller, entry)
    const valuesJson = JSON.stringify(after)
    await tx.records.update(record, { ...record, updatedAt: timestamp, updatedBy: caller.id, version, valuesJson })
    const [old, present] = [new Schema(change.before), new Schema(change.after)]
    if (old.attribute(from)?.unique === true)
      await tx.records.setUniqueKeys(record, uniqueKeys(before, old), uniqueKeys(after, present))
    await tx.records.setReferences(record, valueLinks(before, old), valueLinks(after, present))
    return changes
  }
}

function renameInPlan(plan: UploadPlan, renaming: AttributeRenaming): UploadPlan {
  return isZipMapping(plan) ? renameInZipMapping(plan, renaming) : renameInMapping(plan, renaming)
}
