// From criteria to SQL over the search index. What SQL cannot say exactly it narrows down: such a part is not exact, and
// its records are judged by the plain predicate of `domain/criteria.ts`, which is also what the tests compare it with.
import { type Criteria, parseComparand } from '../../../domain/criteria.ts'
import { isUnary, type QueryCriterion } from '../../../domain/criterion.ts'
import type { Attribute } from '../../../domain/attributes.ts'
import { dataTypeOf } from '../../../domain/datatypes.ts'
import type { Model, Schema } from '../../../domain/model.ts'
import { agree, restrictScope, type Scope } from '../../../domain/scope.ts'
import { EMPTY_KEY, indexKey } from '../search-index/index-rows.ts'
import { foldForIndex, hasMark, markText } from '../search-index/index-text.ts'
import type { CountTrigrams } from '../search-index/trigram-counts.ts'
import type { IndexedScope, LookUpAttribute } from './dictionary.ts'
import { allRecordsOf, areFew, complement, intersect, isAmong, NOTHING, type RecordSet, unite } from './record-sets.ts'
import { compileText } from './text-search.ts'

/** Rows of a record that is found by a range of the index: more are no matter of a moment. */
const MAX_RANGE_SCOPES = 8
/** Scopes that are compared with each other. */
const MAX_COMPARED_SCOPES = 100

export interface CompileContext {
  /** The schemas that are searched. */
  readonly schemas: readonly Schema[]
  readonly model: Model
  readonly lookUp: LookUpAttribute
  readonly count: CountTrigrams
}

/** Records that satisfy the criteria, as far as the index knows. */
export function compileCriteria({ criteria, criteriaOperator }: Criteria, context: CompileContext): RecordSet {
  if (criteria.length === 0) return allRecordsOf(context.schemas)
  const sets: RecordSet[] = []
  for (const criterion of criteria) {
    sets.push(compileCriterion(criterion, context))
    if (sets.length === 1 || areFew(sets)) continue
    // What does not fit into one statement is left to the predicate.
    return criteriaOperator === 'and'
      ? { ...intersect(sets.slice(0, -1)), isExact: false }
      : allRecordsOf(context.schemas, false)
  }
  return criteriaOperator === 'and' ? intersect(sets) : unite(sets, false)
}

/** A set that fits into a statement. */
function compileCriterion(criterion: QueryCriterion, context: CompileContext): RecordSet {
  const isNegated = criterion.operator === 'notEquals' || criterion.operator === 'isEmpty'
  const sets = context.schemas.flatMap((schema) => {
    const attribute = schema.attribute(criterion.attributeAlias)
    if (attribute === undefined) return []
    const found = compileForAttribute(criterion, attribute, schema, context)
    return [isNegated ? complement(found, schema) : found]
  })
  if (!areFew(sets)) return narrowDown(criterion, context)
  // A record belongs to one schema, so the sets are disjoint.
  return unite(sets, true)
}

/** Records that may satisfy the criterion, where many schemas define its attribute. */
function narrowDown(
  { operator, value = '', attributeAlias }: QueryCriterion,
  { schemas, count }: CompileContext,
): RecordSet {
  if (operator === 'contains' && value !== '') return { ...compileText(value, count), isExact: false }
  const defining = schemas.filter((schema) => schema.attribute(attributeAlias) !== undefined)
  return allRecordsOf(defining, false)
}

/** Records of one schema in which some judged value passes the criterion's test; for negated ones the test of the opposite. */
function compileForAttribute(
  criterion: QueryCriterion,
  attribute: Attribute,
  schema: Schema,
  { lookUp, model, count }: CompileContext,
): RecordSet {
  const indexed = lookUp(schema.id, attribute.alias)
  const condition = keyCondition(criterion, attribute)
  if (indexed === undefined || condition === undefined) return NOTHING
  const scopes = indexed.scopes.filter(({ scope }) => agree(scope, scopeOf(criterion, attribute)))
  if (scopes.length === 0) return NOTHING
  if (condition.kind === 'text') return compileTextOf(indexed.n, criterion, count)
  const isDistinct = scopes.length === 1 && condition.isSingle
  const inScopes = isAmong(
    'scope',
    scopes.map((scope) => scope.n),
  )
  return {
    sql: `SELECT ${isDistinct ? '' : 'DISTINCT '}record FROM idx.value
     WHERE attribute = ? AND ${inScopes.sql} AND ${condition.sql}`,
    parameters: [indexed.n, ...inScopes.parameters, ...condition.parameters],
    isExact: condition.isExact && isUnshadowed(criterion, attribute, scopes, model),
    rank: condition.rank,
    isRange: condition.isSingle && scopes.length <= MAX_RANGE_SCOPES,
    isOrdered: isDistinct && condition.isPoint,
    scans: 0,
  }
}

