// Selects records, without order and paging: for searches, and for operations on all matches.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import type { Criteria } from './criteria.ts'
import { Cursor, Limit, Offset } from '../../../kernel/input/common-shapes.ts'
import { Flag } from '../../../kernel/input/validation.ts'
import { SortsInput } from './sorting.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { CriteriaInput } from './criteria-input.ts'
import { CRITERIA_OPERATORS } from './criterion.ts'
import { ITEM_VIEW_MEMBERS } from './item-view.ts'
import { MAX_WORDS, needlesOf, TEXT_MODES, type TextMode, type TextQuestion } from './text-question.ts'

export const SELECTION_MEMBERS = {
  criteria: CriteriaInput,
  criteriaOperator: v.picklist(CRITERIA_OPERATORS, "must be 'and' or 'or'"),
  text: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.maxLength(65_536, 'must be at most 65536 characters long'),
      v.description('Text to find in addition to the criteria. Both must match. Empty: no text.'),
    ),
  ),
  textMode: v.optional(
    v.pipe(
      v.picklist(TEXT_MODES, "must be 'phrase' or 'words'"),
      v.description(
        'phrase (default): a text contains the phrase. words: each word or quoted phrase is in a text, or starts the ID.',
      ),
    ),
  ),
  schemaId: v.optional(v.nullable(v.string('must be a string'))),
}

/** The body of a search without order and paging. Members for items have no effect, except the state to score. */
export const SEARCH_BODY_MEMBERS = { ...SELECTION_MEMBERS, ...ITEM_VIEW_MEMBERS }

/** The body of a request that is only a selection. */
export const SelectionInput = exactObject(SEARCH_BODY_MEMBERS)

export const excerpt = { limit: v.optional(Limit), offset: v.optional(Offset) }

export const SearchBody = exactObject({
  ...SELECTION_MEMBERS,
  sort: v.optional(
    v.pipe(
      SortsInput,
      v.description(
        'Values or fields to sort by, one after another. Records without a value come last. Ties: oldest first.',
      ),
    ),
  ),
  ...excerpt,
  after: v.optional(Cursor),
  ...ITEM_VIEW_MEMBERS,
  total: v.optional(v.pipe(Flag, v.description('false: matches are not counted, and there is no X-Total-Count.'))),
})

export interface Selection extends Criteria {
  /** Null or absent: records of every schema. */
  readonly schemaId?: string | null | undefined
  readonly text?: string | undefined
  readonly textMode?: TextMode | undefined
  /** The state to score for criteria on completeness that name none. */
  readonly stateId?: string | undefined
}

/** Undefined: no text is searched. @throws VALIDATION_ERROR for too many words */
export function questionOf(
  { text = '', textMode = 'phrase' }: Pick<Selection, 'text' | 'textMode'>,
  at = '',
): TextQuestion | undefined {
  if (text === '') return undefined
  const question: TextQuestion = { text, mode: textMode }
  if (needlesOf(question).length > MAX_WORDS) throw invalid(`${at}text must have at most ${MAX_WORDS} words`)
  return question
}
