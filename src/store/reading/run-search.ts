// One search, on one snapshot of records and index, as a program that gives way every few milliseconds, so that one thread can
// serve several searches and stop any of them.
import { matchesCriteria } from '../../core/search/rules/criteria.ts'
import type { SearchWorld } from '../../core/search/rules/searched-record.ts'
import { matchesQuestion } from '../../core/search/rules/text-question.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Schema } from '../../core/model/rules/model.ts'
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { ask, type LeafPage, type Program, type ReadRecord } from '../../core/search/plan/ask.ts'
import { NONE, type Numbers, subtractNumbers, uniteNumbers } from '../../core/search/plan/record-numbers.ts'
import type { Members } from '../../core/search/plan/order.ts'
import { find as findAll } from '../../core/search/plan/plan.ts'
import { allOf, asksForText, isDistinct, type Leaf, type RecordSet } from '../../core/search/plan/sets.ts'
import { intersectSearched, setOfCriteria, setOfQuestion } from '../../core/search/plan/to-sets.ts'
import type { SearchQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import { type Asking, askedOf, type Ground, idsOf, searchedSchemas } from './search-snapshot.ts'
import { pageOfOthers } from './page-of-others.ts'
import { judgeRows, type PageHead, readRecords, type SearchStep } from './read-found.ts'
import { searchedRecord } from './searched-row.ts'
import { countRecords, orderingOf, sortedPage } from './sorted-finds.ts'

interface Search extends Asking {
  readonly items: FoundItems
}

/** @param items makes what is answered of the records */
export function* runSearch(
  query: SearchQuery,
  ground: Ground,
  items = new FoundItems(query, ground.model),
): Program<SearchStep> {
  const search: Search = { query, ground, schemas: searchedSchemas(query, ground.model), items }
  const { set, unseen } = yield* beginFinding(search)
  if (query.sort !== undefined && query.sort.length > 0) yield* runSorted(set, unseen, search)
  else if (unseen.length === 0 && isPage(set, query)) yield* runLeaf(set, search)
  else if (!(yield* runOthers(set, unseen, search))) yield* runAll(set, unseen, search)
}

/** A page of what is not in a set. @returns whether that is what is asked for */
function* runOthers(set: RecordSet, unseen: Numbers, { query, schemas, items }: Search): Program<SearchStep, boolean> {
  if (unseen.length > 0 || set.kind !== 'not' || query.limit === null) return false
  const page = yield* pageOfOthers(set, query, schemas.length)
  if (page === undefined) return false
  yield* readRecords(page.records, items, headOf(page.records, page.total, query))
  return true
}

function* runAll(set: RecordSet, unseen: Numbers, search: Search): Program<SearchStep> {
  const { query, items } = search
  const found = yield* findAll(set, { schemas: search.schemas.length })
  const matches = predicateOf(search)
  if (!set.isExact) {
    yield* runJudged(uniteNumbers(found, unseen), matches, search)
    return
  }
  const hits = yield* judgeRows(unseen, matches)
  const numbers = uniteNumbers(subtractNumbers(found, unseen), hits)
  const page = pageOf(numbers, query)
  yield* readRecords(page, items, headOf(page, numbers.length, query))
}

/** In an order that is not that of creation. */
function* runSorted(set: RecordSet, unseen: Numbers, search: Search): Program<SearchStep> {
  const { query, items } = search
  const records = yield* countRecords(idsOf(search.schemas))
  const { members, others } = yield* membersOf(set, unseen, search)
  const { page, next } = yield* sortedPage(orderingOf(search, unseen, records), query, members, others)
  const total = members === 'all' ? records : members.length + others.length
  yield* readRecords(page, items, { total: countOf(total, query), next })
}

/** All that is found: the records of which the index knows, and those of which it does not. */
export interface Found {
  readonly schemas: readonly Schema[]
  readonly members: Members
  readonly others: Numbers
}

export function* findMembers(query: SearchQuery, ground: Ground): Program<SearchStep, Found> {
  const search = { query, ground, schemas: searchedSchemas(query, ground.model) }
  const { schemas } = search
  const { set, unseen } = yield* beginFinding(search)
  const found = yield* membersOf(set, unseen, search)
  // What waits for the index has rows there, of how it was before.
  if (found.members !== 'all' || unseen.length === 0) return { schemas, ...found }
  const all = yield* findAll(set, { schemas: schemas.length })
  return { schemas, ...found, members: subtractNumbers(all, unseen) }
}

function* beginFinding(search: Asking): Program<SearchStep, { set: RecordSet; unseen: Numbers }> {
  const { pending } = search.ground
  const set = pending.isAll ? allOf(idsOf(search.schemas), false) : yield* setOfQuery(search)
  const large = asksForText(set) ? yield* ask<Numbers>({ kind: 'largeTexts' }) : NONE
  return { set, unseen: uniteNumbers(pending.records, large) }
}

function* membersOf(
  set: RecordSet,
  unseen: Numbers,
  search: Asking,
): Program<SearchStep, Pick<Found, 'members' | 'others'>> {
  const { schemas } = search
  const matches = predicateOf(search)
  let members: Members = 'all'
  if (set.kind !== 'schemas' || !set.isExact || set.schemaIds.length < schemas.length) {
    const found = yield* findAll(set, { schemas: schemas.length })
    members = subtractNumbers(set.isExact ? found : yield* judgeRows(found, matches), unseen)
  }
  return { members, others: yield* judgeRows(unseen, matches) }
}

/** How many match, where anybody asks for it. */
function countOf(found: number, { limit, isCounted }: SearchQuery): number | null {
  return limit === null || isCounted === false ? null : found
}

/** Of a page in the order of creation. */
export function headOf(page: Numbers, found: number, query: SearchQuery): PageHead {
  const isFull = query.limit !== null && page.length === query.limit
  return { total: countOf(found, query), next: isFull ? { record: page.at(-1)!, values: [] } : undefined }
}

/** What the index knows of the answer; of pending records it knows nothing. */
function* setOfQuery(search: Asking): Program<SearchStep, RecordSet> {
  const asked = askedOf(search)
  const { find, role } = search.query
  const isAllRead = search.schemas.every((schema) => canReadAllText(role, schema))
  if (find.kind === 'text') return setOfQuestion({ text: find.text, mode: 'phrase' }, asked, isAllRead)
  const set = yield* setOfCriteria(find.criteria, asked)
  if (find.text === undefined) return set
  const found = setOfQuestion(find.text, asked, isAllRead)
  return find.criteria.criteria.length === 0 ? found : intersectSearched([set, found], asked)
}

function canReadAllText(role: Role, schema: Schema): boolean {
  return schema.attributes.every(
    (attribute) => !dataTypeOf(attribute).isText || canRead(role, schema.id, attribute.alias),
  )
}

/** Whether the index alone gives a page of the set in less time than to read all of it. */
function isPage(set: RecordSet, { limit }: SearchQuery): set is Leaf {
  if (limit === null || !set.isExact) return false
  return (set.kind === 'keys' && isDistinct(set)) || set.kind === 'text' || set.kind === 'schemas'
}

function* runLeaf(set: Leaf, { query, items }: Search): Program<SearchStep> {
  const { after, offset } = query
  const isCounted = query.isCounted !== false
  const page = { kind: 'page', set, after: after?.record, offset, limit: query.limit!, isCounted } as const
  const { total, records } = yield* ask<LeafPage>(page)
  yield* readRecords(records, items, { ...headOf(records, 0, query), total })
}

/** Every one of the records is judged by the predicate. */
function* runJudged(
  records: Numbers,
  matches: (row: ReadRecord) => boolean,
  { query, items }: Search,
): Program<SearchStep> {
  const { limit, offset, after } = query
  if (limit === null) {
    let skipped = 0
    const isAsked = (row: ReadRecord): boolean => row.n > (after?.record ?? 0) && matches(row) && ++skipped > offset
    yield* readRecords(records, items, { total: null }, isAsked)
    return
  }
  // Numbers only: the records of a page may be large, and are read again when they are sent.
  const max = query.isCounted === false && after === undefined ? offset + limit : Infinity
  const numbers = yield* judgeRows(records, matches, max)
  const page = pageOf(numbers, query)
  yield* readRecords(page, items, headOf(page, numbers.length, query))
}

export function pageOf(numbers: Numbers, { offset, limit, after }: SearchQuery): Numbers {
  const left = after === undefined ? numbers : numbers.filter((record) => record > after.record)
  return left.subarray(offset, limit === null ? undefined : offset + limit)
}

function predicateOf({ query, ground, schemas }: Asking): (row: ReadRecord) => boolean {
  const searched = new Set(idsOf(schemas))
  const { find, role } = query
  const { model, categories, categoriesOf } = ground
  const world: SearchWorld = { model, role, categories }
  return (row) => {
    const schema = searched.has(row.schemaId) ? model.schemas.get(row.schemaId) : undefined
    if (schema === undefined) return false
    const record = searchedRecord(row, schema, categoriesOf)
    if (find.kind === 'text') return matchesQuestion({ text: find.text, mode: 'phrase' }, record, world)
    return (
      matchesCriteria(find.criteria, record, world) &&
      (find.text === undefined || matchesQuestion(find.text, record, world))
    )
  }
}
