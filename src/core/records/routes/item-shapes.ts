// Shapes of records in the answers of lists and searches, with the additional members. Contract 3 §1, 3 §10, 3 §11.
import * as v from 'valibot'
import { AssignmentShape } from '../../model/rules/catalog.ts'
import { RecordPageShape } from './record-shapes.ts'
import { AvailableTransitionShape } from '../rules/transition.ts'
import { RecordShape, ValuesShape } from '../rules/record.ts'
import { CompletenessShape, MissingFieldShape, Percentage } from '../rules/completeness.ts'
import { CombinationScoreShape } from '../rules/combination-scores.ts'
import { RecordImageShape } from '../rules/record-image.ts'

const CombinationScoresShape = v.pipe(
  v.array(CombinationScoreShape),
  v.description('The score of each combination of segments, with by=combination.'),
)

/** The answer of the endpoint of completeness. */
export const ScoredCompletenessShape = v.object({
  ...CompletenessShape.entries,
  combinations: v.optional(CombinationScoresShape),
})

export const ItemCompletenessShape = v.object({
  stateId: v.pipe(v.string(), v.description('The state that the record is scored for.')),
  percentage: Percentage,
  filled: v.number(),
  total: v.number(),
  combinations: v.optional(CombinationScoresShape),
  missing: v.array(MissingFieldShape),
})

const ItemMembers = {
  version: v.optional(v.pipe(v.number(), v.description("The number in the record's ETag."))),
  variantCount: v.optional(v.number()),
  image: v.optional(
    v.pipe(
      v.nullable(RecordImageShape),
      v.description('The first picture of the image attribute of the schema. null: none.'),
    ),
  ),
  categories: v.optional(v.pipe(v.array(AssignmentShape), v.description("The record's own assignments."))),
  resolved: v.optional(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.description('Alias → the effective value in the scope `resolve`; absent if there is none.'),
    ),
  ),
  effectiveValues: v.optional(
    v.pipe(
      ValuesShape,
      v.description(
        'Like `values`, but with inherited values: the most specific scoped value that covers a combination is the effective one.',
      ),
    ),
  ),
  completeness: v.optional(ItemCompletenessShape),
}

/** A record with the further members that the request asks for. */
export const FoundRecordShape = v.object({ ...RecordShape.entries, ...ItemMembers })

export const FoundRecordPageShape = v.object({ ...RecordPageShape.entries, items: v.array(FoundRecordShape) })

/** A record that is read by ID. */
export const ReadRecordShape = v.object({
  ...FoundRecordShape.entries,
  transitions: v.optional(v.pipe(v.array(AvailableTransitionShape), v.description('The same as `GET …/transitions`.'))),
  variants: v.optional(v.pipe(v.array(RecordShape), v.description('All variants, oldest first.'))),
})

/** `select` among the parameters of a query. */
export const selectParameter = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(65_536, 'must be at most 65536 characters long'),
    v.description('Aliases, separated by commas: only these attributes are sent. Empty: none. Default: all.'),
  ),
)

/** `include` among the parameters of a query. */
export function includeParameter(members: readonly string[]) {
  const description = `More members of each record, separated by commas: ${members.map((member) => `\`${member}\``).join(', ')}.`
  return v.optional(v.pipe(v.string(), v.description(description)))
}
