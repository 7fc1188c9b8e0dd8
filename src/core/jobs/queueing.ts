// How a bulk job comes to wait for its turn. Contract 3 §2, 3 §10.
import { type BulkJob, type BulkKind, type BulkTask, MAX_QUEUED_JOBS, NO_COUNTS } from './rules/bulk-job.ts'
import { PimletError } from '../../kernel/errors.ts'
import type { Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { asOwnerOf } from '../accounts/rules/owner.ts'

interface JobIdentity {
  /** Without it one is made. */
  readonly id?: string | undefined
  readonly name: string | null
  readonly kind: BulkKind
  readonly dryRun: boolean
}

export function defineJob(system: System, caller: Caller, identity: JobIdentity): BulkJob {
  const { id = system.newId('bulk'), name, kind, dryRun } = identity
  const createdAt = system.now().toISOString()
  const who = { createdBy: caller.id, ...asOwnerOf(caller), pausedReason: null }
  const times = { createdAt, startedAt: null, completedAt: null }
  const undoing = { undoes: null, undoneBy: null, isSelected: false, firstVersion: null }
  const reading = { importId: null, round: 0, position: 0, recordsAfter: null }
  return { id, name, kind, status: 'queued', dryRun, ...times, ...who, ...undoing, ...reading, ...NO_COUNTS }
}

/** @throws RATE_LIMITED where too many jobs of its owner wait */
export async function enqueue(tx: Transaction, job: BulkJob, task: BulkTask): Promise<BulkJob> {
  if ((await tx.bulkJobs.countQueued(job.ownerId)) >= MAX_QUEUED_JOBS) {
    const message = `Too many bulk jobs wait for their turn: one caller may have ${MAX_QUEUED_JOBS}`
    throw new PimletError('RATE_LIMITED', message, { retryAfter: 5 })
  }
  await tx.bulkJobs.insert(job, task)
  return job
}
