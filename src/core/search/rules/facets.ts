// Facets count how found records are spread over the values of attributes and fields. Contract 3 §1, 3 §10.
import { findSearched } from './searched-attribute.ts'
import * as v from 'valibot'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import type { DataType, EqualityKey } from '../../datatypes/data-type.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { denied, invalid, shorten } from '../../../kernel/errors.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { choiceOf, listOf } from '../../../kernel/input/validation.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { findScopeFault } from '../../model/rules/schema.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import { isPlainObject } from '../../values/values.ts'
import { PartOfValue, ScopeInput } from './criterion.ts'
import { judgedValues } from './judge-attribute.ts'
import { scoreWithin } from './scoped-score.ts'
import type { SearchedRecord, SearchWorld } from './searched-record.ts'

export const FACET_FIELDS = [
  'lifecycleStateId',
  'schemaId',
  'categoryId',
  'createdBy',
  'updatedBy',
  'completeness',
] as const

const MAX_FACETS = 20
/** The most values of one facet. */
export const MAX_FACET_VALUES = 100

const StateId = v.pipe(v.string('must be a string'), v.maxLength(128, 'must be at most 128 characters long'))
/** The mean completeness of the records of each value, in a scope and for a state. */
const Scored = v.optional(exactObject({ scope: v.optional(ScopeInput), stateId: v.optional(StateId) }))
export type ScoredFacet = NonNullable<v.InferOutput<typeof Scored>>

const ByAttribute = exactObject({
  attributeAlias: v.pipe(v.string('must be a string'), v.maxLength(64, 'must be at most 64 characters long')),
  part: PartOfValue,
  scope: v.optional(ScopeInput),
  completeness: Scored,
})
const ByField = exactObject({
  field: v.picklist(FACET_FIELDS, `must be one of ${FACET_FIELDS.join(', ')}`),
  scope: v.optional(ScopeInput),
  stateId: v.optional(StateId),
  completeness: Scored,
})
const FacetInput = choiceOf([ByAttribute, ByField], (input) =>
  isPlainObject(input) && Object.hasOwn(input, 'field') ? ByField : ByAttribute,
)
export const FacetsInput = v.pipe(listOf(FacetInput, MAX_FACETS), v.minLength(1, 'must not be empty'))
export type Facet = v.InferOutput<typeof FacetInput>
type AttributeFacet = v.InferOutput<typeof ByAttribute>
type FieldFacet = v.InferOutput<typeof ByField>

interface FacetValue {
  readonly value: string
  readonly count: number
  /** The mean percentage of its records; null: none of them has a score. */
  readonly completeness?: number | null | undefined
}

/** Counts by value; for ordered values (numbers, dates in UTC), the extremes. */
export interface FacetCount {
  readonly values?: readonly FacetValue[] | undefined
  readonly min?: number | string | null | undefined
  readonly max?: number | string | null | undefined
  /** Records without a value. */
  readonly missing: number
  /** The mean percentage of the records without a value. */
  readonly missingCompleteness?: number | null | undefined
}

export function isOnFacetField(facet: Facet): facet is FieldFacet {
  return 'field' in facet
}

/** @throws VALIDATION_ERROR naming the member, PERMISSION_DENIED for an attribute that the role may not read */
export function assertFacets(facets: readonly Facet[], schemas: readonly Schema[], model: Model, role: Role): void {
  const known = schemas.length > 0 ? schemas : [...model.schemas.values()]
  for (const [index, facet] of facets.entries()) {
    // Permissions are checked first, because an error would reveal the kind of a hidden attribute.
    if (!isOnFacetField(facet)) assertCanCount(facet, schemas, role)
    const fault = isOnFacetField(facet) ? findFieldFault(facet, known, model) : findAttributeFault(facet, known)
    if (fault !== undefined) throw invalid(`facets[${index}].${fault}`)
    const scopeFault = findScopeFault(facet.scope ?? {}, model)
    if (scopeFault !== undefined) throw invalid(`facets[${index}].scope ${scopeFault}`)
    const scoreFault = facet.completeness && findScoreFault(facet, facet.completeness, known, model)
    if (scoreFault !== undefined) throw invalid(`facets[${index}].completeness${scoreFault}`)
  }
}

function findScoreFault(
  facet: Facet,
  { scope, stateId }: ScoredFacet,
  schemas: readonly Schema[],
  model: Model,
): string | undefined {
  if (orderOfFacet(facet, schemas) !== undefined) return ' is for facets with values, and this one has extremes'
  const scopeFault = findScopeFault(scope ?? {}, model)
  if (scopeFault !== undefined) return `.scope ${scopeFault}`
  const stateFault = findStateFault(stateId, schemas, model)
  return stateFault && `.${stateFault}`
}

