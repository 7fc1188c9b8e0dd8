// Undoes a job record by record. Old values come from the audit trail; places that somebody has changed since keep
// their values. Contract 3 §2, 3 §10.
import { arrange, reversePatch } from './rules/arrangement.ts'
import type { BulkJob } from '../core/jobs/rules/bulk-job.ts'
import { assertCanWrite, assertPermission } from '../core/accounts/rules/permissions.ts'
import { conflict } from '../kernel/errors.ts'
import { assertStateFitsPending } from '../core/model/rules/model-change.ts'
import {
  type CategoryPlace,
  type Change,
  diffCategories,
  diffValues,
  LIFECYCLE_CHANGE,
} from '../core/records/rules/changes.ts'
import { Rewind } from '../core/records/rules/past-record.ts'
import { parseValues, scopedValues, stringifyValues } from '../core/records/rules/record.ts'
import { mergePatch } from '../core/records/rules/scoped-patch.ts'
import { readPatch } from '../core/values/values.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import type { LongTransaction } from '../store/port.ts'
import type { StoredRecord } from '../store/record-port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { enterState } from '../core/records/taking-transition.ts'
import { findModelOf } from '../core/records/readable-records.ts'
import { assignCategories } from '../core/records/record-categories.ts'
import { checkUpdate, writeUpdate } from '../core/records/record-writing.ts'
import { findGoing } from './going.ts'
import { dataTypeOf } from '../core/datatypes/data-types.ts'
import type { Schema } from '../core/model/rules/model.ts'
import { removeRecord } from '../core/records/records.ts'
import { reviveRecord } from '../core/records/reviving.ts'
import type { Judge, JudgeContext, Judged } from './job-step.ts'
import {
  CATEGORIES,
  EXISTENCE,
  findVariantsDeletedWith,
  type JobTrail,
  placeOf,
  readJobTrail,
  STATE,
} from './job-trail.ts'
import { netChangesOf } from './rules/net-changes.ts'

/** Most places that the message of a conflict names. */
const NAMED = 5

/** The written record, and its changes. */
interface Written {
  readonly record: StoredRecord
  readonly changes: readonly Change[]
}

interface Undo {
  readonly tx: LongTransaction
  readonly job: BulkJob
  readonly caller: Caller
  readonly item: BulkItem
  readonly trail: JobTrail
}

export class Undoing implements Judge {
  readonly readsTrails = true
  readonly endsLater: boolean
  readonly #system: System
  readonly #maxRecords: number
  readonly #undone: BulkJob

  /** @param undone the job whose changes are reverted; `maxRecords` 0: no limit; `endsLater`: more is taken back at the end */
  constructor(
    { system, maxRecords, endsLater }: { system: System; maxRecords: number; endsLater: boolean },
    undone: BulkJob,
  ) {
    this.endsLater = endsLater
    this.#system = system
    this.#maxRecords = maxRecords
    this.#undone = undone
  }

  async judge(context: JudgeContext, item: BulkItem): Promise<Judged> {
    const trail = await this.#trailOf(context, item.recordId)
    const undo: Undo = { ...context, item, trail }
    // Restoring a record also restores its variants, and this record may be one.
    if (trail.isUndone) return { outcome: 'updated', schemaId: trail.own[0]?.schemaId ?? '', changes: [] }
    if (trail.own.length === 0) throw conflict(`The history of the record '${item.recordId}' is not kept that far back`)
    if (trail.own[0]!.action === 'delete') return this.#bringBack(undo)
    return trail.own.at(-1)!.action === 'create' ? this.#takeAway(undo) : this.#writeBack(undo)
  }

  #trailOf({ tx, job }: Pick<JudgeContext, 'tx' | 'job'>, recordId: string): Promise<JobTrail> {
    return readJobTrail(tx, recordId, { jobId: this.#undone.id, undoId: job.id })
  }

  /** Restores a deleted record and the variants deleted with it; for a variant, its parent too. */
  async #bringBack(undo: Undo): Promise<Judged> {
    const { tx, item, trail } = undo
    const { parentId } = trail.own[0]!.removed ?? { parentId: null }
    if (parentId !== null && (await tx.records.get(parentId)) === undefined) {
      const ofParent = await this.#trailOf(undo, parentId)
      if (ofParent.own[0]?.action === 'delete' && ofParent.touched.size === 0)
        await this.#bringBack({ ...undo, item: { ...item, recordId: parentId }, trail: ofParent })
      const now = await this.#trailOf(undo, item.recordId)
      if (now.isUndone) return { outcome: 'updated', schemaId: trail.own[0]!.schemaId, changes: [] }
    }
    const record = await this.#revive(undo)
    for (const id of await findVariantsDeletedWith(tx, trail.own[0]!)) {
      await tx.pause()
      const ofVariant = await this.#trailOf(undo, id)
      if (ofVariant.isUndone) continue
      await this.#revive({ ...undo, item: { ...item, recordId: id }, trail: ofVariant })
    }
    const changes = diffValues({}, parseValues(record))
    return { outcome: 'created', schemaId: record.schemaId, changes }
  }

