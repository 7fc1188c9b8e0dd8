// The records that the sheet shows: as a query in the address, and as a search. Pure. G7, G11.
import { type Criterion, isGroup } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import { SORT_FIELDS, type SortField, type SortKey } from '../../src/core/search/rules/sorting.ts'
import { type Scope, withinScope } from '../../src/core/scopes/scope.ts'
import { parseColumns, type Query, writeColumns } from '../state/addresses.ts'

export const VARIANTS = ['hidden', 'shown', 'alone'] as const
/** Whether the records include variants: none, variants too, or only variants. */
export type Variants = (typeof VARIANTS)[number]

export interface RecordsQuery {
  /** '': every schema. */
  readonly schemaId: string
  readonly states: readonly string[]
  /** IDs; `none`: records in no category. */
  readonly categories: readonly string[]
  readonly text: string
  /** Aliases whose required value is missing in the scope of the bar; `*`: any alias. */
  readonly missing: readonly string[]
  readonly where: readonly Criterion[]
  readonly variants: Variants
  readonly sort: readonly SortKey[]
}

/** Members of the address that select the shown records. */
const QUERY_MEMBERS = ['schema', 'state', 'cat', 'q', 'missing', 'where', 'variants', 'sort'] as const

/** Replaces an ID or alias. */
export const NO_CATEGORY = 'none'
export const ANY_ATTRIBUTE = '*'

/** Reads the query, and skips unreadable parts, because people also type addresses. */
export function readQuery(address: Query): RecordsQuery {
  return {
    schemaId: address['schema'] ?? '',
    states: listOf(address['state']),
    categories: listOf(address['cat']),
    text: address['q'] ?? '',
    missing: listOf(address['missing']),
    where: readWhere(address['where']),
    variants: VARIANTS.find((one) => one === address['variants']) ?? 'hidden',
    sort: readSort(address['sort'] ?? ''),
  }
}

export function writeQuery(query: RecordsQuery): Record<(typeof QUERY_MEMBERS)[number], string | undefined> {
  return {
    schema: query.schemaId,
    state: query.states.join(','),
    cat: query.categories.join(','),
    q: query.text,
    missing: query.missing.join(','),
    where: query.where.length === 0 ? '' : JSON.stringify(query.where),
    variants: query.variants === 'hidden' ? '' : query.variants,
    sort: writeSort(query.sort),
  }
}

function listOf(text = ''): string[] {
  return [...new Set(text.split(',').filter((part) => part !== ''))]
}

/** The deepest nesting of groups in an address; a search accepts less. */
const MAX_DEPTH = 8

function readWhere(text = ''): Criterion[] {
  try {
    const value: unknown = text === '' ? [] : JSON.parse(text)
    return Array.isArray(value) ? value.filter((item) => isCriterion(item, MAX_DEPTH)).map(withTexts) : []
  } catch {
    return []
  }
}

