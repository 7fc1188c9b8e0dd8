// A bulk job as a row: a column for each of its members; why it is paused is JSON.
import type { BulkJob } from '../../core/jobs/rules/bulk-job.ts'

/** Column → member. */
const MEMBERS = {
  id: 'id',
  name: 'name',
  kind: 'kind',
  status: 'status',
  dry_run: 'dryRun',
  created_at: 'createdAt',
  started_at: 'startedAt',
  completed_at: 'completedAt',
  created_by: 'createdBy',
  owner_id: 'ownerId',
  owner_kind: 'ownerKind',
  paused_reason: 'pausedReason',
  undoes: 'undoes',
  undone_by: 'undoneBy',
  is_selected: 'isSelected',
  first_version: 'firstVersion',
  selected: 'selected',
  done: 'done',
  changed: 'changed',
  unchanged: 'unchanged',
  failed: 'failed',
  created: 'created',
  updated: 'updated',
  import_id: 'importId',
  round: 'round',
  position: 'position',
  records_after: 'recordsAfter',
} as const satisfies Record<string, keyof BulkJob>
export const BULK_JOB_COLUMNS = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]
export const SELECTED_COLUMNS = BULK_JOB_COLUMNS.map((column) => `${column} AS ${MEMBERS[column]}`).join(', ')

export type BulkJobRow = Omit<BulkJob, 'dryRun' | 'isSelected' | 'pausedReason'> & {
  readonly pausedReason: string | null
  readonly dryRun: number
  readonly isSelected: number
}

export function toJob({ dryRun, isSelected, pausedReason: reason, ...row }: BulkJobRow): BulkJob {
  const pausedReason = reason === null ? null : (JSON.parse(reason) as BulkJob['pausedReason'])
  return { ...row, dryRun: dryRun === 1, isSelected: isSelected === 1, pausedReason }
}

export function valuesOf(job: BulkJob): unknown[] {
  return BULK_JOB_COLUMNS.map((column) => job[MEMBERS[column]]).map((value) => {
    if (typeof value === 'boolean') return Number(value)
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  })
}