/** Records in which a text of the attribute contains the criterion's value: exactly, unless a scope restricts it. */
function compileTextOf(attribute: number, { value = '', scope }: QueryCriterion, count: CountTrigrams): RecordSet {
  const set = compileText(value, count)
  const needle = foldForIndex(value)
  const texts = set.sql.includes('MATCH') ? 'folded' : 'c0'
  return {
    ...set,
    sql: `${set.sql} AND has_text(${texts}, ?, ?)`,
    parameters: [...set.parameters, markText(attribute, ''), needle],
    isExact: scope === undefined && !hasMark(needle),
  }
}

function scopeOf(criterion: QueryCriterion, attribute: Attribute): Scope {
  return restrictScope(criterion.scope ?? {}, attribute.dimensionIds)
}

/** Whether every value in `scopes` is in force somewhere in the criterion's scope: no other one may cover it there. */
function isUnshadowed(
  criterion: QueryCriterion,
  attribute: Attribute,
  scopes: readonly IndexedScope[],
  model: Model,
): boolean {
  if (criterion.scope === undefined) return true
  if (scopes.length > MAX_COMPARED_SCOPES) return false
  const hasSegments = attribute.dimensionIds.every((id) => (model.dimensions.get(id)?.segments.length ?? 0) > 0)
  return (
    hasSegments &&
    scopes.every((one, index) => scopes.slice(index + 1).every((other) => !agree(one.scope, other.scope)))
  )
}

type KeyCondition =
  | { readonly kind: 'text'; readonly isExact: false }
  | {
      readonly kind: 'key'
      readonly sql: string
      readonly parameters: readonly unknown[]
      readonly isExact: boolean
      /** At most one row of a record and scope fits. */
      readonly isSingle: boolean
      /** It names one key. */
      readonly isPoint: boolean
      readonly rank: number
    }

/** What the keys of passing values have in common; undefined where no value can pass. */
function keyCondition({ operator, value = '' }: QueryCriterion, attribute: Attribute): KeyCondition | undefined {
  const type = dataTypeOf(attribute)
  const isSingle = attribute.dataType !== 'multiSelect'
  if (isUnary(operator))
    return { kind: 'key', sql: 'key <> ?', parameters: [EMPTY_KEY], isExact: true, isSingle, isPoint: false, rank: 8 }
  if (operator === 'contains') {
    if (!type.isText) return undefined
    if (value !== '') return { kind: 'text', isExact: false }
    return { kind: 'key', sql: 'true', parameters: [], isExact: true, isSingle, isPoint: false, rank: 8 }
  }
  if (operator === 'gt' || operator === 'lt') {
    const bound = type.order === undefined ? undefined : parseComparand(value, type.order)
    if (bound === undefined) return undefined
    // In SQLite's order every number comes before every text.
    const sql = operator === 'gt' ? "key > ? AND key < ''" : 'key < ?'
    return { kind: 'key', sql, parameters: [bound], isExact: true, isSingle, isPoint: false, rank: 6 }
  }
  const key = type.parseKey(value)
  if (key === undefined) return undefined
  if (attribute.dataType === 'json') {
    return {
      kind: 'key',
      sql: 'key IN (?, ?)',
      parameters: [indexKey(key), EMPTY_KEY],
      isExact: false,
      isSingle: false,
      isPoint: false,
      rank: 1,
    }
  }
  // An empty list of options has the empty key, but no element that could equal it.
  if (key === EMPTY_KEY && attribute.dataType === 'multiSelect') return undefined
  return {
    kind: 'key',
    sql: 'key = ?',
    parameters: [indexKey(key)],
    isExact: true,
    isSingle: true,
    isPoint: true,
    rank: 1,
  }
}
