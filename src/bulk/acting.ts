// A job of actions, record by record; a dry run judges all the same, and writes nothing. Contract 3 §2, 3 §10.
import { arrangementOf } from './rules/arrangement.ts'
import type { BulkAction } from './rules/bulk-actions.ts'
import { notFound } from '../kernel/errors.ts'
import type { LongTransaction } from '../store/port.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import type { System } from '../kernel/machine/system.ts'
import { DryRunMemory } from './dry-run-memory.ts'
import type { Judge, JudgeContext, Judged } from './job-step.ts'
import { planRecord, type RecordPlan, writePlan } from './record-actions.ts'

/** Does the actions to each record. */
export class Acting implements Judge {
  readonly #system: System
  readonly #actions: readonly BulkAction[]

  constructor(system: System, actions: readonly BulkAction[]) {
    this.#system = system
    this.#actions = actions
  }

  begin(): void {
    // Nothing is remembered.
  }

  keep(): void {
    // Nothing is remembered.
  }

  async judge({ tx, job, caller }: JudgeContext, { recordId }: BulkItem): Promise<Judged> {
    const pause = (): Promise<void> => tx.pause()
    const record = await tx.records.get(recordId)
    if (record === undefined) return judgeMissing(tx, job.id, recordId)
    const plan = await planRecord(tx, caller, record, this.#actions, pause)
    const origin = { kind: 'bulk', id: job.id } as const
    await writePlan(tx, this.#system, caller, plan, { origin, pause })
    return toJudged(plan)
  }
}

/** Says what `Acting` would do. */
export class Rehearsing implements Judge {
  readonly #actions: readonly BulkAction[]
  readonly #memory = new DryRunMemory()
  #branch = this.#memory.branch()

  constructor(actions: readonly BulkAction[]) {
    this.#actions = actions
  }

  begin(): void {
    this.#branch = this.#memory.branch()
  }

  keep(): void {
    this.#memory.keep(this.#branch)
  }

  async judge({ tx, caller }: JudgeContext, { recordId }: BulkItem): Promise<Judged> {
    if (this.#branch.isGone(recordId)) return GONE
    const reads = this.#branch.over(tx)
    const record = await tx.records.get(recordId)
    if (record === undefined) throw notFound('Record', recordId)
    const plan = await planRecord(reads, caller, record, this.#actions, () => tx.pause())
    await this.#branch.note(tx, plan)
    return toJudged(plan)
  }
}

/** A variant that was deleted with its parent. */
const GONE: Judged = { outcome: 'updated', schemaId: '', changes: [] }

/** @throws NOT_FOUND where it was not this job that deleted the record */
async function judgeMissing(tx: LongTransaction, jobId: string, recordId: string): Promise<Judged> {
  const { entries } = await tx.audit.readTrail(recordId, { limit: 1 })
  if (entries[0]?.action !== 'delete' || entries[0].origin.id !== jobId) throw notFound('Record', recordId)
  return GONE
}

function toJudged({ record, schema, update, changes }: RecordPlan): Judged {
  const outcome = changes.length === 0 ? 'unchanged' : 'updated'
  const arrangement = update && arrangementOf(record.valuesJson, update.after, update.changes)
  return { outcome, schemaId: schema.id, changes, arrangement: arrangement ?? null }
}
