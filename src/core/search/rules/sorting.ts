// The order of found records: by values in force in a scope, and by fields. Contract 3 §1, 3 §10.
import * as v from 'valibot'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { denied, invalid, shorten } from '../../../kernel/errors.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { choiceOf, listOf } from '../../../kernel/input/validation.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { findScopeFault } from '../../model/rules/schema.ts'
import { effectiveValueIn } from '../../records/rules/record.ts'
import { restrictScope } from '../../scopes/scope.ts'
import { foldText } from '../../../kernel/text.ts'
import { isPlainObject } from '../../values/values.ts'
import { ScopeInput } from './criterion.ts'
import { scoreWithin } from './scoped-score.ts'
import type { SearchedRecord, SearchWorld } from './searched-record.ts'

export const SORT_FIELDS = ['id', 'createdAt', 'updatedAt', 'lifecycleStateId', 'completeness'] as const
export type SortField = (typeof SORT_FIELDS)[number]

const MAX_SORTS = 3

const direction = v.optional(v.picklist(['asc', 'desc'], "must be 'asc' or 'desc'"), 'asc')

const SortByAttribute = exactObject({
  attributeAlias: v.pipe(v.string('must be a string'), v.maxLength(64, 'must be at most 64 characters long')),
  scope: v.optional(ScopeInput),
  direction,
})
const SortByField = exactObject({
  field: v.picklist(SORT_FIELDS, `must be one of ${SORT_FIELDS.join(', ')}`),
  direction,
})
const SortInput = choiceOf([SortByAttribute, SortByField], (input) =>
  isPlainObject(input) && Object.hasOwn(input, 'field') ? SortByField : SortByAttribute,
)
export const SortsInput = listOf(SortInput, MAX_SORTS)
export type SortKey = v.InferOutput<typeof SortByAttribute> | FieldKey
type FieldKey = v.InferOutput<typeof SortByField> & {
  /** For completeness: the state to score. Undefined: the next state of each record that requires completeness. */
  readonly stateId?: string | undefined
}

/** A sort value: numbers before texts, records without a value last in either direction. */
export type SortValue = number | string | undefined

export interface SearchPosition {
  /** Number of the record. */
  readonly record: number
  /** One value for each sort key. */
  readonly values: readonly SortValue[]
}

/** Data types whose values have no order that users would expect. */
const UNSORTED: ReadonlySet<string> = new Set(['multiSelect', 'json', 'reference', 'references', 'file', 'richText'])

const SORT_TEXT = /^(-?)([A-Za-z][A-Za-z0-9_-]{0,63})(?:\[([^\]]*)\])?$/

/**
 * Parses keys of a query parameter: `-updatedAt,name[language=de;market=eu]`. A field takes precedence over an
 * attribute with the same name.
 * @throws VALIDATION_ERROR
 */
export function parseSort(text: string): SortKey[] {
  const parts = text.match(/(?:\[[^\]]*\]|[^,])+/g) ?? []
  if (parts.length === 0 || parts.length > MAX_SORTS) throw invalid(`sort must have 1 to ${MAX_SORTS} members`)
  return parts.map((part) => {
    const [, minus, name = '', scope] = SORT_TEXT.exec(part.trim()) ?? []
    if (name === '')
      throw invalid(
        `sort has '${shorten(part, 64)}': write name, -name or name[dimension=segment], separated by commas`,
      )
    const direction = minus === '-' ? 'desc' : 'asc'
    if (SORT_FIELDS.includes(name as SortField) && scope === undefined) return { field: name as SortField, direction }
    return { attributeAlias: name, direction, ...(scope === undefined ? {} : { scope: parseScope(scope) }) }
  })
}

function parseScope(text: string): Record<string, string> {
  const pairs = text.split(/[;,]/).map((pair) => pair.trim().split('='))
  if (pairs.some((pair) => pair.length !== 2))
    throw invalid(`sort has the scope '${shorten(text, 64)}': write dimension=segment`)
  return Object.fromEntries(pairs as [string, string][])
}