/** Turns values into texts, like the service does: an address typed by hand may contain the number `100`. */
function withTexts(item: object): Criterion {
  const { criteria, value, ...rest } = item as { readonly criteria?: object[]; readonly value?: unknown }
  if (criteria !== undefined) return { ...rest, criteria: criteria.map(withTexts) } as unknown as Criterion
  if (value === undefined) return rest as Criterion
  return { ...rest, value: Array.isArray(value) ? value.map(textOf) : textOf(value) } as Criterion
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function isCriterion(item: unknown, depth: number): boolean {
  if (typeof item !== 'object' || item === null || depth === 0) return false
  const { criteria, operator, field, attributeAlias } = item as Readonly<Record<string, unknown>>
  if (Array.isArray(criteria)) return criteria.every((inner) => isCriterion(inner, depth - 1))
  return typeof operator === 'string' && (typeof field === 'string' || typeof attributeAlias === 'string')
}

/** `-sku,name@language:de,.updatedAt`: a minus means descending, a point means a field. */
function readSort(text: string): SortKey[] {
  return listOf(text)
    .slice(0, 3)
    .flatMap((part): SortKey[] => {
      const direction = part.startsWith('-') ? 'desc' : 'asc'
      const [column] = parseColumns(part.replace(/^-/, ''))
      if (column === undefined || column.name === '') return []
      if (!column.name.startsWith('.'))
        return [{ attributeAlias: column.name, direction, ...withinScope(column.scope) }]
      const field = SORT_FIELDS.find((one) => `.${one}` === column.name)
      return field === undefined ? [] : [{ field, direction }]
    })
}

function writeSort(sort: readonly SortKey[]): string {
  return sort
    .map((key) => {
      const column = 'field' in key ? { name: `.${key.field}`, scope: {} } : columnOf(key.attributeAlias, key.scope)
      return `${key.direction === 'desc' ? '-' : ''}${writeColumns([column])}`
    })
    .join(',')
}

function columnOf(name: string, scope: Scope = {}) {
  return { name, scope }
}

export type { SortField }

const MATCHES_VARIANTS: Readonly<Record<Variants, readonly Criterion[]>> = {
  hidden: [{ field: 'parentId', operator: 'isEmpty' }],
  shown: [],
  alone: [{ field: 'parentId', operator: 'isNotEmpty' }],
}

/** Returns the query in the form for searches and bulk jobs. @param scope of the bar */
export function toSelection(query: RecordsQuery, scope: Scope): Selection {
  const { schemaId, states, categories, text, missing, where, variants } = query
  const criteria: Criterion[] = [...MATCHES_VARIANTS[variants]]
  if (states.length > 0) criteria.push({ field: 'lifecycleStateId', operator: 'in', value: states })
  if (categories.length > 0) criteria.push(inCategories(categories))
  if (missing.length > 0) criteria.push(missingIn(missing, scope))
  criteria.push(...where)
  return {
    ...(schemaId === '' ? {} : { schemaId }),
    criteria,
    criteriaOperator: 'and',
    ...(text.trim() === '' ? {} : { text: text.trim(), textMode: 'words' }),
  }
}

function inCategories(categories: readonly string[]): Criterion {
  const ids = categories.filter((id) => id !== NO_CATEGORY)
  const inThese: Criterion[] = ids.length === 0 ? [] : [{ field: 'categoryId', operator: 'in', value: ids }]
  if (ids.length === categories.length) return inThese[0]!
  return { criteriaOperator: 'or', criteria: [...inThese, { field: 'categoryId', operator: 'isEmpty' }] }
}

function missingIn(missing: readonly string[], scope: Scope): Criterion {
  const within = withinScope(scope)
  if (missing.includes(ANY_ATTRIBUTE)) return { field: 'missing', operator: 'isNotEmpty', ...within }
  return { field: 'missing', operator: 'in', value: missing, ...within }
}

/** A part of the query that the user can remove. */
export type Chip =
  | { readonly kind: 'states' | 'categories' | 'missing'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'where'; readonly index: number; readonly criterion: Criterion }
  | { readonly kind: 'variants'; readonly variants: Variants }

/** Variants have their own control. They get a chip only if its removal can find more records. */
export function chipsOf(query: RecordsQuery): Chip[] {
  return [
    ...(query.text.trim() === '' ? [] : [{ kind: 'text', text: query.text.trim() } as const]),
    ...(query.states.length === 0 ? [] : [{ kind: 'states', values: query.states } as const]),
    ...(query.categories.length === 0 ? [] : [{ kind: 'categories', values: query.categories } as const]),
    ...(query.missing.length === 0 ? [] : [{ kind: 'missing', values: query.missing } as const]),
    ...query.where.map((criterion, index) => ({ kind: 'where', index, criterion }) as const),
  ]
}

/** Returns the chips whose removal may find more records (G8). */
export function removableChips(query: RecordsQuery): Chip[] {
  const variants = { kind: 'variants', variants: query.variants } as const
  return query.variants === 'shown' ? chipsOf(query) : [...chipsOf(query), variants]
}

export function withoutChip(query: RecordsQuery, chip: Chip): RecordsQuery {
  switch (chip.kind) {
    case 'text':
      return { ...query, text: '' }
    case 'variants':
      return { ...query, variants: 'shown' }
    case 'where':
      return { ...query, where: query.where.filter((_, index) => index !== chip.index) }
    default:
      return { ...query, [chip.kind]: [] }
  }
}

/** The attributes and fields that the criteria use, groups included. */
function askedIn(criterion: Criterion): string[] {
  if (isGroup(criterion)) return [...new Set(criterion.criteria.flatMap(askedIn))]
  return ['field' in criterion ? `.${criterion.field}` : criterion.attributeAlias]
}

/** Drops attributes that the role may not see, like unknown attributes (G9). */
export function knownQuery(query: RecordsQuery, isKnown: (alias: string) => boolean): RecordsQuery {
  const known = (name: string): boolean => name.startsWith('.') || isKnown(name)
  return {
    ...query,
    missing: query.missing.filter((alias) => alias === ANY_ATTRIBUTE || isKnown(alias)),
    where: query.where.filter((criterion) => askedIn(criterion).every(known)),
    sort: query.sort.filter((key) => 'field' in key || isKnown(key.attributeAlias)),
  }
}
