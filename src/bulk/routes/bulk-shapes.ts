// Shapes of bulk jobs: requests, status and outcomes. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { BulkActionInput, findActionsFault, MAX_ACTIONS } from '../rules/bulk-actions.ts'
import { BulkJobShape, BULK_OUTCOMES } from '../../core/jobs/rules/bulk-job.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { choiceOf, listOf, Name, NewId } from '../../kernel/input/validation.ts'
import { SelectionInput } from '../../core/search/rules/selection.ts'
import { PageQuery, Wait } from '../../kernel/input/common-shapes.ts'

/** Limit for the IDs of a selection, and for its exceptions. */
const MAX_IDS = 10_000
const Ids = listOf(
  v.pipe(v.string('must be a string'), v.maxLength(128, 'must be at most 128 characters long')),
  MAX_IDS,
)

export const SelectionByIdsShape = exactObject({ ids: Ids })
export const SelectionByQueryShape = exactObject({
  query: v.pipe(SelectionInput, v.description('The body of a search.')),
  except: v.optional(v.pipe(Ids, v.description('IDs of matching records that the job skips.'))),
})
export const BulkSelectionShape = v.pipe(
  choiceOf([SelectionByIdsShape, SelectionByQueryShape], (input) =>
    isByIds(input) ? SelectionByIdsShape : SelectionByQueryShape,
  ),
  v.description('Records by ID, or all records that match a query when the job begins.'),
)

function isByIds(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'ids' in input
}

const Actions = v.pipe(
  listOf(BulkActionInput, MAX_ACTIONS),
  v.minLength(1, 'must have one item at least'),
  v.check((actions) => findActionsFault(actions) === undefined, 'must not go on after delete'),
  v.description('The actions, applied to each record in this order: all of them, or none.'),
)

export const BulkJobBody = exactObject(
  {
    id: v.optional(NewId),
    name: v.nullish(Name),
    selection: BulkSelectionShape,
    actions: Actions,
    dryRun: v.pipe(
      v.optional(v.boolean('must be true or false'), false),
      v.description('Report the outcome for each record, and change nothing.'),
    ),
  },
  // Members that only the server sets, and that GET returns in addition.
  Object.keys(BulkJobShape.entries).filter((key) => !['id', 'name', 'dryRun'].includes(key)),
)

export const BulkJobQuery = exactObject({ wait: v.optional(Wait) })
export const BulkSamplesQuery = exactObject({
  outcome: v.pipe(
    v.optional(v.picklist(BULK_OUTCOMES, `must be one of ${BULK_OUTCOMES.join(', ')}`), 'updated'),
    v.description('The outcome of the records to list.'),
  ),
  ...PageQuery.entries,
})
