// Permissions that a role needs for a job to continue. They are the same as for posting the job. Contract 3 §12.
import type { BulkTask } from '../core/jobs/rules/bulk-job.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import { PimletError } from '../kernel/errors.ts'
import { assertMayImport } from '../imports/rules/import-rights.ts'
import type { Reads } from '../store/port.ts'
import type { AssertMay } from './job-actor.ts'
import { assertMayDetach } from './detaching.ts'
import { assertMayAct, assertMayUndo } from './bulk-checks.ts'

/** Returns the check for a job with this task. */
export async function rightsOf({ bulkJobs }: Pick<Reads, 'bulkJobs'>, task: BulkTask): Promise<AssertMay> {
  const undone = task.kind === 'undo' ? await bulkJobs.taskOf(task.jobId) : undefined
  return (role, model) => {
    if (undone !== undefined) assertMayUndo(role, undone)
    else if (task.kind === 'import') assertMayImport(role, task.mapping, model)
    else if (task.kind === 'detach') assertMayDetach(role)
    else if (task.kind === 'bulk') assertMayStillAct(role, model, task)
  }
}

/** Ignores a query that no longer fits the model: the search reports the fault. */
function assertMayStillAct(
  role: Role,
  model: Model,
  { selection, actions }: Extract<BulkTask, { kind: 'bulk' }>,
): void {
  try {
    assertMayAct(model, role, selection, actions)
  } catch (error) {
    if (!(error instanceof PimletError) || error.code !== 'VALIDATION_ERROR') throw error
  }
}
