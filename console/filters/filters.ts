// The possible filters, and the criteria of a choice. Pure. G7.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { AttributeCriterion, Criterion, FieldCriterion } from '../../src/core/search/rules/criterion.ts'
import { type Scope, scopeKey, withinScope } from '../../src/core/scopes/scope.ts'
import type { RecordsQuery } from './query.ts'

/** The kind of an attribute's filter: by counted values, by bounds, by a part of the text. */
type FilterKind = 'values' | 'range' | 'text'

export function filterKindOf(attribute: Attribute): FilterKind {
  const type = dataTypeOf(attribute)
  if (type.order !== undefined) return 'range'
  return type.isText || attribute.dataType === 'json' ? 'text' : 'values'
}

/** The choices for one attribute in one scope; without any choice, no filter exists. */
export interface AttributeFilter {
  readonly values?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly text?: string
  readonly presence?: 'isEmpty' | 'isNotEmpty' | undefined
}

function isOn(criterion: Criterion, alias: string, scope: Scope): criterion is AttributeCriterion {
  return (
    'attributeAlias' in criterion &&
    criterion.attributeAlias === alias &&
    scopeKey(criterion.scope ?? {}) === scopeKey(scope)
  )
}

const MANAGED: ReadonlySet<string> = new Set(['in', 'between', 'gte', 'lte', 'contains', 'isEmpty', 'isNotEmpty'])

/** Reads the criteria of the query on the attribute, in the form of the filter. */
export function readFilter({ where }: RecordsQuery, alias: string, scope: Scope): AttributeFilter {
  let filter: AttributeFilter = {}
  for (const criterion of where) {
    if (!isOn(criterion, alias, scope)) continue
    const { operator, value = '' } = criterion
    const list = typeof value === 'string' ? [value] : value
    if (operator === 'in') filter = { ...filter, values: list }
    else if (operator === 'between') filter = { ...filter, from: list[0] ?? '', to: list[1] ?? '' }
    else if (operator === 'gte') filter = { ...filter, from: list[0] ?? '' }
    else if (operator === 'lte') filter = { ...filter, to: list[0] ?? '' }
    else if (operator === 'contains') filter = { ...filter, text: list[0] ?? '' }
    else if (operator === 'isEmpty' || operator === 'isNotEmpty') filter = { ...filter, presence: operator }
  }
  return filter
}

/** Replaces the filter on the attribute; criteria that no filter makes stay. */
export function withFilter(query: RecordsQuery, alias: string, scope: Scope, filter: AttributeFilter): RecordsQuery {
  const others = query.where.filter((one) => !(isOn(one, alias, scope) && MANAGED.has(one.operator)))
  const within = withinScope(scope)
  const made = criteriaOf(filter).map((part) => ({ attributeAlias: alias, ...part, ...within }))
  return { ...query, where: [...others, ...made] }
}

type Part = Pick<AttributeCriterion, 'operator' | 'value'>

function criteriaOf({ values = [], from = '', to = '', text = '', presence }: AttributeFilter): Part[] {
  return [
    ...(values.length === 0 ? [] : [{ operator: 'in', value: [...values] } as const]),
    ...boundsOf(from, to),
    ...(text === '' ? [] : [{ operator: 'contains', value: text } as const]),
    ...(presence === undefined ? [] : [{ operator: presence }]),
  ]
}

function boundsOf(from: string, to: string): Part[] {
  if (from === '' && to === '') return []
  if (from === '') return [{ operator: 'lte', value: to }]
  return [to === '' ? { operator: 'gte', value: from } : { operator: 'between', value: [from, to] }]
}

const isOnCompleteness = (criterion: Criterion): criterion is FieldCriterion =>
  'field' in criterion && criterion.field === 'completeness'

export function readCompleteness({ where }: RecordsQuery): { readonly from: string; readonly to: string } {
  const found = where.find(isOnCompleteness)
  const { value = '', operator } = found ?? {}
  const list = typeof value === 'string' ? [value] : value
  if (operator === 'lte') return { from: '', to: list[0] ?? '' }
  return { from: list[0] ?? '', to: operator === 'between' ? (list[1] ?? '') : '' }
}

export function withCompleteness(query: RecordsQuery, from: string, to: string, scope: Scope): RecordsQuery {
  const within = withinScope(scope)
  const made = boundsOf(from, to).map((part) => ({ field: 'completeness' as const, ...part, ...within }))
  return { ...query, where: [...query.where.filter((one) => !isOnCompleteness(one)), ...made] }
}
