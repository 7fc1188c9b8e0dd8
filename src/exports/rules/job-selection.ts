// Which records an export job is for besides its plain rules: a search of its own, or a saved query. Contract 3 §5, 3 §9.6, 3 §10.
import * as v from 'valibot'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { choiceOf, Id } from '../../kernel/input/validation.ts'
import { HIDDEN_RULE } from '../../core/model/rules/hidden-rule.ts'
import { keepCriteria, showCriteria, type Shown } from '../../core/model/rules/hidden-rules.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { type Criteria, withState } from '../../core/search/rules/criteria.ts'
import { ShownCriteriaInput } from '../../core/search/rules/criteria-input.ts'
import { type Criterion, type FieldCriterion } from '../../core/search/rules/criterion.ts'
import type { SavedQuery } from '../../core/search/rules/saved-query.ts'
import { questionOf, SEARCH_BODY_MEMBERS, type Selection } from '../../core/search/rules/selection.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { type SortKey, sortInState } from '../../core/search/rules/sorting.ts'
import type { TextQuestion } from '../../core/search/rules/text-question.ts'

const SavedQueryInput = exactObject({ savedQueryId: Id })
const SearchInput = exactObject({ ...SEARCH_BODY_MEMBERS, criteria: ShownCriteriaInput })

export const JobSelectionInput = v.pipe(
  choiceOf([SearchInput, SavedQueryInput], (input) =>
    typeof input === 'object' && input !== null && Object.hasOwn(input, 'savedQueryId') ? SavedQueryInput : SearchInput,
  ),
  v.description('Exports only matching records: the body of a search without order and paging, or a saved query.'),
)
type SentSelection = v.InferOutput<typeof JobSelectionInput>

interface BySavedQuery {
  readonly savedQueryId: string
}

export type JobSelection = Selection | BySavedQuery
/** The selection as a role sees it. */
export type ShownSelection =
  | (Omit<Selection, 'criteria'> & { readonly criteria: readonly Shown<Criterion>[] })
  | BySavedQuery

export function isBySavedQuery<Item extends object>(selection: Item): selection is Extract<Item, BySavedQuery> {
  return 'savedQueryId' in selection
}

/** The selection to store. @throws VALIDATION_ERROR for a placeholder without a stored value */
export function defineSelection(
  sent: SentSelection | null,
  before: JobSelection | null | undefined,
): JobSelection | null {
  if (sent === null || isBySavedQuery(sent)) return sent
  const stored = before === null || before === undefined || isBySavedQuery(before) ? undefined : before
  return { ...sent, criteria: keepCriteria(sent, stored, 'selection.') }
}

/** The selection as the caller wrote it, without criteria that the caller keeps by a placeholder. */
export function writtenSearch(sent: SentSelection | null): Selection | undefined {
  if (sent === null || isBySavedQuery(sent)) return undefined
  return { ...sent, criteria: sent.criteria.filter((criterion) => criterion !== HIDDEN_RULE) }
}

/** The selection with placeholders for criteria on attributes that are hidden from the role. */
export function showSelection(selection: JobSelection | null, model: Model, role: Role): ShownSelection | null {
  if (selection === null || isBySavedQuery(selection)) return selection
  const schemas = searchedSchemas(model, selection.schemaId ?? undefined)
  return { ...selection, criteria: showCriteria(selection.criteria, schemas, role) }
}

/** The rules of a job that a search has to take in. */
interface SelectionRules {
  readonly schemaId: string | null
  readonly catalogId: string | null
  readonly includeVariants: boolean
  readonly includeLifecycleStateIds: readonly string[] | null
}

/** The search of a job. */
interface JobQuestion {
  readonly criteria: Criteria
  readonly text: TextQuestion | undefined
  readonly schemaId: string | undefined
  readonly sort: readonly SortKey[]
}

/** @param search of the job, or of its saved query; undefined: the rules alone @throws VALIDATION_ERROR for too many words */
export function questionOfJob(
  rules: SelectionRules,
  search: Selection | SavedQuery | undefined,
  sort: readonly SortKey[],
): JobQuestion {
  const schemaId = rules.schemaId ?? search?.schemaId ?? undefined
  const criteria: Criterion[] = fieldRules(rules)
  const searchedId = search?.schemaId ?? schemaId
  const isOfOther = searchedId !== schemaId
  // A record has one schema only, so a selection of another schema finds nothing and need not fit.
  if (isOfOther) criteria.push({ field: 'schemaId', operator: 'equals', value: searchedId! })
  else if (search !== undefined) criteria.push(withState(search, search.stateId))
  return {
    criteria: { criteria, criteriaOperator: 'and' },
    text: search && !isOfOther ? questionOf(search) : undefined,
    schemaId,
    sort: sortInState(sort, search?.stateId),
  }
}

function fieldRules({ catalogId, includeVariants, includeLifecycleStateIds }: SelectionRules): FieldCriterion[] {
  return [
    ...(catalogId === null ? [] : [{ field: 'catalogId', operator: 'equals', value: catalogId } as const]),
    ...(includeVariants ? [] : [{ field: 'parentId', operator: 'isEmpty' } as const]),
    ...(includeLifecycleStateIds === null
      ? []
      : [{ field: 'lifecycleStateId', operator: 'in', value: [...includeLifecycleStateIds] } as const]),
  ]
}