/** @throws VALIDATION_ERROR naming the member, PERMISSION_DENIED for an attribute that the role may not read */
export function assertSort(sort: readonly SortKey[], schemas: readonly Schema[], model: Model, role: Role): void {
  const known = schemas.length > 0 ? schemas : [...model.schemas.values()]
  for (const [index, key] of sort.entries()) {
    if ('field' in key) continue
    const alias = key.attributeAlias
    // Permissions are checked first, because an error would reveal the kind of a hidden attribute.
    if (schemas.some((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias)))
      throw denied(`Your role may not sort by the attribute '${shorten(alias, 64)}'`)
    const attributes = known.flatMap((schema) => schema.attribute(alias) ?? [])
    if (attributes.length === 0)
      throw invalid(`sort[${index}].attributeAlias names the unknown attribute '${shorten(alias, 64)}'`)
    const unsorted = attributes.find(({ dataType }) => UNSORTED.has(dataType))
    if (unsorted !== undefined)
      throw invalid(`sort[${index}].attributeAlias names '${alias}': the data type ${unsorted.dataType} has no order`)
    const fault = findScopeFault(key.scope ?? {}, model)
    if (fault !== undefined) throw invalid(`sort[${index}].scope ${fault}`)
  }
}

/** Adds the state of the search to sort keys on completeness. */
export function sortInState(sort: readonly SortKey[], stateId: string | undefined): readonly SortKey[] {
  if (stateId === undefined) return sort
  return sort.map((key) => ('field' in key && key.field === 'completeness' ? { ...key, stateId } : key))
}

/** Control characters that an index uses as marks. Texts contain none of them, so that the marks sort first. */
const CONTROLS = /[\0-\u0002]/g
const CONTROL = '\u0002'

/** UTF-16 units of a folded text that decide its order. */
const MAX_SORTED = 200
/** Characters of a longer text that are folded. */
const MAX_FOLDED = 4096

/**
 * Returns the form by which texts are sorted: the beginning of the folded text, compared by code points
 * (`compareSortValues`).
 */
export function sortForm(text: string): string {
  const folded = foldText(beginningOf(text, MAX_FOLDED))
  return beginningOf(folded.replaceAll(CONTROLS, CONTROL), MAX_SORTED)
}

/** Returns at most this many UTF-16 units, without splitting a character. */
export function beginningOf(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units)
}

export function sortValueOf(key: SortKey, record: SearchedRecord, world: SearchWorld): SortValue {
  if ('field' in key) return fieldValue(key, record, world)
  const attribute = record.schema.attribute(key.attributeAlias)
  if (attribute === undefined) return undefined
  const { alias, dimensionIds } = attribute
  const value = effectiveValueIn(record.layers, alias, restrictScope(key.scope ?? {}, dimensionIds), dimensionIds)
  return value === undefined ? undefined : valueInOrder(attribute, value.value)
}

function valueInOrder(attribute: Attribute, value: unknown): SortValue {
  const type = dataTypeOf(attribute)
  if (type.isEmpty(value)) return undefined
  if (type.isText) return sortForm(value as string)
  const [key] = type.equalityKeys(value)
  return key === undefined || type.order !== undefined ? key : placeIn(keysInOrder(attribute), String(key))
}

/** Undefined: the list lacks the key. */
export function placeIn(keys: readonly string[], key: string): number | undefined {
  const place = keys.indexOf(key)
  return place === -1 ? undefined : place
}

/** Returns the keys of values without a natural order, in the order of the schema. */
export function keysInOrder({ dataType, options }: Attribute): readonly string[] {
  return dataType === 'boolean' ? ['false', 'true'] : options.map(({ id }) => id)
}

function fieldValue({ field, stateId }: FieldKey, record: SearchedRecord, world: SearchWorld): SortValue {
  switch (field) {
    case 'id':
      return sortForm(record.id)
    case 'createdAt':
    case 'updatedAt':
      return Date.parse(record[field])
    case 'lifecycleStateId':
      return placeIn(statesInOrder(record.schema, world.model), record.lifecycleStateId)
    case 'completeness':
      return scoreWithin(record, { stateId }, world)?.percentage
  }
}

export function statesInOrder({ workflowId }: Schema, { workflows }: Model): readonly string[] {
  return workflows.get(workflowId)?.states.map(({ id }) => id) ?? []
}

/** Negative if `one` comes first. Records without a value are last in both directions. */
export function compareSortValues(one: SortValue, other: SortValue, direction: 'asc' | 'desc'): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  const order = compareValues(one, other)
  return direction === 'asc' ? order : -order
}

function compareValues(one: number | string, other: number | string): number {
  if (typeof one === 'number') return typeof other === 'number' ? one - other : -1
  return typeof other === 'number' ? 1 : compareCodePoints(one, other)
}

/** Surrogates encode code points above all other characters. */
function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (a === b) continue
    const [isA, isB] = [isSurrogate(a), isSurrogate(b)]
    return isA === isB ? a - b : Number(isA) - Number(isB)
  }
  return one.length - other.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
