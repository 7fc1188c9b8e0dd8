// Shapes of bulk jobs: what is asked for, how a job stands, and what became of records. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { BulkActionInput, findActionsFault, MAX_ACTIONS } from '../../domain/bulk/bulk-actions.ts'
import { BULK_KINDS, BULK_OUTCOMES, BULK_STATUSES, SHOWN_SAMPLES, toShownJob } from '../../domain/bulk/bulk-job.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import { exactObject } from '../../domain/input/exact-object.ts'
import { choiceOf, listOf, Name, NewId } from '../../domain/input/validation.ts'
import { SelectionInput } from '../../domain/search/selection.ts'
import type { BulkJobView } from '../../services/bulk/bulk-jobs.ts'
import { LimitMember } from './import-shapes.ts'
import { AttributeChangeShape, CategoriesChangeShape } from './history-shapes.ts'
import { OwnerId, PageQuery, Timestamp, Wait } from './schemas.ts'

/** IDs in one selection, and as many exceptions. */
const MAX_IDS = 10_000
const Ids = listOf(
  v.pipe(v.string('must be a string'), v.maxLength(128, 'must be at most 128 characters long')),
  MAX_IDS,
)

export const SelectionByIdsShape = exactObject({ ids: Ids })
export const SelectionByQueryShape = exactObject({
  query: v.pipe(SelectionInput, v.description('As the body of a search.')),
  except: v.optional(v.pipe(Ids, v.description('IDs of records that match, and are left alone.'))),
})
export const BulkSelectionShape = v.pipe(
  choiceOf([SelectionByIdsShape, SelectionByQueryShape], (input) =>
    isByIds(input) ? SelectionByIdsShape : SelectionByQueryShape,
  ),
  v.description('Records by their IDs, or all that match a query when the job begins.'),
)

function isByIds(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'ids' in input
}

const Actions = v.pipe(
  listOf(BulkActionInput, MAX_ACTIONS),
  v.minLength(1, 'must have one item at least'),
  v.check((actions) => findActionsFault(actions) === undefined, 'must not go on after delete'),
  v.description('Done to each record in this order: all of them, or none.'),
)

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

const Line = v.optional(v.pipe(v.number(), v.description('Of an import: of the file, from 1.')))

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
    v.description('interrupted: the server stopped meanwhile, and the job goes on with its next start.'),
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

export const BulkJobBody = exactObject(
  {
    id: v.optional(NewId),
    name: v.nullish(Name),
    selection: BulkSelectionShape,
    actions: Actions,
    dryRun: v.pipe(
      v.optional(v.boolean('must be true or false'), false),
      v.description('Say what would become of each record, and change nothing.'),
    ),
  },
  // What a GET answers besides, and the server alone says.
  Object.keys(BulkJobShape.entries).filter((key) => !['id', 'name', 'dryRun'].includes(key)),
)

export const BulkErrorShape = v.object({
  recordId: v.pipe(v.nullable(v.string()), v.description('null: of the job as a whole, or of a row that names none.')),
  line: Line,
  error: v.picklist(ERROR_CODES),
  message: v.string(),
})

export const BulkJobQuery = exactObject({ wait: v.optional(Wait) })
export const BulkSamplesQuery = exactObject({
  outcome: v.pipe(
    v.optional(v.picklist(BULK_OUTCOMES, `must be one of ${BULK_OUTCOMES.join(', ')}`), 'updated'),
    v.description('Of which records.'),
  ),
  ...PageQuery.entries,
})

export function toJobBody(view: BulkJobView) {
  return toShownJob(view)
}
