// The use cases of asking why a record is, or is not, in an export. Contract 3 §5, 3 §11.
import type { ExportJob } from '../../domain/exports/export-job.ts'
import { type Inclusion, type InclusionFacts, judgeInclusion } from '../../domain/exports/inclusion.ts'
import { assertPermission } from '../../domain/accounts/permissions.ts'
import type { Reads, Store } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { Caller } from '../accounts/caller.ts'
import { findRecord } from '../records/record-writing.ts'
import { findJob } from './export-jobs.ts'

export interface JobInclusion extends Inclusion {
  readonly jobId: string
  readonly name: string
}

export function createInclusionService({ store }: { store: Store }) {
  return {
    /** Of one job. @throws NOT_FOUND for the job or the record; PERMISSION_DENIED without records.read */
    explain(caller: Caller, jobId: string, recordId: string): Promise<Inclusion> {
      assertPermission(caller.role, 'records.read')
      return store.snapshot(async (reads) => {
        const job = await findJob(reads, jobId)
        const facts = await factsOf(await findRecord(reads, recordId), reads)
        return judge(job, facts, reads)
      })
    },

    /** Of all jobs, in the order of their creation, whether they are active or not. @throws NOT_FOUND, PERMISSION_DENIED without exportJobs.read */
    ofRecord(caller: Caller, recordId: string): Promise<JobInclusion[]> {
      assertPermission(caller.role, 'exportJobs.read')
      return store.snapshot(async (reads) => {
        const facts = await factsOf(await findRecord(reads, recordId), reads)
        const found: JobInclusion[] = []
        for (const job of await reads.exportJobs.list())
          found.push({ jobId: job.id, name: job.name, ...(await judge(job, facts, reads)) })
        return found
      })
    },
  }
}

export type InclusionService = ReturnType<typeof createInclusionService>

async function judge(job: ExportJob, facts: InclusionFacts, reads: Reads): Promise<Inclusion> {
  const { roles } = await reads.model()
  return judgeInclusion(job, facts, roles.get(job.roleId))
}

async function factsOf(record: StoredRecord, { categories }: Reads): Promise<InclusionFacts> {
  const catalogIds = new Set<string>()
  for (const id of record.parentId === null ? [record.id] : [record.id, record.parentId])
    for (const { categoryId } of await categories.assignmentsOf(id))
      catalogIds.add((await categories.get(categoryId))!.catalogId)
  return { record, catalogIds: [...catalogIds] }
}
