// One search, on one snapshot of records and index, as a generator that gives way every few milliseconds, so that one
// thread can serve several searches and stop any of them.
import { matchesCriteria, matchesText } from '../../../domain/criteria.ts'
import type { Model, Schema } from '../../../domain/model.ts'
import { canRead, canReadAll, readableValues, type Role } from '../../../domain/permissions.ts'
import { dataTypeOf } from '../../../domain/datatypes.ts'
import type { ValueLayers, Values } from '../../../domain/record.ts'
import { foldText } from '../../../domain/text.ts'
import type { Page, SearchQuery, StoredRecord } from '../../record-port.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { trigramCounts } from '../search-index/trigram-counts.ts'
import { compileCriteria } from './compile.ts'
import { attributeLookUp, type LookUpAttribute } from './dictionary.ts'
import { readPending } from './pending.ts'
import { allRecordsOf, asTable, type RecordSet } from './record-sets.ts'
import type { SearchSnapshot } from './searcher.ts'
import { compileText } from './text-search.ts'

/** A generator gives way after this time, and after so many characters of values. */
const SLICE_MILLISECONDS = 10
const BATCH_CHARACTERS = 262_144

export interface SearchStep {
  readonly records: StoredRecord[]
  /** In one step, before or with the first records; null where no limit was given. */
  readonly total?: number | null
  readonly isLast?: boolean
}

export type Row = StoredRecord & { readonly n: number; readonly inheritedJson: string | null }

export interface Search {
  readonly query: SearchQuery
  readonly model: Model
  readonly schemas: readonly Schema[]
}

/** @param sql a connection within the snapshot, with the index attached as `idx` @throws SnapshotMissed */
export function* runSearch(
  query: SearchQuery,
  sql: StatementCache,
  { model, progress }: SearchSnapshot,
): Generator<SearchStep, void> {
  const search: Search = { query, model, schemas: searchedSchemas(query, model) }
  const pending = readPending(progress, sql, search.schemas)
  const set = pending.isAll ? allRecordsOf(search.schemas, false) : compileSearch(search, sql)
  if (set.isExact) yield* runExact(search, set, pending.records, sql)
  else yield* runJudged(search, set, pending.records, sql)
}

export function searchedSchemas({ schemaId }: SearchQuery, model: Model): Schema[] {
  return schemaId === undefined ? [...model.schemas.values()] : [model.schemas.get(schemaId) ?? []].flat()
}

/** What the index knows of the answer; of pending records it knows nothing. */
export function compileSearch(
  { query, model, schemas }: Search,
  sql: StatementCache,
  lookUp: LookUpAttribute = attributeLookUp(sql),
): RecordSet {
  const count = trigramCounts(sql)
  if (query.find.kind === 'criteria') return compileCriteria(query.find.criteria, { schemas, model, lookUp, count })
  const set = compileText(query.find.text, count)
  const isExact = set.isExact && schemas.every((schema) => canReadAllText(query.role, schema))
  if (query.schemaId === undefined) return { ...set, isExact }
  const ofSchema = `SELECT record FROM (${set.sql}) AS found
    WHERE EXISTS (SELECT 1 FROM main.record WHERE record.n = found.record AND schema_id = ?)`
  return { ...set, isExact, sql: ofSchema, parameters: [...set.parameters, query.schemaId] }
}

function canReadAllText(role: Role, schema: Schema): boolean {
  return schema.attributes.every(
    (attribute) => !dataTypeOf(attribute).isText || canRead(role, schema.id, attribute.alias),
  )
}

/** The set is the answer, but for the few records that the index has not seen in their present state. */
function* runExact(
  search: Search,
  set: RecordSet,
  pending: readonly number[],
  sql: StatementCache,
): Generator<SearchStep, void> {
  const hits = yield* judgePending(search, pending, sql)
  const numbers =
    pending.length === 0
      ? set.sql
      : `SELECT record FROM ${asTable(set)} WHERE record NOT IN (SELECT value FROM json_each(?))
         UNION ALL SELECT value FROM json_each(?)`
  const lists = pending.length === 0 ? [] : [JSON.stringify(pending), JSON.stringify(hits)]
  const parameters = [...set.parameters, ...lists]
  const { limit, offset } = search.query
  const total =
    limit === null ? null : sql.get<{ total: number }>(`SELECT count(*) AS total FROM (${numbers})`, parameters)!.total
  const rows = sql.iterate<Row>(
    `SELECT ${RECORD_COLUMNS} FROM main.record
      WHERE n IN (SELECT record FROM (${numbers}) ORDER BY record LIMIT ? OFFSET ?) ORDER BY n`,
    [...parameters, limit ?? -1, offset],
  )
  yield* inBatches(rows, () => true, search.query.role, total)
}

