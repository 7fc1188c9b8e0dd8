// On whose behalf a job goes on: its caller, with the role as it is now. Contract 3 §10.
import { denied } from '../../domain/errors.ts'
import type { BulkJob } from '../../domain/bulk/bulk-job.ts'
import type { Reads } from '../../storage/port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'

type ActorReads = Pick<Reads, 'model' | 'users' | 'apiKeys'>

/** @throws PERMISSION_DENIED where who began the job is gone, or may not sign in any more */
export async function findActor(
  reads: ActorReads,
  system: Pick<System, 'now'>,
  { createdBy: id, callerKind: kind }: Pick<BulkJob, 'createdBy' | 'callerKind'>,
): Promise<Caller> {
  const holder = kind === 'user' ? await findUser(reads, id) : await findKey(reads, id, system)
  const role = holder && (await reads.model()).roles.get(holder.roleId)
  if (holder === undefined || role === undefined) throw denied(`'${id}', who began the job, has no access any more`)
  return { id, kind, name: holder.name, role }
}

async function findUser({ users }: ActorReads, id: string) {
  const user = await users.get(id)
  return user?.disabled === true ? undefined : user
}

async function findKey({ apiKeys }: ActorReads, id: string, system: Pick<System, 'now'>) {
  const key = await apiKeys.get(id)
  const isExpired = key !== undefined && key.expiresAt !== null && Date.parse(key.expiresAt) <= system.now().getTime()
  return isExpired ? undefined : key
}
