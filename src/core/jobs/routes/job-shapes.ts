// Shapes of jobs as clients see them: bulk jobs, imports, undoing, and changes of the model. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { OwnerId, Timestamp } from '../../../http/common-shapes.ts'
import { PausedReasonShape } from '../../accounts/rules/owner.ts'
import { AttributeChangeShape, CategoriesChangeShape } from '../../records/routes/history-shapes.ts'
import { BULK_KINDS, BULK_STATUSES, type BulkJobView, SHOWN_SAMPLES, toShownJob } from '../rules/bulk-job.ts'

export const RecordLimitShape = v.object({
  records: v.pipe(v.number(), v.description('How many records there would be after the import, variants included.')),
  max: v.pipe(v.number(), v.description('How many there may be.')),
})

/** Of a dry run, where the import would pass the limit. */
export const LimitMember = v.optional(
  v.pipe(
    RecordLimitShape,
    v.description('Of a dry run of an import that would pass the limit of records: the import would be refused.'),
  ),
)

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Line = v.optional(v.pipe(v.number(), v.description('Of an import: of the file, from 1.')))

export const BulkSampleShape = v.object({
  recordId: v.pipe(v.nullable(v.string()), v.description('null: a row of an import that failed, and names none.')),
  line: Line,
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
})

export const BulkJobShape = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  kind: v.picklist(BULK_KINDS),
  status: v.pipe(
    v.picklist(BULK_STATUSES),
    v.description(
      'interrupted: the server stopped meanwhile, and the job goes on with its next start. With a `pausedReason` it waits until somebody takes it over.',
    ),
  ),
  dryRun: v.boolean(),
  selected: v.pipe(Count, v.description('How many records it is for: final once it runs.')),
  done: v.pipe(Count, v.description('How many of them were judged: the sum of changed, unchanged and failed.')),
  changed: Count,
  unchanged: Count,
  failed: Count,
  created: v.optional(v.pipe(Count, v.description('Of an import: of those that are changed.'))),
  updated: v.optional(Count),
  importId: v.optional(v.pipe(v.string(), v.description('Of an import: its file.'))),
  createdAt: Timestamp,
  startedAt: v.nullable(Timestamp),
  completedAt: v.nullable(Timestamp),
  createdBy: v.string(),
  ownerId: OwnerId,
  pausedReason: PausedReasonShape,
  undoes: v.pipe(v.nullable(v.string()), v.description('The job that this one undoes.')),
  undoneBy: v.pipe(v.nullable(v.string()), v.description('The job that undoes this one.')),
  sample: v.optional(
    v.pipe(
      v.array(BulkSampleShape),
      v.description(`Of a dry run: the first ${SHOWN_SAMPLES} records that would change.`),
    ),
  ),
  limit: LimitMember,
})

export function toJobBody(view: BulkJobView) {
  return toShownJob(view)
}
