// The effects of replacing a schema on its records. Values that no longer fit prevent the change or are dropped. Values
// that become unique are compared. Contract 2 §3, 3 §9.3.
import type { BulkJob } from '../../jobs/rules/bulk-job.ts'
import { BY_REQUEST, type ChangeOrigin, diffValues } from '../../records/rules/changes.ts'
import { conflict, shorten } from '../../../kernel/errors.ts'
import { changeId, notesOfBoth, type SchemaChange } from '../rules/model-change.ts'
import { Schema, type SchemaDefinition } from '../rules/model.ts'
import { assertCanWrite, canRead } from '../../accounts/rules/permissions.ts'
import { parseValues, type Values } from '../../records/rules/record.ts'
import {
  aliasesToNote,
  endangeredAliases,
  findLostChoice,
  fitValues,
  freedAliases,
  isIndexedAnew,
  misfits,
} from '../rules/schema-changes.ts'
import { valueLinks, uniqueKeys } from '../../values/values.ts'
import type { Transaction } from '../../../store/port.ts'
import type { StoredRecord } from '../../../store/record-port.ts'
import type { System } from '../../../kernel/machine/system.ts'
import type { Caller } from '../../accounts/caller.ts'
import { defineJob, enqueue } from '../../jobs/queueing.ts'
import { noteModelChange } from '../model-entries.ts'
import { appendAudit } from '../../records/record-writing.ts'
import { assertSchemaRests } from './interference.ts'
import type { ChangingDeps, Closed } from './model-changes.ts'
import { enterStage, mayHold } from './stages.ts'
import type { Walk } from './schema-walk.ts'

interface Replacement {
  readonly before: SchemaDefinition
  readonly after: SchemaDefinition
}

/** The most records of a schema for which the caller waits. With more records, a bulk job makes the change. */
const WAITED_FOR = 1000

/** The definition that is now in force, or the job that will replace the definition. */
type Replaced = { readonly definition: SchemaDefinition } | { readonly job: BulkJob }

/**
 * Replaces a definition once all records of the schema fit the new one. `decide` chooses the new definition, and may throw.
 * With many records a bulk job makes the change, and its faults are not thrown here.
 * @throws CONFLICT naming the attribute whose values do not fit (unless `dropValues`) or are not unique
 * @throws CONFLICT while the schema is being changed already
 * @throws PERMISSION_DENIED for values to drop that the caller may not write
 * @throws UNAVAILABLE
 */
export function replaceDefinition(
  deps: ChangingDeps,
  caller: Caller,
  { id, dropValues, origin }: { id: string; dropValues: boolean; origin?: ChangeOrigin },
  decide: (tx: Transaction) => Promise<Replacement>,
): Promise<Replaced> {
  return deps.modelChanges.make(
    changeId('schema', id),
    async (tx) => close(tx, deps.system, caller, { ...(await decide(tx)), dropValues, origin }),
    (change, walk) => new SchemaReplacement(deps, caller, change, dropValues).carryOut(walk),
  )
}

/** Begins the change. If it concerns no record, the definition is replaced at once. */
async function close(
  tx: Transaction,
  system: System,
  caller: Caller,
  {
    before,
    after,
    dropValues,
    origin,
  }: Replacement & {
    readonly dropValues: boolean
    readonly origin?: ChangeOrigin | undefined
  },
): Promise<Closed<SchemaChange, Replaced>> {
  await assertSchemaRests(tx, before.id, after)
  const change: SchemaChange = {
    id: changeId('schema', before.id),
    kind: 'schema',
    stage: 'look',
    before,
    after,
    callerId: caller.id,
    roleId: caller.role.id,
    origin,
  }
  const records = concernsRecords(new Schema(before), new Schema(after))
    ? await tx.records.count({ schemaId: before.id })
    : 0
  if (records > WAITED_FOR && changesRecords(new Schema(before), new Schema(after), dropValues)) {
    const job = defineJob(system, caller, { name: before.name, kind: 'schema', dryRun: false })
    await tx.modelChanges.insert({ ...change, jobId: job.id })
    await enqueue(tx, job, { kind: 'replacement', schemaId: before.id, dropValues })
    return { result: { job }, change: undefined }
  }
  if (records > 0) return { result: { definition: after }, change }
  await switchDefinition(tx, system, change)
  return { result: { definition: after }, change: undefined }
}

/** Returns whether the change must write records: reading them takes little time. */
function changesRecords(before: Schema, after: Schema, dropValues: boolean): boolean {
  return aliasesToNote(before, after).length > 0 || (dropValues && endangeredAliases(before, after).length > 0)
}

function concernsRecords(before: Schema, after: Schema): boolean {
  return [endangeredAliases, aliasesToNote, freedAliases].some((select) => select(before, after).length > 0)
}

async function switchDefinition(tx: Transaction, system: System, change: SchemaChange): Promise<void> {
  const { before, after, callerId, jobId, origin: said = BY_REQUEST } = change
  await tx.schemas.update(after)
  const origin: ChangeOrigin = jobId === undefined ? said : { kind: 'schema', id: jobId }
  noteModelChange(tx, system, { id: callerId }, { entityType: 'schema', before, after, origin })
  if (isIndexedAnew(new Schema(before), new Schema(after))) await tx.records.reindex(after.id)
}

export class SchemaReplacement {
  readonly #deps: Pick<ChangingDeps, 'store' | 'system'>
  readonly #caller: Caller
  readonly #change: SchemaChange
  readonly #dropValues: boolean
  readonly #before: Schema
  readonly #after: Schema
  /** Aliases whose values may no longer fit, and aliases whose unique values and references are noted. */
  readonly #endangered: readonly string[]
  readonly #claimed: readonly string[]

