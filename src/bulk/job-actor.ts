// Finds the caller on whose behalf a job runs: its owner, with the owner's current role. Contract 3 §10, 3 §12.
import type { BulkJob } from '../core/jobs/rules/bulk-job.ts'
import { asOwner } from '../core/accounts/rules/owner.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { System } from '../kernel/machine/system.ts'
import { findOwner } from '../store/owners.ts'
import type { Reads, Store } from '../store/port.ts'
import type { Caller } from '../core/accounts/caller.ts'

type ActorReads = Pick<Reads, 'model' | 'users' | 'apiKeys'>

/** @throws PERMISSION_DENIED where the role lacks a permission that the job needs */
export type AssertMay = (role: Role, model: Model) => void

export interface JobDeps {
  readonly store: Store
  readonly system: System
  /** Checks the permissions that the owner needs. */
  readonly assertMay: AssertMay
}

/** @throws OwnerFault where the owner is gone, is locked out, or lacks a permission. The job is then paused. */
export async function findActor(
  reads: ActorReads,
  system: Pick<System, 'now'>,
  owner: Pick<BulkJob, 'ownerId' | 'ownerKind'>,
  assertMay?: AssertMay,
): Promise<Caller> {
  const { name, role } = await findOwner(reads, system.now(), owner)
  const model = await reads.model()
  asOwner(owner, () => assertMay?.(role, model))
  return { id: owner.ownerId, kind: owner.ownerKind, name, role }
}