/** The set contains the answer: every record in it, and every one that the index has not seen, is judged by the predicate. */
function* runJudged(
  search: Search,
  set: RecordSet,
  pending: readonly number[],
  sql: StatementCache,
): Generator<SearchStep, void> {
  const rows = selectWithParents(`${set.sql} UNION ALL SELECT value FROM json_each(?)`, sql, [
    ...set.parameters,
    JSON.stringify(pending),
  ])
  const matches = predicateOf(search)
  const { limit, offset, role } = search.query
  if (limit === null) {
    let skipped = 0
    yield* inBatches(rows, (row) => matches(row) && ++skipped > offset, role, null)
    return
  }
  const { total, numbers } = yield* countAndCut(rows, matches, { limit, offset })
  yield* inBatches(
    selectWithParents('SELECT value FROM json_each(?)', sql, [JSON.stringify(numbers)]),
    () => true,
    role,
    total,
  )
}

/** Numbers only: the records of a page may be large, and are read again when they are sent. */
function* countAndCut(
  rows: Iterable<Row>,
  matches: (row: Row) => boolean,
  { offset, limit }: Page,
): Generator<SearchStep, { total: number; numbers: number[] }> {
  const numbers: number[] = []
  let total = 0
  let end = performance.now() + SLICE_MILLISECONDS
  for (const row of rows) {
    if (matches(row)) {
      if (total >= offset && numbers.length < limit) numbers.push(row.n)
      total += 1
    }
    if (performance.now() < end) continue
    yield { records: [] }
    end = performance.now() + SLICE_MILLISECONDS
  }
  return { total, numbers }
}

/** Numbers of the pending records that match. */
function* judgePending(
  search: Search,
  pending: readonly number[],
  sql: StatementCache,
): Generator<SearchStep, number[]> {
  if (pending.length === 0) return []
  const rows = selectWithParents('SELECT value AS record FROM json_each(?)', sql, [JSON.stringify(pending)])
  const { numbers } = yield* countAndCut(rows, predicateOf(search), { offset: 0, limit: Infinity })
  return numbers
}

/**
 * SQLite walks through an IN set in ascending order. Joined to the set instead, it would sort whole records, all of them
 * in memory before the first one comes.
 */
function selectWithParents(set: string, sql: StatementCache, parameters: readonly unknown[]): IterableIterator<Row> {
  return sql.iterate<Row>(
    `SELECT record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson
       FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
      WHERE record.n IN (${set}) ORDER BY record.n`,
    parameters,
  )
}

function predicateOf({ query, model, schemas }: Search): (row: Row) => boolean {
  const searched = new Set(schemas.map((schema) => schema.id))
  const needle = query.find.kind === 'text' ? foldText(query.find.text) : ''
  return (row) => {
    const schema = searched.has(row.schemaId) ? model.schemas.get(row.schemaId) : undefined
    if (schema === undefined) return false
    const layers: ValueLayers = {
      own: JSON.parse(row.valuesJson) as Values,
      inherited: row.inheritedJson === null ? null : (JSON.parse(row.inheritedJson) as Values),
    }
    return query.find.kind === 'criteria'
      ? matchesCriteria(query.find.criteria, layers, schema, model)
      : matchesText(needle, layers, schema, query.role, model)
  }
}

function* inBatches(
  rows: Iterable<Row>,
  matches: (row: Row) => boolean,
  role: Role,
  total: number | null,
): Generator<SearchStep, void> {
  let first: { total?: number | null } = { total }
  let records: StoredRecord[] = []
  let characters = 0
  let end = performance.now() + SLICE_MILLISECONDS
  for (const row of rows) {
    if (matches(row)) {
      records.push(readable(row, role))
      characters += row.valuesJson.length
    }
    if (characters < BATCH_CHARACTERS && performance.now() < end) continue
    yield { records, ...first }
    first = {}
    records = []
    characters = 0
    end = performance.now() + SLICE_MILLISECONDS
  }
  yield { records, ...first, isLast: true }
}

/** The record without what is hidden from the role. */
export function readable(row: StoredRecord, role: Role): StoredRecord {
  const { id, schemaId, parentId, lifecycleStateId, version, createdAt, updatedAt, createdBy, updatedBy } = row
  const valuesJson = canReadAll(role, schemaId)
    ? row.valuesJson
    : JSON.stringify(readableValues(role, schemaId, JSON.parse(row.valuesJson) as Values))
  return { id, schemaId, parentId, lifecycleStateId, version, createdAt, updatedAt, createdBy, updatedBy, valuesJson }
}
