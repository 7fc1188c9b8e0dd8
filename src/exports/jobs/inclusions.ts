// The use cases of asking why a record is, or is not, in an export. Contract 3 §5, 3 §11.
import type { Caller } from '../../core/accounts/caller.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { findRecord } from '../../core/records/readable-records.ts'
import { parseValues, scopedValues } from '../../core/records/rules/record.ts'
import { OwnerFault } from '../../core/accounts/rules/owner.ts'
import { assertPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { searchOf } from '../../core/model/job-uses.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { assertMayFind } from '../../core/search/rules/searched-schemas.ts'
import { PimletError } from '../../kernel/errors.ts'
import { pageSlices } from '../../kernel/turn-slices.ts'
import type { System } from '../../kernel/machine/system.ts'
import { findJobRole } from '../../store/owners.ts'
import type { Reads, Store } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { ExportJob } from '../rules/export-job.ts'
import { type Inclusion, type JobInclusion, judgeInclusion, type RecordFacts } from '../rules/inclusion.ts'
import { questionOfJob, showSelection } from '../rules/job-selection.ts'
import type { ExportEngine } from './export-engine.ts'

/** Facts of a record that are the same for all jobs. */
interface FoundFacts extends RecordFacts {
  readonly record: StoredRecord
  readonly parent: StoredRecord | undefined
}

interface OwnedJob {
  readonly job: ExportJob
  /** The role of the job's owner; undefined: the owner may not run the job. */
  readonly role: Role | undefined
}

export function createInclusionService(deps: { store: Store; system: System; engine: Pick<ExportEngine, 'nextKind'> }) {
  const { store, system, engine } = deps

  async function judge({ job, role }: OwnedJob, facts: FoundFacts, caller: Caller, model: Model, signal: AbortSignal) {
    const { delta } = await store.read.exportFeeds.get(job.id)
    return judgeInclusion(job, role, {
      ...facts,
      version: await versionFor(job, facts, model, store.read),
      selection: {
        expected: showSelection(job.selection, model, caller.role),
        actual: role === undefined || (await isSelected(store, job, facts.record.id, { role, signal })),
      },
      // A full file, and the first one, asks for no change.
      versionAfter: delta === null || engine.nextKind(job, delta) === 'full' ? null : delta.position,
    })
  }

  async function withRole(reads: Reads, job: ExportJob): Promise<OwnedJob> {
    try {
      return { job, role: await findJobRole(reads, system.now(), job) }
    } catch (error) {
      if (error instanceof OwnerFault) return { job, role: undefined }
      throw error
    }
  }

  return {
    /** Explains one job. @throws NOT_FOUND for the job or the record; PERMISSION_DENIED without records.read; UNAVAILABLE */
    async explain(caller: Caller, jobId: string, recordId: string, signal: AbortSignal): Promise<Inclusion> {
      assertPermission(caller.role, 'records.read')
      const [job, facts, model] = await store.snapshot(async (reads) => {
        const found = await withRole(reads, await reads.exportJobs.find(jobId))
        return [found, await factsOf(await findRecord(reads, recordId), reads), await reads.model()] as const
      })
      return judge(job, facts, caller, model, signal)
    },

    /**
     * Explains all jobs, in the order of creation, active or not.
     * @throws NOT_FOUND, PERMISSION_DENIED without exportJobs.read, UNAVAILABLE
     */
    async ofRecord(caller: Caller, recordId: string, signal: AbortSignal): Promise<JobInclusion[]> {
      assertPermission(caller.role, 'exportJobs.read')
      const [facts, model] = await store.snapshot(
        async (reads) => [await factsOf(await findRecord(reads, recordId), reads), await reads.model()] as const,
      )
      const found: JobInclusion[] = []
      for await (const page of store.read.exportJobs.pages()) {
        for (const job of page) {
          const { id: jobId, name } = job
          found.push({ jobId, name, ...(await judge(await withRole(store.read, job), facts, caller, model, signal)) })
        }
        await pageSlices.take()
      }
      return found
    },
  }
}

async function factsOf(record: StoredRecord, { categories, records }: Reads): Promise<FoundFacts> {
  const catalogIds = new Set<string>()
  for (const id of record.parentId === null ? [record.id] : [record.id, record.parentId])
    for (const { categoryId } of await categories.assignmentsOf(id))
      catalogIds.add((await categories.get(categoryId))!.catalogId)
  const parent = record.parentId === null ? undefined : await records.get(record.parentId)
  // A variant changes with its parent.
  const version = Math.max(record.version, parent?.version ?? 0)
  return { record, parent, catalogIds: [...catalogIds], version }
}

/** A record changes for the job with the records that its columns read. */
async function versionFor(
  { columns }: ExportJob,
  { record, parent, version }: FoundFacts,
  { schemas }: Model,
  { records }: Pick<Reads, 'records'>,
): Promise<number> {
  const aliases = (columns ?? []).flatMap(({ attributeAlias, via }) => (via === undefined ? [] : attributeAlias!))
  const ids = aliases.flatMap((alias) => {
    const attribute = schemas.get(record.schemaId)?.attribute(alias)
    const named = attribute && dataTypeOf(attribute).records?.named
    const layers = parent === undefined ? [record] : [record, parent]
    return named === undefined
      ? []
      : layers.flatMap((layer) => scopedValues(parseValues(layer), alias).flatMap(({ value }) => [...named(value)]))
  })
  const linked = ids.length === 0 ? [] : [...(await records.getMany([...new Set(ids)])).values()]
  return Math.max(version, ...linked.map((one) => one.version))
}

/** For the selection alone, without the other rules of the job. */
const NO_RULES = { schemaId: null, catalogId: null, includeVariants: true, includeLifecycleStateIds: null }

/** A text says why the selection cannot be evaluated. @throws UNAVAILABLE */
async function isSelected(
  { read }: Store,
  job: ExportJob,
  recordId: string,
  { role, signal }: { readonly role: Role; readonly signal: AbortSignal },
): Promise<boolean | string> {
  if (job.selection === null) return true
  const search = await searchOf(read, job)
  if (search === undefined) return 'its saved query no longer exists'
  const { criteria, text, schemaId } = questionOfJob(NO_RULES, search, [])
  try {
    assertMayFind(await read.model(), role, { ...criteria, schemaId: schemaId ?? job.schemaId })
  } catch (error) {
    if (error instanceof PimletError) return error.message
    throw error
  }
  const isIt = { field: 'id', operator: 'equals', value: recordId } as const
  const find = { kind: 'criteria', criteria: { criteria: [isIt, criteria], criteriaOperator: 'and' }, text } as const
  const { batches } = await read.search(
    { find, role, schemaId, offset: 0, limit: null, isCounted: false, withoutValues: true },
    signal,
  )
  let isFound = false
  for await (const batch of batches) isFound ||= batch.length > 0
  return isFound
}
