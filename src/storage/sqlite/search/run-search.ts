// One search, on one snapshot of records and index, as a generator that gives way every few milliseconds, so that one
// thread can serve several searches and stop any of them.
import { matchesCriteria } from '../../../domain/search/criteria.ts'
import type { SearchWorld } from '../../../domain/search/searched-record.ts'
import { matchesQuestion } from '../../../domain/search/text-question.ts'
import { dataTypeOf } from '../../../domain/datatypes/data-types.ts'
import type { Model, Schema } from '../../../domain/model/model.ts'
import { canRead, type Role } from '../../../domain/accounts/permissions.ts'
import { NONE, type Numbers, subtractNumbers, toNumbers, uniteNumbers } from '../../search/numbers.ts'
import { find as findAll } from '../../search/plan.ts'
import { allOf, asksForText, intersect, type Leaf, type RecordSet } from '../../search/sets.ts'
import { setOfCriteria, setOfQuestion } from '../../search/to-sets.ts'
import type { StatementCache } from '../statements.ts'
import { trigramCounts } from '../search-index/trigram-counts.ts'
import { followPlan } from './answer-plan.ts'
import { categoryTree } from './category-tree.ts'
import { FoundItems } from './found-items.ts'
import { pageOfOthers, pageOfSchemas } from './page-of-others.ts'
import { readPending } from './pending.ts'
import { isDistinct, printLeaf } from './print-set.ts'
import type { Members } from '../../search/order.ts'
import { judgeRows, type PageHead, quietly, readRecords, type SearchedRow, type SearchStep } from './read-found.ts'
import { searchedRecord } from './searched-row.ts'
import { askedOf, Sorting } from './sorting.ts'
import type { Progress } from '../search-index/index-tables.ts'
import type { SearchSnapshot } from './searcher.ts'
import type { SearchQuery } from '../../search-port.ts'

export interface Search {
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
  const { set, unseen } = beginFinding(search, progress, sql)
  if (query.sort !== undefined && query.sort.length > 0) yield* runSorted(set, unseen, search, sql)
  else if (unseen.length === 0 && isPage(set, query)) yield* runLeaf(set, search, sql)
  else if (!(yield* runCounted(set, unseen, search, sql))) yield* runAll(set, unseen, search, sql)
}

/** A page of all records of some schemas, or of what is not in a set. @returns whether that is what is asked for */
function* runCounted(
  set: RecordSet,
  unseen: Numbers,
  { query, schemas, items }: Search,
  sql: StatementCache,
): Generator<SearchStep, boolean> {
  if (unseen.length > 0 || query.limit === null || !set.isExact) return false
  if (set.kind !== 'not' && set.kind !== 'schemas') return false
  const page =
    set.kind === 'schemas' ? pageOfSchemas(set, query, sql) : yield* pageOfOthers(set, query, schemas.length, sql)
  if (page === undefined) return false
  yield* readRecords(page.records, items, headOf(page.records, page.total, query), sql)
  return true
}

function* runAll(set: RecordSet, unseen: Numbers, search: Search, sql: StatementCache): Generator<SearchStep, void> {
  const { query, items } = search
  const found = yield* quietly(followPlan(findAll(set, { schemas: search.schemas.length }), sql))
  const matches = predicateOf(search, sql)
  if (!set.isExact) {
    yield* runJudged(uniteNumbers(found, unseen), matches, search, sql)
    return
  }
  const hits = yield* judgeRows(unseen, matches, sql)
  const numbers = uniteNumbers(subtractNumbers(found, unseen), hits)
  const page = pageOf(numbers, query)
  yield* readRecords(page, items, headOf(page, numbers.length, query), sql)
}

/** In an order that is not that of creation. */
function* runSorted(set: RecordSet, unseen: Numbers, search: Search, sql: StatementCache): Generator<SearchStep, void> {
  const { query, items } = search
  const sorting = new Sorting(search, unseen, sql)
  const { members, others } = yield* membersOf(set, unseen, search, sql)
  const { page, next } = yield* sorting.page(members, others)
  const total = members === 'all' ? sorting.records : members.length + others.length
  yield* readRecords(page, items, { total: countOf(total, query), next }, sql)
}

/** All that is found: the records of which the index knows, and those of which it does not. */
export interface Found {
  readonly schemas: readonly Schema[]
  readonly members: Members
  readonly others: Numbers
}

/** @throws SnapshotMissed */
export function* findMembers(
  query: SearchQuery,
  sql: StatementCache,
  { model, progress }: SearchSnapshot,
): Generator<SearchStep, Found> {
  const search = { query, model, schemas: searchedSchemas(query, model) }
  const { set, unseen } = beginFinding(search, progress, sql)
  const found = yield* membersOf(set, unseen, search, sql)
  // What waits for the index has rows there, of how it was before.
  if (found.members !== 'all' || unseen.length === 0) return { ...search, ...found }
  const all = yield* quietly(followPlan(findAll(set, { schemas: search.schemas.length }), sql))
  return { ...search, ...found, members: subtractNumbers(all, unseen) }
}

type Asking = Omit<Search, 'items'>

function beginFinding(search: Asking, progress: Progress, sql: StatementCache): { set: RecordSet; unseen: Numbers } {
  const pending = readPending(progress, sql, search.schemas)
  const set = pending.isAll ? allOf(idsOf(search.schemas), false) : setOfQuery(search, sql)
  return { set, unseen: uniteNumbers(toNumbers(pending.records), asksForText(set) ? largeTexts(sql) : NONE) }
}

