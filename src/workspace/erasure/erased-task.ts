// The task of a job that has ended, without values: what an undo asks of it stays. Contract 3 §3.
import { aliasesOf, type BulkAction } from '../../bulk/rules/bulk-actions.ts'
import type { BulkTask } from '../../core/jobs/rules/bulk-job.ts'

export function withoutValues(task: BulkTask): BulkTask {
  if (task.kind !== 'bulk') return task
  return { kind: 'bulk', selection: { ids: [] }, actions: task.actions.map(emptied) }
}

function emptied(action: BulkAction): BulkAction {
  const nothing = (): Record<string, unknown> => Object.fromEntries(aliasesOf([action]).map((alias) => [alias, []]))
  if ('setValues' in action) return { setValues: nothing() }
  if ('patchValues' in action) return { patchValues: nothing() }
  if ('replaceText' in action) return { replaceText: { ...action.replaceText, find: '-', replace: '' } }
  return action
}
