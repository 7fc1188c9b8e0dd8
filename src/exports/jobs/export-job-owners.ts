// The owner of an export job, and who may take the job over. Contract 3 §12.
import { asOwnerOf, isOwner, type Owner } from '../../core/accounts/rules/owner.ts'
import { ADMIN_ROLE_ID } from '../../core/accounts/rules/permissions.ts'
import type { ExportJob } from '../rules/export-job.ts'
import { assertMayExport } from '../rules/export-job-rights.ts'
import { isSameValue } from '../../kernel/text.ts'
import { findJobQuery } from '../../store/owners.ts'
import type { Transaction } from '../../store/port.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { ExportEngine } from './export-engine.ts'
import { leadToTheSame } from './job-settings.ts'

/** A job without its owner, as a client writes it. */
export type Unowned = Omit<ExportJob, keyof Owner>

/** The owner after the caller replaced `before` by `after`. A caller who changes content or address becomes the owner. */
export function ownerAfter(caller: Caller, before: ExportJob, after: Unowned, engine: ExportEngine): Owner {
  if (isOwner(caller, before)) return asOwnerOf(caller)
  const { ownerId, ownerKind, roleId } = before
  const kept = { ownerId, ownerKind, ...(roleId === undefined ? {} : { roleId }) }
  const isSame = haveSameContent(before, after) && leadToTheSame(before, { ...after, ...kept }, engine)
  return isSame ? kept : asOwnerOf(caller)
}

/** Members of a job that do not decide the content of its file. */
const OUTSIDE_OF_FILE: ReadonlySet<string> = new Set<keyof ExportJob>([
  'name',
  'description',
  'schedule',
  'timezone',
  'active',
  'missedRunPolicy',
  'maxAttempts',
  'guards',
  'createdAt',
  'createdBy',
  'updatedAt',
  'handledUntil',
  'pausedReason',
  'resumesWithOwner',
  'destinationType',
  'destinationConfig',
  'secrets',
  'ownerId',
  'ownerKind',
  'roleId',
])

/** Whether the files of both hold the same. */
export function haveSameContent(one: Unowned, other: Unowned): boolean {
  return isSameValue(contentOf(one), contentOf(other))
}

function contentOf(job: Unowned): unknown {
  return Object.fromEntries(Object.entries(job).filter(([member]) => !OUTSIDE_OF_FILE.has(member)))
}

/**
 * The job with the caller as owner. A pause because of the former owner ends. @throws PERMISSION_DENIED naming the missing
 * right
 */
export async function takenOver(caller: Caller, job: ExportJob, tx: Transaction, now: string): Promise<ExportJob> {
  if (caller.role.id !== ADMIN_ROLE_ID) assertMayExport(job, await findJobQuery(tx, job), caller, await tx.model())
  const { ownerId: _id, ownerKind: _kind, roleId: _roleId, ...rest } = job
  const owned = { ...rest, ...asOwnerOf(caller), updatedAt: now }
  return job.pausedReason?.code === 'OWNER' ? resumed(owned, job.resumesWithOwner, now) : owned
}

/** The job without the pause that the server had set. */
export function resumed(job: ExportJob, active: boolean, now: string): ExportJob {
  return { ...job, active, pausedReason: null, resumesWithOwner: false, updatedAt: now, handledUntil: now }
}
