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
import type { IndexedScope, LookUpAttribute } from './dictionary.ts'

/** A set of record numbers: a SELECT of one column `record`, without duplicates. */
export interface RecordSet {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** Whether it is the set itself; otherwise it contains the set. */
  readonly isExact: boolean
  /** Lower: likely to be smaller, to be looked at first. */
  readonly rank: number
  /** Whether its rows come one after another from an index: the first N of them cost N, however many there are. */
  readonly isRange: boolean
  /** Whether they come in ascending order as well. */
  readonly isOrdered: boolean
}

/** Of a set that SQLite may have to make whole before its first row comes. */
const NO_RANGE = { isRange: false, isOrdered: false }

/** Trigrams need three characters; more than this many narrow nothing down any further. */
const TRIGRAM = 3
const MAX_NEEDLE = 64

const NOTHING: RecordSet = {
  sql: 'SELECT 0 AS record WHERE 0',
  parameters: [],
  isExact: true,
  rank: 0,
  isRange: true,
  isOrdered: true,
}

export interface CompileContext {
  /** The schemas that are searched. */
  readonly schemas: readonly Schema[]
  readonly model: Model
  readonly lookUp: LookUpAttribute
}

export function allRecordsOf(schemas: readonly Schema[], isExact = true): RecordSet {
  if (schemas.length === 0) return NOTHING
  const sql = `SELECT n AS record FROM main.record WHERE schema_id IN (${placeholders(schemas)})`
  return { sql, parameters: schemas.map((schema) => schema.id), isExact, rank: 9, isRange: true, isOrdered: false }
}

/** Records that satisfy the criteria, as far as the index knows. */
export function compileCriteria({ criteria, criteriaOperator }: Criteria, context: CompileContext): RecordSet {
  if (criteria.length === 0) return allRecordsOf(context.schemas)
  const sets = criteria.map((criterion) => compileCriterion(criterion, context))
  return criteriaOperator === 'and' ? intersect(sets) : unite(sets, false)
}

/** Records with any text that contains `text` (not yet folded). */
export function compileText(text: string): RecordSet {
  const needle = foldForIndex(text)
  const characters = Array.from(needle)
  const isWhole = characters.length <= MAX_NEEDLE && !hasMark(needle)
  if (characters.length < TRIGRAM) {
    const sql = 'SELECT id AS record FROM idx.text_content WHERE instr(c0, ?) > 0'
    return { sql, parameters: [needle], isExact: isWhole, rank: 5, ...NO_RANGE }
  }
  const phrase = `"${characters.slice(0, MAX_NEEDLE).join('').replaceAll('"', '""')}"`
  return {
    sql: 'SELECT rowid AS record FROM idx.text WHERE text MATCH ?',
    parameters: [phrase],
    isExact: isWhole,
    rank: 2,
    ...NO_RANGE,
  }
}

function compileCriterion(criterion: QueryCriterion, context: CompileContext): RecordSet {
  const isNegated = criterion.operator === 'notEquals' || criterion.operator === 'isEmpty'
  const sets = context.schemas.flatMap((schema) => {
    const attribute = schema.attribute(criterion.attributeAlias)
    if (attribute === undefined) return []
    const found = compileForAttribute(criterion, attribute, schema, context)
    return [isNegated ? complement(found, schema) : found]
  })
  // A record belongs to one schema, so the sets are disjoint.
  return unite(sets, true)
}

function complement(set: RecordSet, schema: Schema): RecordSet {
  if (!set.isExact) return allRecordsOf([schema], false)
  const sql = `SELECT n AS record FROM main.record WHERE schema_id = ? AND n NOT IN (${set.sql})`
  return { sql, parameters: [schema.id, ...set.parameters], isExact: true, rank: 9, ...NO_RANGE }
}

/** Records of one schema in which some judged value passes the criterion's test; for negated ones the test of the opposite. */
function compileForAttribute(
  criterion: QueryCriterion,
  attribute: Attribute,
  schema: Schema,
  { lookUp, model }: CompileContext,
): RecordSet {
  const indexed = lookUp(schema.id, attribute.alias)
  const condition = keyCondition(criterion, attribute)
  if (indexed === undefined || condition === undefined) return NOTHING
  const scopes = indexed.scopes.filter(({ scope }) => agree(scope, scopeOf(criterion, attribute)))
  if (scopes.length === 0) return NOTHING
  const isExact = condition.isExact && isUnshadowed(criterion, attribute, scopes, model)
  if (condition.kind === 'text') return compileTextOf(indexed.n, criterion)
  const isDistinct = scopes.length === 1 && condition.isSingle
  const sql = `SELECT ${isDistinct ? '' : 'DISTINCT '}record FROM idx.value
     WHERE attribute = ? AND scope IN (${placeholders(scopes)}) AND ${condition.sql}`
  const parameters = [indexed.n, ...scopes.map((scope) => scope.n), ...condition.parameters]
  return { sql, parameters, isExact, rank: condition.rank, isRange: true, isOrdered: isDistinct && condition.isPoint }
}

/** Records in which a text of the attribute contains the criterion's value: exactly, unless a scope restricts it. */
function compileTextOf(attribute: number, { value = '', scope }: QueryCriterion): RecordSet {
  const set = compileText(value)
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

function intersect(sets: readonly RecordSet[]): RecordSet {
  if (sets.length === 1) return sets[0]!
  const [first, ...others] = sets.toSorted((one, other) => one.rank - other.rank)
  const conditions = others.map((set) => `record IN (${set.sql})`)
  return {
    sql: `SELECT record FROM (${first!.sql}) WHERE ${conditions.join(' AND ')}`,
    parameters: [first!, ...others].flatMap((set) => set.parameters),
    isExact: sets.every((set) => set.isExact),
    rank: first!.rank,
    ...NO_RANGE,
  }
}

function unite(sets: readonly RecordSet[], areDisjoint: boolean): RecordSet {
  if (sets.length === 0) return NOTHING
  if (sets.length === 1) return sets[0]!
  return {
    sql: sets.map((set) => `SELECT record FROM (${set.sql})`).join(areDisjoint ? ' UNION ALL ' : ' UNION '),
    parameters: sets.flatMap((set) => set.parameters),
    isExact: sets.every((set) => set.isExact),
    rank: Math.max(...sets.map((set) => set.rank)),
    isRange: areDisjoint && sets.every((set) => set.isRange),
    isOrdered: false,
  }
}

function placeholders(items: readonly unknown[]): string {
  return items.map(() => '?').join(', ')
}
