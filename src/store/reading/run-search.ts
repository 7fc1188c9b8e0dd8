// Runs one search on a snapshot of records and index, and yields its records in batches.
import { aliasOfWhole } from '../../core/values/value-parts.ts'
import { matchesCriteria } from '../../core/search/rules/criteria.ts'
import type { SearchWorld } from '../../core/search/rules/searched-record.ts'
import { matchesQuestion } from '../../core/search/rules/text-question.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Schema } from '../../core/model/rules/model.ts'
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { NONE, type Numbers, subtractNumbers, toNumbers, uniteNumbers } from '../../core/search/plan/record-numbers.ts'
import type { Members } from '../../core/search/plan/order.ts'
import { find as findAll } from '../../core/search/plan/plan.ts'
import type { CountedState, ReadRecord, SearchIndex } from '../../core/search/plan/search-index.ts'
import { allOf, asksForText, isDistinct, type Leaf, type NotSet, type RecordSet } from '../../core/search/plan/sets.ts'
import { intersectSearched, setOfCriteria, setOfQuestion } from '../../core/search/plan/to-sets.ts'
import type { SearchQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import { askedOf, type Asking, type Ground, idsOf, searchedSchemas } from './search-snapshot.ts'
import { judgeRows, type PageHead, readRecords, type SearchStep } from './read-found.ts'
import { searchedRecord } from './searched-row.ts'
import { countRecords, orderingOf, sortedPage } from './sorted-finds.ts'

/** The records of a result: the records of the page, or with `matches`, candidates that must still match. */
interface Selected {
  readonly page: Numbers
  readonly head: PageHead
  readonly matches?: (row: ReadRecord) => boolean
}

/** @param items renders the records */
export async function* runSearch(
  query: SearchQuery,
  ground: Ground,
  items = new FoundItems(query, ground.model),
): AsyncGenerator<SearchStep, void> {
  const { page, head, matches } = await select({ query, ground, schemas: searchedSchemas(query, ground.model) })
  yield* readRecords(page, items, ground.index, head, matches)
}

/** Returns all records of a search in its order. */
export async function numbersInOrder(query: SearchQuery, ground: Ground): Promise<Numbers> {
  const whole = { ...query, offset: 0, limit: null }
  const { page, matches } = await select({ query: whole, ground, schemas: searchedSchemas(query, ground.model) })
  return matches === undefined ? page : judgeRows(page, matches, ground.index)
}

async function select(search: Asking): Promise<Selected> {
  const { query } = search
  const { set, unseen } = await beginFinding(search)
  if (query.sort !== undefined && query.sort.length > 0) return selectSorted(set, unseen, search)
  if (unseen.length === 0 && isPage(set, query)) return selectOfLeaf(set, search)
  if (unseen.length > 0 || set.kind !== 'not' || query.limit === null) return selectOfAll(set, unseen, search)
  const others = await pageOfOthers(set, search)
  if (others === undefined) return selectOfAll(set, unseen, search)
  return { page: others.records, head: headOf(others.records, others.total, query) }
}

async function selectOfAll(set: RecordSet, unseen: Numbers, search: Asking): Promise<Selected> {
  const { query, ground } = search
  const found = await findSet(set, search)
  const matches = predicateOf(search)
  if (!set.isExact) return selectJudged(uniteNumbers(found, unseen), matches, search)
  const hits = await judgeRows(unseen, matches, ground.index)
  const numbers = uniteNumbers(subtractNumbers(found, unseen), hits)
  const page = pageOf(numbers, query)
  return { page, head: headOf(page, numbers.length, query) }
}

/** Sorts by an order other than creation. */
async function selectSorted(set: RecordSet, unseen: Numbers, search: Asking): Promise<Selected> {
  const { query, ground } = search
  const records = await countRecords(idsOf(search.schemas), ground.index)
  const { members, others } = await membersOf(set, unseen, search)
  const { page, next } = await sortedPage(orderingOf(search, unseen, records), query, members, others)
  const total = members === 'all' ? records : members.length + others.length
  return { page, head: { total: countOf(total, query), next } }
}

function findSet(set: RecordSet, { ground: { index, found }, schemas: { length: schemas } }: Asking): Promise<Numbers> {
  const find = (): Promise<Numbers> => findAll(set, { index, schemas })
  return found === undefined ? find() : found.find(set, schemas, find)
}

/** All found records: those in the index, and those that the index does not cover. */
interface Found {
  readonly schemas: readonly Schema[]
  readonly members: Members
  readonly others: Numbers
}

export async function findMembers(query: SearchQuery, ground: Ground, begun?: Begun): Promise<Found> {
  const search = { query, ground, schemas: searchedSchemas(query, ground.model) }
  const { schemas } = search
  const { set, unseen } = begun ?? (await beginFinding(search))
  const found = await membersOf(set, unseen, search)
  // Pending records may have outdated rows in the index.
  if (found.members !== 'all' || unseen.length === 0) return { schemas, ...found }
  const all = await findSet(set, search)
  return { schemas, ...found, members: subtractNumbers(all, unseen) }
}

/** The set to read from the index, and the records that the index does not cover. */
interface Begun {
  readonly set: RecordSet
  readonly unseen: Numbers
}

export async function beginFinding(search: Asking): Promise<Begun> {
  const { pending } = search.ground
  const set = pending.isAll ? allOf(idsOf(search.schemas), false) : await setOfQuery(search)
  const large = asksForText(set) ? await search.ground.index.largeTexts() : NONE
  return { set, unseen: uniteNumbers(pending.records, large) }
}

async function membersOf(set: RecordSet, unseen: Numbers, search: Asking): Promise<Pick<Found, 'members' | 'others'>> {
  const { ground, schemas } = search
  const matches = predicateOf(search)
  let members: Members = 'all'
  if (set.kind !== 'schemas' || !set.isExact || set.schemaIds.length < schemas.length) {
    const found = await findSet(set, search)
    members = subtractNumbers(set.isExact ? found : await judgeRows(found, matches, ground.index), unseen)
  }
  return { members, others: await judgeRows(unseen, matches, ground.index) }
}

/** Returns the number of matches, if requested. */
function countOf(found: number, { limit, isCounted }: SearchQuery): number | null {
  return limit === null || isCounted === false ? null : found
}

/** Returns the head of a page in the order of creation. */
export function headOf(page: Numbers, found: number, query: SearchQuery): PageHead {
  const isFull = query.limit !== null && page.length === query.limit
  return { total: countOf(found, query), next: isFull ? { record: page.at(-1)!, values: [] } : undefined }
}

/** Returns the set that the index can answer; the index does not cover pending records. */
async function setOfQuery(search: Asking): Promise<RecordSet> {
  const asked = askedOf(search)
  const { find, role } = search.query
  const isAllRead = search.schemas.every((schema) => canReadAllText(role, schema))
  if (find.kind === 'text') return setOfQuestion({ text: find.text, mode: 'phrase' }, asked, isAllRead)
  const set = await setOfCriteria(find.criteria, asked)
  if (find.text === undefined) return set
  const found = setOfQuestion(find.text, asked, isAllRead)
  return find.criteria.criteria.length === 0 ? found : intersectSearched([set, found], asked)
}

function canReadAllText(role: Role, schema: Schema): boolean {
  return schema.searched.every(
    (attribute) => !dataTypeOf(attribute).isText || canRead(role, schema.id, aliasOfWhole(attribute.alias)),
  )
}

/** Returns whether one page of the set is faster to read than the whole set. */
function isPage(set: RecordSet, { limit }: SearchQuery): set is Leaf {
  if (limit === null || !set.isExact) return false
  return (set.kind === 'keys' && isDistinct(set)) || set.kind === 'text' || set.kind === 'schemas'
}

async function selectOfLeaf(set: Leaf, { query, ground }: Asking): Promise<Selected> {
  const { after, offset } = query
  const isCounted = query.isCounted !== false
  const page = await ground.index.page(set, { after: after?.record, offset, limit: query.limit!, isCounted })
  return { page: page.records, head: { ...headOf(page.records, 0, query), total: page.total } }
}

/** Judges every record by the predicate. */
async function selectJudged(
  records: Numbers,
  matches: (row: ReadRecord) => boolean,
  { query, ground }: Asking,
): Promise<Selected> {
  const { limit, offset, after } = query
  if (limit === null) {
    let skipped = 0
    const isAsked = (row: ReadRecord): boolean => row.n > (after?.record ?? 0) && matches(row) && ++skipped > offset
    return { page: records, head: { total: null }, matches: isAsked }
  }
  // Only numbers are stored, because the records of a page may be large. Sending reads the records again.
  const max = query.isCounted === false && after === undefined ? offset + limit : Infinity
  const numbers = await judgeRows(records, matches, ground.index, max)
  const page = pageOf(numbers, query)
  return { page, head: headOf(page, numbers.length, query) }
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

/** Most pairs of schema and state that are walked side by side. */
const MAX_STATES = 20
const CHUNK = 1000

interface OthersPage {
  readonly records: Numbers
  readonly total: number
}

/**
 * Returns a page of records outside of the set. Stored counts give the total. The walk passes the records of the set,
 * so that other records are not all read. Undefined: the records have too many states to walk in order.
 */
async function pageOfOthers({ set, schemaIds }: NotSet, search: Asking): Promise<OthersPage | undefined> {
  const { index } = search.ground
  const states = await index.countStates(schemaIds)
  if (states.length > MAX_STATES) return undefined
  const all = states.reduce((sum, { records }) => sum + records, 0)
  if (set.kind === 'keys' && isDistinct(set) && (await index.size(set)) === all)
    return { records: toNumbers([]), total: 0 }
  const excluded = await findSet(set, search)
  return { records: await walkPast(excluded, states, search.query, index), total: all - excluded.length }
}

/** Walks all states at once, because the records of each state are in order. */
async function walkPast(
  excluded: Numbers,
  states: readonly CountedState[],
  { offset, limit, after: position }: SearchQuery,
  index: SearchIndex,
): Promise<Numbers> {
  const page: number[] = []
  let [left, at, after] = [offset, 0, position?.record ?? -1]
  for (;;) {
    const chunk = await index.nextInStates(states, after, CHUNK)
    for (const record of chunk) {
      while (at < excluded.length && excluded[at]! < record) at += 1
      if (excluded[at] === record) continue
      if (left === 0) page.push(record)
      else left -= 1
      if (page.length === limit) return toNumbers(page)
    }
    if (chunk.length < CHUNK) return toNumbers(page)
    after = chunk.at(-1)!
  }
}