  async #revive({ tx, job, caller, item, trail }: Undo): Promise<StoredRecord> {
    const { recordId: id } = item
    if (trail.touched.size > 0 || (await tx.records.get(id)) !== undefined)
      throw conflict(`The record '${id}' was made again, or changed, since`)
    const rewind = new Rewind(undefined)
    for (const entry of trail.own) rewind.undo(entry)
    const past = rewind.record
    if (past === undefined) throw conflict(`The deletion of the record '${id}' does not note all that it was`)
    const schema = (await tx.model()).schemas.get(past.schemaId)
    if (schema === undefined) throw conflict(`The schema '${past.schemaId}' of the record '${id}' no longer exists`)
    const reviving = { id, past, known: past.values, origin: this.#origin(job), maxRecords: this.#maxRecords }
    return reviveRecord(tx, this.#system, caller, reviving)
  }

  /** Deletes a record that the job created. */
  async #takeAway(undo: Undo): Promise<Judged> {
    const { tx, job, caller, item, trail } = undo
    const { recordId: id } = item
    const record = await tx.records.get(id)
    if (record === undefined || trail.touched.size > 0)
      throw conflict(`The record '${id}' was changed or deleted since`)
    if ((await tx.records.variantIdsOf(id)).length > 0) throw conflict(`The record '${id}' has variants by now`)
    assertPermission(caller.role, 'records.delete')
    const going = await findGoing(tx, id, (recordId) => this.#trailOf(undo, recordId))
    for (const goingId of going)
      await removeRecord(tx, this.#system, caller, { id: goingId, going, origin: this.#origin(job) })
    return { outcome: 'updated', schemaId: record.schemaId, changes: diffValues(parseValues(record), {}) }
  }

  /** Reverts value by value; a value changed since stays. */
  async #writeBack(undo: Undo): Promise<Judged> {
    const { tx, item, trail } = undo
    const record = await tx.records.get(item.recordId)
    if (record === undefined || trail.touched.has(EXISTENCE))
      throw conflict(`The record '${item.recordId}' was deleted since`)
    const { values, state, categories } = netChangesOf(trail.own.toReversed())
    const isFree = (place: string): boolean => !trail.touched.has(place)
    const free = values.filter((change) => isFree(placeOf(change)))
    let present: Written = { record, changes: [] }
    if (free.length > 0) present = await this.#writeValues(undo, record, free)
    if (state !== undefined && isFree(STATE)) present = await this.#writeState(undo, present, String(state.oldValue))
    if (categories !== undefined && isFree(CATEGORIES))
      present = await this.#writeCategories(undo, present, categories.oldValue)
    const kept = [
      ...values.map((change) => placeOf(change)),
      ...(state === undefined ? [] : [STATE]),
      ...(categories === undefined ? [] : [CATEGORIES]),
    ].filter((place) => !isFree(place))
    if (kept.length > 0) return { outcome: 'failed', error: 'CONFLICT', message: describeKept(kept) }
    const { changes } = present
    return { outcome: changes.length === 0 ? 'unchanged' : 'updated', schemaId: record.schemaId, changes }
  }

  async #writeValues(
    { tx, job, caller, item }: Undo,
    record: StoredRecord,
    wanted: ReturnType<typeof netChangesOf>['values'],
  ): Promise<Written> {
    assertPermission(caller.role, 'records.update')
    // The caller did not send the values: their faults may only be told to a caller who could.
    const aliases = wanted.map(({ attributeAlias }) => attributeAlias)
    assertCanWrite(caller.role, record.schemaId, aliases)
    const { model, schema } = await findModelOf(tx, record)
    const stored = parseValues(record)
    const update = mergePatch(
      stored,
      readPatch(reversePatch(wanted), schema, model, () => stored),
    )
    const known = Object.fromEntries(
      Object.entries(update).map(([alias, values]) => [
        alias,
        isKeeping(schema, alias) ? scopedValues(stored, alias) : values,
      ]),
    )
    const checked = await checkUpdate(tx, caller, { record, schema, update, known })
    if (checked.changes.length === 0) return { record, changes: [] }
    const after = arrange(checked.after, item.arrangement)
    const arranged = { ...checked, after, valuesJson: stringifyValues(after) }
    const written = await writeUpdate(tx, this.#system, caller, arranged, this.#origin(job))
    return { record: written, changes: checked.changes }
  }

  /** Skips the gates, because the record was in this state before. */
  async #writeState({ tx, job, caller }: Undo, { record, changes }: Written, stateId: string): Promise<Written> {
    const { model, schema } = await findModelOf(tx, record)
    const { lifecycleStateId: oldValue } = record
    if (oldValue === stateId) return { record, changes }
    if (model.workflows.get(schema.workflowId)?.states.some(({ id }) => id === stateId) !== true)
      throw conflict(`The state '${stateId}' no longer exists`)
    assertStateFitsPending(stateId, schema, model)
    const moved = await enterState(tx, this.#system, caller, { record, stateId, origin: this.#origin(job) })
    const change = { attributeAlias: LIFECYCLE_CHANGE, scope: {}, oldValue, newValue: stateId }
    return { record: moved, changes: [...changes, change] }
  }

  async #writeCategories(
    { tx, job, caller }: Undo,
    { record, changes }: Written,
    oldValue: readonly CategoryPlace[],
  ): Promise<Written> {
    assertPermission(caller.role, 'categories.write')
    const existing = await tx.categories.existing(oldValue.map(({ categoryId }) => categoryId))
    const places = oldValue.filter(({ categoryId }) => existing.has(categoryId))
    const moved = diffCategories(await tx.categories.assignmentsOf(record.id), places)
    const assigned = await assignCategories(tx, this.#system, caller, { record, places, origin: this.#origin(job) })
    return { record: assigned, changes: [...changes, ...moved] }
  }

  #origin({ id }: BulkJob) {
    return { kind: 'undo', id } as const
  }
}

/** Whether the attribute's lists may not name records that are gone. */
function isKeeping(schema: Schema, alias: string): boolean {
  const attribute = schema.attribute(alias)
  return attribute !== undefined && dataTypeOf(attribute).records?.areKept === true
}

function describeKept(places: readonly string[]): string {
  const named = places.slice(0, NAMED).join(', ')
  const others = places.length - NAMED
  return `Changed since by somebody else, and left alone: ${named}${others > 0 ? ` and ${others} more` : ''}`
}