  constructor(deps: Pick<ChangingDeps, 'store' | 'system'>, caller: Caller, change: SchemaChange, dropValues: boolean) {
    this.#deps = deps
    this.#caller = caller
    this.#change = change
    this.#dropValues = dropValues
    this.#before = new Schema(change.before)
    this.#after = new Schema(change.after)
    this.#endangered = endangeredAliases(this.#before, this.#after)
    this.#claimed = aliasesToNote(this.#before, this.#after)
  }

  /**
   * Runs the change from the stage `look` to the switch. Writes since the change was stored fit it, so the result of
   * `look` stays true.
   */
  async carryOut(walk: Walk): Promise<void> {
    const { store } = this.#deps
    const found = await this.#look(walk)
    if (found.isClaimed) {
      await store.transaction((tx) => enterStage(tx, this.#change, 'claim'))
      await walk.work(this.#change, (tx, record) => this.#claim(tx, record))
    }
    if (found.isMisfit) {
      await store.transaction((tx) => enterStage(tx, this.#change, 'drop'))
      await walk.work(this.#change, (tx, record) => this.#drop(tx, record))
    }
    await store.transaction(async (tx) => {
      await switchDefinition(tx, this.#deps.system, this.#change)
      if (freedAliases(this.#before, this.#after).length > 0) await enterStage(tx, this.#change, 'clear')
      else await tx.modelChanges.delete(this.#change.id)
    })
  }

  /** Resolves to whether the records have unique values to claim, and values to drop. */
  async #look(walk: Walk): Promise<{ isClaimed: boolean; isMisfit: boolean }> {
    const found = { isClaimed: false, isMisfit: false }
    if (this.#endangered.length + this.#claimed.length === 0) return found
    await walk.look(this.#change.before.id, (record) => {
      found.isClaimed ||= mayHold(record, this.#claimed)
      if (!mayHold(record, this.#endangered)) return
      const lost = this.#misfitting(parseValues(record), record)
      if (lost.length === 0) return
      assertCanWrite(this.#caller.role, this.#after.id, lost)
      found.isMisfit = true
    })
    return found
  }

  /** Returns the aliases whose values do not fit. @throws CONFLICT for the first of them, unless values may be dropped */
  #misfitting(values: Values, record: StoredRecord): string[] {
    return this.#endangered.filter((alias) => {
      const [first] = misfits(values, alias, this.#after)
      if (first === undefined) return false
      if (this.#dropValues) return true
      const isHidden = !canRead(this.#caller.role, this.#after.id, alias)
      if (isHidden) throw conflict(`attribute '${alias}': values that records hold would be lost, or no longer fit`)
      const choice = findLostChoice(first, alias, this.#before, this.#after)
      const what = choice === undefined ? 'values that records hold' : `${shorten(choice, 100)} that records hold`
      const isLost = choice !== undefined || this.#after.attribute(alias) === undefined
      throw conflict(
        `attribute '${alias}': ${what} would ${isLost ? 'be lost' : 'no longer fit'} (first in '${record.id}'); dropValues=true removes ${choice === undefined ? 'them' : 'it'}`,
      )
    })
  }

  async #claim(tx: Transaction, record: StoredRecord): Promise<boolean> {
    if (!mayHold(record, this.#claimed)) return false
    const values = parseValues(record)
    const [before, after] = [this.#before, this.#after]
    // A write of the record may already have stored the unique values and references of the new definition.
    await tx.records.setUniqueKeys(record, uniqueKeys(values, before), notesOfBoth(uniqueKeys, values, before, after))
    await tx.records.setReferences(record, valueLinks(values, before), notesOfBoth(valueLinks, values, before, after))
    return true
  }

  /** Writes one update of the record, which removes everything that does not fit. */
  async #drop(tx: Transaction, record: StoredRecord): Promise<boolean> {
    if (!mayHold(record, this.#endangered)) return false
    const stored = parseValues(record)
    const kept = fitValues(stored, this.#endangered, this.#before, this.#after)
    const changes = diffValues(stored, kept, this.#endangered)
    if (changes.length === 0) return false
    const timestamp = this.#deps.system.now().toISOString()
    const what = { recordId: record.id, schemaId: record.schemaId, action: 'update', changes, timestamp } as const
    const version = appendAudit(tx, this.#deps.system, this.#caller, { ...what, origin: this.#origin() })
    const valuesJson = JSON.stringify(kept)
    const updated = { ...record, updatedAt: timestamp, updatedBy: this.#caller.id, version, valuesJson }
    await tx.records.update(record, updated)
    await this.#count(tx)
    const [before, after] = [this.#before, this.#after]
    if (changes.some(({ attributeAlias }) => this.#isUnique(attributeAlias)))
      await tx.records.setUniqueKeys(
        record,
        notesOfBoth(uniqueKeys, stored, before, after),
        notesOfBoth(uniqueKeys, kept, before, after),
      )
    await tx.records.setReferences(
      record,
      notesOfBoth(valueLinks, stored, before, after),
      notesOfBoth(valueLinks, kept, before, after),
    )
    return true
  }

  /** Counts one more changed record in the job. */
  async #count(tx: Transaction): Promise<void> {
    const { jobId } = this.#change
    const job = jobId === undefined ? undefined : await tx.bulkJobs.get(jobId)
    if (job !== undefined) await tx.bulkJobs.update({ ...job, done: job.done + 1, changed: job.changed + 1 })
  }

  #origin(): ChangeOrigin {
    const { jobId } = this.#change
    return jobId === undefined ? { kind: 'schema' } : { kind: 'schema', id: jobId }
  }

  #isUnique(alias: string): boolean {
    return [this.#before, this.#after].some((schema) => schema.attribute(alias)?.unique === true)
  }
}
