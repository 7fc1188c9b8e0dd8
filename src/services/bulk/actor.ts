// On whose behalf a job goes on: its owner, with the role as it is now. Contract 3 §10, 3 §12.
import type { BulkJob } from '../../domain/bulk/bulk-job.ts'
import type { System } from '../../machine/system.ts'
import { findOwner } from '../../storage/owners.ts'
import type { Reads } from '../../storage/port.ts'
import type { Caller } from '../accounts/caller.ts'

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
