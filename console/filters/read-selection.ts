// Reads a search back into filters; a part that has no filter stays a plain criterion. Pure. G7, G10.
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { canonicalJson, isSameValue } from '../../src/kernel/text.ts'
import { ANY_ATTRIBUTE, NO_CATEGORY, type RecordsQuery, toSelection, type Variants } from './query.ts'
import { own } from '../../src/kernel/own.ts'

/** @param scope in which the search looks for missing values */
export function readSelection(selection: Selection, scope: Scope): RecordsQuery {
  const { criteria, criteriaOperator, text = '', schemaId } = selection
  const isAny = criteriaOperator === 'or' && criteria.length > 1
  const parts: readonly Criterion[] = isAny ? [{ criteriaOperator, criteria }] : criteria
  const query: Mutable<RecordsQuery> = { ...EMPTY, schemaId: schemaId ?? '', text }
  const where: Criterion[] = []
  for (const criterion of parts) if (!takeChip(criterion, query, scope)) where.push(criterion)
  return { ...query, where }
}

type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] }

const VARIANTS_BY_CRITERION: Readonly<Record<string, Variants>> = {
  '{"field":"parentId","operator":"isEmpty"}': 'hidden',
  '{"field":"parentId","operator":"isNotEmpty"}': 'alone',
}

/** Moves the criterion into the query as a chip. False: no chip can express the criterion, or the chip is used. */
function takeChip(criterion: Criterion, query: Mutable<RecordsQuery>, scope: Scope): boolean {
  const variants = own(VARIANTS_BY_CRITERION, canonicalJson(criterion))
  if (variants !== undefined && query.variants === 'shown') {
    query.variants = variants
    return true
  }
  const tries: readonly Partial<RecordsQuery>[] = [
    ...(query.states.length === 0 ? [{ states: listed(criterion, 'lifecycleStateId') }] : []),
    ...(query.categories.length === 0 ? [{ categories: categoriesOf(criterion) }] : []),
    ...(query.missing.length === 0 ? [{ missing: missingOf(criterion) }] : []),
  ]
  const found = tries.find((part) => isJust(criterion, part, scope))
  Object.assign(query, found)
  return found !== undefined
}

/** Returns whether this part of the query alone gives exactly this criterion. */
function isJust(criterion: Criterion, part: Partial<RecordsQuery>, scope: Scope): boolean {
  if (!Object.values(part).some((values) => (values as readonly string[]).length > 0)) return false
  const { criteria } = toSelection({ ...EMPTY, ...part }, scope)
  return criteria.length === 1 && isSameValue(criteria[0], criterion)
}

const EMPTY: RecordsQuery = {
  schemaId: '',
  states: [],
  categories: [],
  text: '',
  missing: [],
  where: [],
  variants: 'shown',
  sort: [],
}

function listed(criterion: Criterion, field: string): readonly string[] {
  if (!('field' in criterion) || criterion.field !== field) return []
  const { value = [] } = criterion
  return typeof value === 'string' ? [] : value
}

function categoriesOf(criterion: Criterion): readonly string[] {
  if (!('criteria' in criterion)) return listed(criterion, 'categoryId')
  return [...criterion.criteria.flatMap((inner) => listed(inner, 'categoryId')), NO_CATEGORY]
}

function missingOf(criterion: Criterion): readonly string[] {
  const isAny = 'field' in criterion && criterion.field === 'missing' && criterion.operator === 'isNotEmpty'
  return isAny ? [ANY_ATTRIBUTE] : listed(criterion, 'missing')
}