function* membersOf(
  set: RecordSet,
  unseen: Numbers,
  search: Asking,
  sql: StatementCache,
): Generator<SearchStep, Pick<Found, 'members' | 'others'>> {
  const { schemas } = search
  const matches = predicateOf(search, sql)
  let members: Members = 'all'
  if (set.kind !== 'schemas' || !set.isExact || set.schemaIds.length < schemas.length) {
    const found = yield* quietly(followPlan(findAll(set, { schemas: schemas.length }), sql))
    members = subtractNumbers(set.isExact ? found : yield* judgeRows(found, matches, sql), unseen)
  }
  return { members, others: yield* judgeRows(unseen, matches, sql) }
}

/** How many match, where anybody asks for it. */
function countOf(found: number, { limit, isCounted }: SearchQuery): number | null {
  return limit === null || isCounted === false ? null : found
}

/** Of a page in the order of creation. */
function headOf(page: Numbers, found: number, query: SearchQuery): PageHead {
  const isFull = query.limit !== null && page.length === query.limit
  return { total: countOf(found, query), next: isFull ? { record: page.at(-1)!, values: [] } : undefined }
}

function searchedSchemas({ schemaId }: SearchQuery, model: Model): Schema[] {
  return schemaId === undefined ? [...model.schemas.values()] : [model.schemas.get(schemaId) ?? []].flat()
}

/** Records whose texts are not in the full-text index. */
function largeTexts(sql: StatementCache): Numbers {
  return toNumbers(sql.numbers('SELECT record FROM idx.large_text ORDER BY record', []))
}

/** What the index knows of the answer; of pending records it knows nothing. */
function setOfQuery({ query, model, schemas }: Asking, sql: StatementCache): RecordSet {
  const asked = askedOf({ query, model, schemas }, sql)
  const isAllRead = schemas.every((schema) => canReadAllText(query.role, schema))
  const { find } = query
  if (find.kind === 'text') return setOfQuestion({ text: find.text, mode: 'phrase' }, asked, isAllRead)
  const set = setOfCriteria(find.criteria, asked)
  if (find.text === undefined) return set
  const found = setOfQuestion(find.text, asked, isAllRead)
  return find.criteria.criteria.length === 0 ? found : intersect([set, found])
}

function canReadAllText(role: Role, schema: Schema): boolean {
  return schema.attributes.every(
    (attribute) => !dataTypeOf(attribute).isText || canRead(role, schema.id, attribute.alias),
  )
}

/** Whether SQL alone gives a page of the set in less time than to read all of it. */
function isPage(set: RecordSet, { limit }: SearchQuery): set is Leaf {
  if (limit === null || !set.isExact) return false
  return (set.kind === 'keys' && isDistinct(set)) || set.kind === 'text'
}

function* runLeaf(set: Leaf, { query, items }: Search, sql: StatementCache): Generator<SearchStep, void> {
  const printed = printLeaf(set, trigramCounts(sql))
  const count = `SELECT count(*) AS total FROM (${printed.sql})`
  const total = query.isCounted === false ? null : sql.get<{ total: number }>(count, printed.parameters)!.total
  const { after, limit, offset } = query
  // Not said where it says nothing: SQLite would look for another way to the first records.
  const begin =
    after === undefined ? { sql: '', parameters: [] } : { sql: 'WHERE record > ?', parameters: [after.record] }
  const page = `SELECT record FROM (${printed.sql}) ${begin.sql} ORDER BY record LIMIT ? OFFSET ?`
  const numbers = toNumbers(sql.numbers(page, [...printed.parameters, ...begin.parameters, limit, offset]))
  yield* readRecords(numbers, items, { ...headOf(numbers, 0, query), total }, sql)
}

/** Every one of the records is judged by the predicate. */
function* runJudged(
  records: Numbers,
  matches: (row: SearchedRow) => boolean,
  { query, items }: Search,
  sql: StatementCache,
): Generator<SearchStep, void> {
  const { limit, offset, after } = query
  if (limit === null) {
    let skipped = 0
    const isAsked = (row: SearchedRow): boolean => row.n > (after?.record ?? 0) && matches(row) && ++skipped > offset
    yield* readRecords(records, items, { total: null }, sql, isAsked)
    return
  }
  // Numbers only: the records of a page may be large, and are read again when they are sent.
  const max = query.isCounted === false && after === undefined ? offset + limit : Infinity
  const numbers = yield* judgeRows(records, matches, sql, max)
  const page = pageOf(numbers, query)
  yield* readRecords(page, items, headOf(page, numbers.length, query), sql)
}

function pageOf(numbers: Numbers, { offset, limit, after }: SearchQuery): Numbers {
  const left = after === undefined ? numbers : numbers.filter((record) => record > after.record)
  return left.subarray(offset, limit === null ? undefined : offset + limit)
}

function predicateOf({ query, model, schemas }: Asking, sql: StatementCache): (row: SearchedRow) => boolean {
  const searched = new Set(idsOf(schemas))
  const { find, role } = query
  const world: SearchWorld = { model, role, categories: categoryTree(sql) }
  return (row) => {
    const schema = searched.has(row.schemaId) ? model.schemas.get(row.schemaId) : undefined
    if (schema === undefined) return false
    const record = searchedRecord(row, schema, sql)
    if (find.kind === 'text') return matchesQuestion({ text: find.text, mode: 'phrase' }, record, world)
    return (
      matchesCriteria(find.criteria, record, world) &&
      (find.text === undefined || matchesQuestion(find.text, record, world))
    )
  }
}

function idsOf(schemas: readonly Schema[]): string[] {
  return schemas.map((schema) => schema.id)
}
