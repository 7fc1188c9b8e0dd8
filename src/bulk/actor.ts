// On whose behalf a job goes on: its owner, with the role as it is now. Contract 3 §10, 3 §12.
import type { BulkJob } from '../core/jobs/rules/bulk-job.ts'
import type { System } from '../kernel/machine/system.ts'
import { findOwner } from '../store/owners.ts'
import type { Reads } from '../store/port.ts'
import type { Caller } from '../core/accounts/caller.ts'

type ActorReads = Pick<Reads, 'model' | 'users' | 'apiKeys'>

/** @throws PERMISSION_DENIED where the owner is gone, or may not sign in any more: the job fails */
export async function findActor(
  reads: ActorReads,
  system: Pick<System, 'now'>,
  { createdBy: id, callerKind: kind }: Pick<BulkJob, 'createdBy' | 'callerKind'>,
): Promise<Caller> {
  const { name, role } = await findOwner(reads, system.now(), { ownerId: id, ownerKind: kind })
  return { id, kind, name, role }
}