function assertCanCount({ attributeAlias: alias }: AttributeFacet, schemas: readonly Schema[], role: Role): void {
  if (schemas.some((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias)))
    throw denied(`Your role may not read the attribute '${shorten(alias, 64)}'`)
}

function findFieldFault(
  { field, scope, stateId }: FieldFacet,
  schemas: readonly Schema[],
  model: Model,
): string | undefined {
  if (field !== 'completeness' && scope !== undefined) return `scope is not for the field '${field}'`
  if (field !== 'completeness' && stateId !== undefined) return `stateId is not for the field '${field}'`
  return findStateFault(stateId, schemas, model)
}

function findStateFault(
  stateId: string | undefined,
  schemas: readonly Schema[],
  { workflows }: Model,
): string | undefined {
  if (stateId === undefined) return undefined
  const isKnown = schemas.some(({ workflowId }) => workflows.get(workflowId)?.states.some(({ id }) => id === stateId))
  return isKnown
    ? undefined
    : `stateId names '${shorten(stateId, 128)}', which is not a state of a workflow that is searched`
}

function findAttributeFault(facet: AttributeFacet, schemas: readonly Schema[]): string | undefined {
  const { attributeAlias, part } = facet
  const attributes = schemas.flatMap((schema) => findSearched(schema, facet) ?? [])
  if (attributes.length === 0 && part !== undefined && schemas.some((schema) => schema.attribute(attributeAlias)))
    return `part is for files only, and '${shorten(attributeAlias, 64)}' has none`
  if (attributes.length === 0) return `attributeAlias names the unknown attribute '${shorten(attributeAlias, 64)}'`
  const uncounted = attributes.find((attribute) => isUncounted(attribute))
  if (uncounted !== undefined)
    return `attributeAlias names '${attributeAlias}', and values of type ${uncounted.dataType} are not counted`
  const orders = new Set(attributes.map((attribute) => dataTypeOf(attribute).order))
  return orders.size === 1 ? undefined : `attributeAlias names '${attributeAlias}', which has data types that differ`
}

function isUncounted({ dataType }: Attribute): boolean {
  return dataTypeOf({ dataType }).isText || dataType === 'json' || dataType === 'file'
}

/** Adds the state of the search to a facet that scores records and names none. */
export function facetInState(facet: Facet, stateId: string | undefined): Facet {
  if (stateId === undefined) return facet
  const { completeness } = facet
  const scored = completeness && { completeness: { ...completeness, stateId: completeness.stateId ?? stateId } }
  const isScore = isOnFacetField(facet) && facet.field === 'completeness'
  return { ...facet, ...(isScore ? { stateId: facet.stateId ?? stateId } : {}), ...scored }
}

/** Returns the distinct values that the record counts for; empty: the record has no value. */
export function facetKeysOf(facet: Facet, record: SearchedRecord, world: SearchWorld): readonly EqualityKey[] {
  if (!isOnFacetField(facet)) return attributeKeys(facet, record, world)
  switch (facet.field) {
    case 'categoryId':
      return record.categoryIds
    case 'completeness': {
      const score = scoreWithin(record, facet, world)
      return score === undefined ? [] : [bucketOf(score.percentage)]
    }
    default:
      return [record[facet.field]]
  }
}

function attributeKeys(facet: AttributeFacet, record: SearchedRecord, { model }: SearchWorld) {
  const { scope } = facet
  const attribute = findSearched(record.schema, facet)
  if (attribute === undefined) return []
  const type: DataType = dataTypeOf(attribute)
  const values = judgedValues(scope, record.layers, record.schema, attribute, model)
  return [...new Set(values.flatMap(({ value }) => (type.isEmpty(value) ? [] : type.equalityKeys(value))))]
}

/** `0-9` … `90-99`, `100`. */
export function bucketOf(percentage: number): string {
  const tens = Math.floor(percentage / 10) * 10
  return percentage === 100 ? '100' : `${tens}-${tens + 9}`
}

/** Returns the order of the facet's attribute in the schemas; undefined: its values are counted. */
export function orderOfFacet(
  facet: Facet,
  schemas: readonly Schema[],
): { readonly order: 'number' } | { readonly order: 'time'; readonly isDay: boolean } | undefined {
  if (isOnFacetField(facet)) return undefined
  const attribute = schemas.map((schema) => findSearched(schema, facet)).find((one) => one !== undefined)
  const order = attribute && dataTypeOf(attribute).order
  if (order === undefined) return undefined
  return order === 'number' ? { order } : { order, isDay: attribute!.dataType === 'date' }
}
