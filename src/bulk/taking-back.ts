// The end of the undo of an import: removes options, categories and parts of the model that the import made, unless
// something uses them. Contract 3 §4, 5 §1.
import { removeUnusedOptions } from '../core/model/changes/made-options.ts'
import type { ModelChanges } from '../core/model/changes/model-changes.ts'
import { removeEmptyCategory } from '../core/model/made-categories.ts'
import { takeBackModel } from '../core/model/new-models.ts'
import type { BulkJob, MadeByImport } from '../core/jobs/rules/bulk-job.ts'
import { PimletError } from '../kernel/errors.ts'
import type { Reads, Store } from '../store/port.ts'
import { findActor, type JobDeps } from './job-actor.ts'

/** Categories of one transaction. */
const AT_ONCE = 20

interface TakingBackDeps extends JobDeps {
  readonly modelChanges: ModelChanges
}

/** @throws OwnerFault; UNAVAILABLE while the schema is being changed; the signal's reason */
export async function takeBackMade(
  deps: TakingBackDeps,
  job: BulkJob,
  { schemaId, options, categories, model }: MadeByImport,
  signal: AbortSignal,
): Promise<void> {
  const { store, system, assertMay } = deps
  const origin = { kind: 'undo', id: job.id } as const
  const caller = await findActor(store.read, system, job, assertMay)
  const asked = { schemaId, origin, options: new Map(Object.entries(options)) }
  const removing = removeUnusedOptions(deps, caller, asked, signal)
  await removing.catch((error: unknown) => keepOptions(store, job, schemaId, error))
  // Children were made after their parents.
  const ids = categories.toReversed()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    signal.throwIfAborted()
    await store.whenCalm()
    await store.transaction(async (tx) => {
      if ((await tx.bulkJobs.get(job.id))?.status !== 'running') return
      const actor = { system, origin, caller: await findActor(tx, system, job, assertMay) }
      for (const id of ids.slice(at, at + AT_ONCE)) await removeEmptyCategory(tx, actor, id)
    })
  }
  if (model === undefined) return
  const callerIn = async (reads: Reads) =>
    (await reads.bulkJobs.get(job.id))?.status === 'running' ? findActor(reads, system, job, assertMay) : undefined
  await takeBackModel({ ...deps, origin, callerIn }, model)
}

/**
 * Decides what a conflict means. If the schema is being changed, the job continues later. Otherwise a record has just got
 * one of the options: the options stay, and the job notes the error.
 * @throws UNAVAILABLE while the schema is being changed; `error` if it is no conflict
 */
async function keepOptions(store: Store, { id }: BulkJob, schemaId: string, error: unknown): Promise<void> {
  if (!(error instanceof PimletError) || error.code !== 'CONFLICT') throw error
  const { message } = error
  const changes = await store.read.modelChanges.list()
  if (changes.some(({ kind, before }) => kind === 'schema' && before.id === schemaId))
    throw new PimletError('UNAVAILABLE', message, { retryAfter: 5 })
  await store.transaction(async (tx) => {
    // An earlier attempt may have stored the error before the server was killed.
    const isTold = (await tx.bulkJobs.errorsFrom(id, -1, 1))[0]?.place === 0
    if (!isTold) await tx.bulkJobs.addError(id, 0, { recordId: null, error: 'CONFLICT', message, line: null })
  })
}
