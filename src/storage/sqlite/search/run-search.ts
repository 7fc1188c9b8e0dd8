// One search, on one snapshot of records and index, as a generator that gives way every few milliseconds, so that one
// thread can serve several searches and stop any of them.
import { matchesCriteria, matchesText } from '../../../domain/search/criteria.ts'
import { dataTypeOf } from '../../../domain/datatypes/data-types.ts'
import type { Model, Schema } from '../../../domain/model/model.ts'
import { canRead, type Role } from '../../../domain/accounts/permissions.ts'
import type { ValueLayers, Values } from '../../../domain/records/record.ts'
import { foldText } from '../../../domain/text.ts'
import { NONE, type Numbers, subtractNumbers, toNumbers, uniteNumbers } from '../../search/numbers.ts'
import { find } from '../../search/plan.ts'
import { allOf, asksForText, inexact, type Leaf, type RecordSet } from '../../search/sets.ts'
import { setOfCriteria, setOfText } from '../../search/to-sets.ts'
import type { StatementCache } from '../statements.ts'
import { trigramCounts } from '../search-index/trigram-counts.ts'
import { followPlan } from './answer-plan.ts'
import { attributeLookUp } from './dictionary.ts'
import { FoundItems } from './found-items.ts'
import { pageOfOthers } from './page-of-others.ts'
import { readPending } from './pending.ts'
import { isDistinct, printLeaf } from './print-set.ts'
import { judgeRows, quietly, readRecords, type SearchedRow, type SearchStep } from './read-found.ts'
import type { SearchSnapshot } from './searcher.ts'
import type { SearchQuery } from '../../search-port.ts'

interface Search {
  readonly query: SearchQuery
  readonly model: Model
  readonly schemas: readonly Schema[]
  readonly items: FoundItems
}

/**
 * @param sql a connection within the snapshot, with the index attached as `idx`
 * @param items makes what is answered of the records
 * @throws SnapshotMissed
 */
export function* runSearch(
  query: SearchQuery,
  sql: StatementCache,
  { model, progress }: SearchSnapshot,
  items = new FoundItems(query, sql, model),
): Generator<SearchStep, void> {
  const search: Search = {
    query,
    model,
    schemas: searchedSchemas(query, model),
    items,
  }
  const pending = readPending(progress, sql, search.schemas)
  const set = pending.isAll ? allOf(idsOf(search.schemas), false) : setOfQuery(search, sql)
  const unseen = uniteNumbers(toNumbers(pending.records), asksForText(set) ? largeTexts(sql) : NONE)
  if (unseen.length === 0 && isPage(set, query)) {
    yield* runLeaf(set, search, sql)
    return
  }
  if (unseen.length === 0 && set.kind === 'not' && query.limit !== null) {
    const page = yield* pageOfOthers(set, query, search.schemas.length, sql)
    if (page !== undefined) {
      yield* readRecords(page.records, search.items, countOf(page.total, query), sql)
      return
    }
  }
  const found = yield* quietly(followPlan(find(set, { schemas: search.schemas.length }), sql))
  const matches = predicateOf(search)
  if (!set.isExact) {
    yield* runJudged(uniteNumbers(found, unseen), matches, search, sql)
    return
  }
  const hits = yield* judgeRows(unseen, matches, sql)
  const numbers = uniteNumbers(subtractNumbers(found, unseen), hits)
  yield* readRecords(pageOf(numbers, query), search.items, countOf(numbers.length, query), sql)
}

/** How many match, where anybody asks for it. */
function countOf(found: number, { limit, isCounted }: SearchQuery): number | null {
  return limit === null || isCounted === false ? null : found
}

function searchedSchemas({ schemaId }: SearchQuery, model: Model): Schema[] {
  return schemaId === undefined ? [...model.schemas.values()] : [model.schemas.get(schemaId) ?? []].flat()
}

/** Records whose texts are not in the full-text index. */
function largeTexts(sql: StatementCache): Numbers {
  return toNumbers(sql.numbers('SELECT record FROM idx.large_text ORDER BY record', []))
}

/** What the index knows of the answer; of pending records it knows nothing. */
function setOfQuery({ query, model, schemas }: Search, sql: StatementCache): RecordSet {
  const asked = { schemas, model, lookUp: attributeLookUp(sql, query.schemaId) }
  if (query.find.kind === 'criteria') return setOfCriteria(query.find.criteria, asked)
  const set = setOfText(query.find.text, asked)
  return schemas.every((schema) => canReadAllText(query.role, schema)) ? set : inexact(set)
}

function canReadAllText(role: Role, schema: Schema): boolean {
  return schema.attributes.every(
    (attribute) => !dataTypeOf(attribute).isText || canRead(role, schema.id, attribute.alias),
  )
}

/** Whether SQL alone gives a page of the set in less time than to read all of it. */
function isPage(set: RecordSet, { limit }: SearchQuery): set is Leaf {
  if (limit === null || !set.isExact) return false
  return (set.kind === 'keys' && isDistinct(set)) || set.kind === 'text' || set.kind === 'schemas'
}

function* runLeaf(set: Leaf, { query, items }: Search, sql: StatementCache): Generator<SearchStep, void> {
  const printed = printLeaf(set, trigramCounts(sql))
  const count = `SELECT count(*) AS total FROM (${printed.sql})`
  const total = query.isCounted === false ? null : sql.get<{ total: number }>(count, printed.parameters)!.total
  const numbers = sql.numbers(`SELECT record FROM (${printed.sql}) ORDER BY record LIMIT ? OFFSET ?`, [
    ...printed.parameters,
    query.limit,
    query.offset,
  ])
  yield* readRecords(toNumbers(numbers), items, total, sql)
}

/** Every one of the records is judged by the predicate. */
function* runJudged(
  records: Numbers,
  matches: (row: SearchedRow) => boolean,
  { query, items }: Search,
  sql: StatementCache,
): Generator<SearchStep, void> {
  if (query.limit === null) {
    let skipped = 0
    yield* readRecords(records, items, null, sql, (row) => matches(row) && ++skipped > query.offset)
    return
  }
  // Numbers only: the records of a page may be large, and are read again when they are sent.
  const max = query.isCounted === false ? query.offset + query.limit : Infinity
  const numbers = yield* judgeRows(records, matches, sql, max)
  yield* readRecords(pageOf(numbers, query), items, countOf(numbers.length, query), sql)
}

function pageOf(numbers: Numbers, { offset, limit }: SearchQuery): Numbers {
  return numbers.subarray(offset, limit === null ? undefined : offset + limit)
}

function predicateOf({ query, model, schemas }: Search): (row: SearchedRow) => boolean {
  const searched = new Set(idsOf(schemas))
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

function idsOf(schemas: readonly Schema[]): string[] {
  return schemas.map((schema) => schema.id)
}
