// Looks up the present role of an owner. Contract 3 §12.
import { asOwner, type Owner, roleOfOwner } from '../core/accounts/rules/owner.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import { assertMayExport } from '../exports/rules/export-job-rights.ts'
import type { ExportJob } from '../exports/rules/export-job.ts'
import { isBySavedQuery } from '../exports/rules/job-selection.ts'
import type { SavedQuery } from '../core/search/rules/saved-query.ts'
import type { Reads } from './port.ts'

type OwnerReads = Pick<Reads, 'model' | 'users' | 'apiKeys'>
type JobOwnerReads = OwnerReads & Pick<Reads, 'savedQueries'>

/** @throws OwnerFault */
export async function findOwner(reads: OwnerReads, now: Date, owner: Owner): Promise<{ name: string; role: Role }> {
  const { ownerId: id, ownerKind: kind } = owner
  const holder = kind === 'user' ? await reads.users.get(id) : await reads.apiKeys.get(id)
  const role = roleOfOwner(owner, holder, (await reads.model()).roles, now)
  return { name: holder!.name, role }
}

/** Returns the role with which a job exports now. @throws OwnerFault if the owner lacks a right that the job needs */
export async function findJobRole(reads: JobOwnerReads, now: Date, job: ExportJob): Promise<Role> {
  const { role } = await findOwner(reads, now, job)
  const [model, query] = [await reads.model(), await findJobQuery(reads, job)]
  asOwner(job, () => assertMayExport(job, query, { id: job.ownerId, role }, model))
  return role
}

/** Returns the saved query of a job; undefined: the job has none, or the query is deleted. */
export async function findJobQuery(
  { savedQueries }: Pick<Reads, 'savedQueries'>,
  { selection }: Pick<ExportJob, 'selection'>,
): Promise<SavedQuery | undefined> {
  return selection === null || !isBySavedQuery(selection) ? undefined : savedQueries.get(selection.savedQueryId)
}
