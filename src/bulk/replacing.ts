// Replaces a schema's definition once all records fit the new one. The noted model change holds the progress, so the
// job continues after a stop or a kill. Contract 3 §2.
import { PimletError } from '../kernel/errors.ts'
import { changeId, type ModelChange } from '../core/model/rules/model-change.ts'
import { SchemaReplacement } from '../core/model/changes/schema-replacement.ts'
import { settle } from '../core/model/changes/stages.ts'
import { Walk } from '../core/model/changes/schema-walk.ts'
import { findActor, type JobDeps } from './job-actor.ts'
import { clearFindings } from './findings.ts'

type Deps = Pick<JobDeps, 'store' | 'system'>

interface Task {
  readonly schemaId: string
  readonly dropValues: boolean
}

/**
 * Resolves when the job has succeeded or failed.
 * @throws UNAVAILABLE where the job must continue later, also after an abort by `signal`
 */
export async function replaceByJob(deps: Deps, id: string, task: Task, signal: AbortSignal): Promise<void> {
  const { store } = deps
  if (!(await begin(deps, id, task))) return
  const walk = new Walk(store, () => {
    if (signal.aborted) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
  })
  const changeOf = changeId('schema', task.schemaId)
  const change = await store.read.modelChanges.get(changeOf)
  if (isUnderWay(change)) {
    // Removes findings of an interrupted attempt.
    await clearFindings(store, id)
    try {
      const job = (await store.read.bulkJobs.get(id))!
      const caller = await findActor(store.read, deps.system, job)
      await new SchemaReplacement(deps, caller, change, task.dropValues).carryOut(walk)
    } catch (error) {
      if (!(error instanceof PimletError) || error.code === 'UNAVAILABLE') throw error
      // The error is stored first, because the steps after it may be interrupted.
      await store.transaction((tx) =>
        tx.bulkJobs.addError(id, 0, { recordId: null, error: error.code, message: error.message, line: null }),
      )
    }
  }
  await settle(store, changeOf, walk)
  await end(deps, id)
}

/** A change in stage `undo` has failed, and one in stage `clear` has happened. */
function isUnderWay(change: ModelChange | undefined): change is Extract<ModelChange, { kind: 'schema' }> {
  return change?.kind === 'schema' && change.stage !== 'undo' && change.stage !== 'clear'
}

/** Resolves to whether the job is running now. */
function begin({ store, system }: Deps, id: string, { schemaId }: Task): Promise<boolean> {
  return store.transaction(async (tx) => {
    const job = await tx.bulkJobs.get(id)
    if (job === undefined || job.completedAt !== null) return false
    const selected = job.isSelected ? job.selected : await tx.records.count({ schemaId })
    const startedAt = job.startedAt ?? system.now().toISOString()
    await tx.bulkJobs.update({ ...job, status: 'running', isSelected: true, selected, startedAt })
    return true
  })
}

async function end({ store, system }: Deps, id: string): Promise<void> {
  await store.transaction(async (tx) => {
    const job = await tx.bulkJobs.get(id)
    if (job === undefined) return
    const isFailed = (await tx.bulkJobs.errorsOf(id, { offset: 0, limit: 1 })).length > 0
    const completedAt = system.now().toISOString()
    // Records created meanwhile fit the new definition already.
    const selected = Math.max(job.selected, job.changed)
    const counts = isFailed ? {} : { selected, done: selected, unchanged: selected - job.changed }
    await tx.bulkJobs.update({ ...job, ...counts, status: isFailed ? 'failed' : 'succeeded', completedAt })
  })
}
