// Runs a job of actions record by record. A dry run judges each record the same way, and writes nothing.
// Contract 3 §2, 3 §10.
import { arrangementOf } from './rules/arrangement.ts'
import type { BulkAction } from './rules/bulk-actions.ts'
import { notFound } from '../kernel/errors.ts'
import type { LongTransaction } from '../store/port.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import type { System } from '../kernel/machine/system.ts'
import { type ChangingTransaction, Rehearsal } from '../core/records/rehearsal.ts'
import type { StoredRecord } from '../store/record-port.ts'
import type { Judge, JudgeContext, Judged } from './job-step.ts'
import { planRecord, type RecordPlan, writePlan } from './record-actions.ts'

/** The actions for one record. */
export type ChooseActions = (context: JudgeContext, record: StoredRecord) => Promise<readonly BulkAction[]>

/** Applies the actions to each record: in storage, or in a dry run's overlay. */
export class Acting implements Judge {
  readonly #system: System
  readonly #actions: readonly BulkAction[] | ChooseActions
  readonly #rehearsal: Rehearsal | undefined
  #step: Rehearsal | undefined

  constructor(system: System, actions: readonly BulkAction[] | ChooseActions, dryRun: boolean) {
    this.#system = system
    this.#actions = actions
    this.#rehearsal = dryRun ? new Rehearsal({ onlyParents: true }) : undefined
  }

  begin(): void {
    this.#step = this.#rehearsal?.branch()
  }

  keep(): void {
    if (this.#step !== undefined) this.#rehearsal!.keep(this.#step)
    this.#step = undefined
  }

  async judge(context: JudgeContext, { recordId }: BulkItem): Promise<Judged> {
    const { tx, job } = context
    const step = this.#step
    if (step?.isDeleted(recordId) === true) return GONE
    const record = await tx.records.get(recordId)
    if (record === undefined) return judgeMissing(tx, job.id, recordId)
    if (step === undefined) return this.#act(tx, context, record)
    return step.attempt(tx, (overlay) => this.#act(overlay, context, record))
  }

  async #act(target: ChangingTransaction, context: JudgeContext, record: StoredRecord): Promise<Judged> {
    const { tx, job, caller } = context
    const pause = (): Promise<void> => tx.pause()
    const actions = typeof this.#actions === 'function' ? await this.#actions(context, record) : this.#actions
    const plan = await planRecord(target, caller, record, actions, pause)
    const origin = { kind: 'bulk', id: job.id } as const
    await writePlan(target, this.#system, caller, plan, { origin, pause })
    return toJudged(plan)
  }
}

/** The outcome for a variant that was deleted with its parent. */
const GONE: Judged = { outcome: 'updated', schemaId: '', changes: [] }

/** @throws NOT_FOUND where this job did not delete the record */
async function judgeMissing(tx: LongTransaction, jobId: string, recordId: string): Promise<Judged> {
  const { entries } = await tx.audit.readTrail(recordId, { limit: 1 })
  if (entries[0]?.action !== 'delete' || entries[0].origin.id !== jobId) throw notFound('Record', recordId)
  return GONE
}

function toJudged({ record, schema, update, isDeleted, changes }: RecordPlan): Judged {
  // A record without values has none to lose.
  const outcome = changes.length === 0 && !isDeleted ? 'unchanged' : 'updated'
  const arrangement = update && arrangementOf(record.valuesJson, update.after, update.changes)
  return { outcome, schemaId: schema.id, changes, arrangement: arrangement ?? null }
}
