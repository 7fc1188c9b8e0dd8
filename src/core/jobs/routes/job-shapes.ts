// Shapes of jobs as clients see them: bulk jobs, imports, undoing, and changes of the model. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { Timestamp } from '../../../kernel/input/validation.ts'
import { OwnerId } from '../../../kernel/input/common-shapes.ts'
import { PausedReasonShape } from '../../accounts/rules/owner.ts'
import { BULK_KINDS, BULK_STATUSES, BulkSampleShape, Count, SHOWN_SAMPLES } from '../rules/bulk-job.ts'
import { RecordLimitShape } from '../../records/rules/record-limit.ts'

/** In a dry run of an import that would exceed the record limit. */
export const LimitMember = v.optional(
  v.pipe(
    RecordLimitShape,
    v.description('In a dry run: the import would exceed the record limit, so the server would refuse it.'),
  ),
)

/** Options and categories that an import makes, or would make. */
export const MakingMember = v.optional(
  v.pipe(
    v.object({
      options: v.array(
        v.object({ schemaId: v.string(), attributeAlias: v.string(), id: v.string(), name: v.string() }),
      ),
      otherOptions: v.pipe(v.number(), v.description('How many more options there are.')),
      categories: v.pipe(
        v.array(v.object({ catalogId: v.string(), path: v.string() })),
        v.description('Names from the root of the catalog, joined by /.'),
      ),
      otherCategories: v.number(),
    }),
    v.description('In an import with createOptions or createCategories: what it has made, or in a dry run would make.'),
  ),
)

export const BulkJobShape = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  kind: v.picklist(BULK_KINDS),
  status: v.pipe(
    v.picklist(BULK_STATUSES),
    v.description(
      'interrupted: the server stopped during the job; the job continues at the next start. With a `pausedReason`, the job waits until a caller takes it over.',
    ),
  ),
  dryRun: v.boolean(),
  selected: v.pipe(
    Count,
    v.description('The number of records to process; in an import of a zip, of files. It is final once the job runs.'),
  ),
  done: v.pipe(Count, v.description('The number of processed records: the sum of changed, unchanged and failed.')),
  changed: Count,
  unchanged: Count,
  failed: Count,
  created: v.optional(v.pipe(Count, v.description('In an import: how many of the changed records are new.'))),
  updated: v.optional(Count),
  importId: v.optional(v.pipe(v.string(), v.description('In an import: the ID of the import.'))),
  createdAt: Timestamp,
  startedAt: v.nullable(Timestamp),
  completedAt: v.nullable(Timestamp),
  createdBy: v.string(),
  ownerId: OwnerId,
  pausedReason: PausedReasonShape,
  undoes: v.pipe(v.nullable(v.string()), v.description('The job that this job undoes.')),
  undoneBy: v.pipe(v.nullable(v.string()), v.description('The job that undoes this job.')),
  sample: v.optional(
    v.pipe(
      v.array(BulkSampleShape),
      v.description(`In a dry run: the first ${SHOWN_SAMPLES} records that would change.`),
    ),
  ),
  limit: LimitMember,
  making: MakingMember,
  fetches: v.optional(
    v.pipe(
      Count,
      v.description('After the dry run of an import with the step fetch: files that the import would fetch.'),
    ),
  ),
  pictures: v.optional(
    v.pipe(
      Count,
      v.description('In an import of a zip: the records of pictures that it has made, or in a dry run would make.'),
    ),
  ),
})
