// Decides who may take over a bulk job, and so become its owner. Contract 3 §12.
import { asOwnerOf, isOwner } from '../core/accounts/rules/owner.ts'
import { ADMIN_ROLE_ID, hasPermission, hidesAny } from '../core/accounts/rules/permissions.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { type BulkJob, hasEnded } from '../core/jobs/rules/bulk-job.ts'
import { noteModelChange } from '../core/model/model-entries.ts'
import { conflict, notFound, PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Transaction } from '../store/port.ts'
import { rightsOf } from './job-rights.ts'

/** The owner may see the job, and so may users who manage users. */
export function maySee(caller: Caller, job: BulkJob): boolean {
  return isOwner(caller, job) || hasPermission(caller.role, 'users.manage')
}

/** Messages may have values of any attribute: cells of an import, or what is missing for a transition. */
export function maySeeMessages(caller: Caller, job: BulkJob): boolean {
  return isOwner(caller, job) || !hidesAny(caller.role)
}

/**
 * Makes the caller the owner. A paused job continues where it stopped.
 * @throws NOT_FOUND; CONFLICT where the job has ended or changes a schema; PERMISSION_DENIED where the caller lacks a
 * permission that the job needs
 */
export async function takeOver(tx: Transaction, system: System, caller: Caller, id: string): Promise<BulkJob> {
  const job = await tx.bulkJobs.get(id)
  if (job === undefined) throw notFound('Bulk job', id)
  await assertMayTake(tx, caller, job)
  if (hasEnded(job)) throw conflict(`The bulk job '${id}' has ended already`)
  if (job.kind === 'schema') throw conflict(`The bulk job '${id}' changes a schema: it is not taken over`)
  const status = job.pausedReason !== null && !job.isSelected ? 'queued' : job.status
  const taken: BulkJob = { ...job, ...asOwnerOf(caller), status, pausedReason: null }
  await tx.bulkJobs.update(taken)
  const shown = ({ ownerId }: BulkJob) => ({ id, ownerId })
  noteModelChange(tx, system, caller, { entityType: 'bulkJob', before: shown(job), after: shown(taken) })
  return taken
}

/** A caller who cannot see the job needs all rights, and can never take over an import: its file belongs to the owner. */
async function assertMayTake(tx: Transaction, caller: Caller, job: BulkJob): Promise<void> {
  const isSeen = maySee(caller, job)
  if (!isSeen && job.kind === 'import') throw notFound('Bulk job', job.id)
  if (caller.role.id === ADMIN_ROLE_ID) return
  try {
    const assertMay = await rightsOf(tx, await tx.bulkJobs.taskOf(job.id))
    assertMay(caller.role, await tx.model())
  } catch (error) {
    const isDenied = error instanceof PimletError && error.code === 'PERMISSION_DENIED'
    throw isDenied && !isSeen ? notFound('Bulk job', job.id) : error
  }
}
