// Finds a page of records in an order, and the end of the page. Few records are sorted directly; for many, the index is
// walked in the order of the first key until the page is full.
import { compareSortValues, type SearchPosition as Placed, type SortKey, type SortValue } from '../rules/sorting.ts'
import { FirstPlaced } from './first-placed.ts'
import { memberTest, type Numbers, placeAbove, subtractNumbers, toNumbers } from './record-numbers.ts'
import { readEach, type ReadRecord, type SearchIndex } from './search-index.ts'
import { type IndexedSort, type IndexedValue, valueOfCells } from './sort-places.ts'
import { JudgedWalk } from './judged-walk.ts'
import { SortWalk } from './sort-walk.ts'

export interface Ordering {
  readonly index: SearchIndex
  readonly keys: readonly SortKey[]
  /** Undefined: the index does not cover the sort keys. */
  readonly indexed: readonly IndexedSort[] | undefined
  /** Returns the sort value of a record by the plain rule. */
  readonly valueOf: (record: ReadRecord, key: SortKey) => SortValue
  readonly schemaIds: readonly string[]
  /** Approximate number of records of the schemas. */
  readonly records: number
  /** Records outside of the index. Another function orders them. */
  readonly unseen: Numbers
}

/** All records of the schemas, or some of them. */
export type Members = 'all' | Numbers

/** Records judged before the event loop gets a turn. */
const CHUNK = 1000
/** Sorting one record by its cells takes as long as walking past this many rows. */
const WALKED_PER_RECORD = 5

/** Returns the first `wanted` members after `start`, in order. */
export function pageInOrder(
  ordering: Ordering,
  members: Members,
  start: Placed | undefined,
  wanted: number,
): Promise<readonly Placed[]> {
  const { indexed } = ordering
  return indexed === undefined
    ? orderAllByRule(ordering, members, start, wanted)
    : pageFrom({ ...ordering, indexed }, members, start, wanted)
}

type Indexed = Ordering & { readonly indexed: readonly IndexedSort[] }

/** Returns the ordering of records that have the same value of the first key. */
function byFurtherKeys(ordering: Indexed): Indexed {
  return { ...ordering, keys: ordering.keys.slice(1), indexed: ordering.indexed.slice(1) }
}

async function orderAllByRule(
  ordering: Ordering,
  members: Members,
  start: Placed | undefined,
  wanted: number,
): Promise<readonly Placed[]> {
  const first = new FirstPlaced(ordering.keys, start, wanted)
  for (let after = 0; ;) {
    const records = await membersAfter(after, members, ordering)
    if (records.length === 0) break
    after = records.at(-1)!
    await addByRule(ordering, subtractNumbers(records, ordering.unseen), first)
  }
  return first.inOrder()
}

async function pageFrom(
  ordering: Indexed,
  members: Members,
  start: Placed | undefined,
  wanted: number,
): Promise<readonly Placed[]> {
  if (wanted <= 0) return []
  const walk =
    members !== 'all' && isCheaperByItself(members, wanted, ordering)
      ? undefined
      : await walkOf(ordering, members, start)
  if (walk === undefined) return await orderByThemselves(ordering, members, start, wanted)
  const page: Placed[] = []
  const isAtNone = start !== undefined && start.values[0] === undefined
  if (!isAtNone) await walkThrough(walk, ordering, start, wanted, page)
  if (page.length >= wanted) return page
  // A walk from the beginning to the end has placed every record with a value.
  const choose = start === undefined ? notIn(page) : lackingIn(ordering)
  add(page, await findOthers(ordering, members, choose, isAtNone ? start : undefined, wanted - page.length))
  return page
}

/** Undefined: the index cannot be walked in this order, and only contains the sort value of each record. */
async function walkOf(
  { index, indexed, unseen }: Indexed,
  members: Members,
  start: Placed | undefined,
): Promise<SortWalk | JudgedWalk | undefined> {
  const sort = indexed[0]!
  const isUnseen = memberTest(unseen)
  const isMember = members === 'all' ? (record: number): boolean => !isUnseen(record) : memberTest(members)
  const first = start?.values[0]
  const isJudged = sort.schemas.some(({ order }) => order.kind === 'judged')
  return isJudged ? await JudgedWalk.from(index, sort, first, isMember) : new SortWalk(index, sort, first, isMember)
}

function isCheaperByItself(members: Numbers, wanted: number, { records }: Ordering): boolean {
  if (members.length <= CHUNK) return true
  const walked = (Math.min(wanted, members.length) * records) / members.length
  return members.length * WALKED_PER_RECORD < walked
}

async function orderByThemselves(
  ordering: Indexed,
  members: Members,
  start: Placed | undefined,
  wanted: number,
): Promise<readonly Placed[]> {
  const first = new FirstPlaced(ordering.keys, start, wanted)
  const cut: number[] = []
  for (let after = 0; ;) {
    const some = await membersAfter(after, members, ordering)
    if (some.length === 0) break
    after = some.at(-1)!
    const records = members === 'all' ? subtractNumbers(some, ordering.unseen) : some
    for (const [record, cells] of await ordering.index.cells(records)) {
      const values = ordering.indexed.map((key): IndexedValue => valueOfCells(cells, key))
      if (values.some(({ isCut }) => isCut)) cut.push(record)
      else first.add({ record, values: values.map(({ value }) => value) })
    }
  }
  await addByRule(ordering, toNumbers(cut), first)
  return first.inOrder()
}

/** Adds records with their sort values by the plain rule. */
export async function addByRule(
  { index, keys, valueOf }: Ordering,
  records: Numbers,
  first: FirstPlaced,
): Promise<void> {
  for (let at = 0; at < records.length; at += CHUNK / 10) {
    const chunk = records.subarray(at, at + CHUNK / 10)
    await readEach(chunk, index, (row) => first.add({ record: row.n, values: keys.map((key) => valueOf(row, key)) }))
  }
}

/** Adds records with a value of the first key. */
async function walkThrough(
  walk: SortWalk | JudgedWalk,
  ordering: Indexed,
  start: Placed | undefined,
  wanted: number,
  page: Placed[],
): Promise<void> {
  const sort = ordering.indexed[0]!
  const isLastKey = ordering.indexed.length === 1
  const first = start?.values[0]
  while (page.length < wanted) {
    const run = await walk.next(!isLastKey)
    if (run === undefined) return
    const { value, records, isCut } = run
    const order = first === undefined ? 1 : compareSortValues(value, first, sort.direction)
    if (!isCut && order < 0) continue
    const from = order > 0 && !isCut ? undefined : start
    const left = wanted - page.length
    if (isLastKey && !isCut) addRun(value, records, from, left, page)
    else if (isCut) add(page, await orderByRule(ordering, records, from, left))
    else add(page, await withFirst(value, ordering, records, from, left))
  }
}

function addRun(value: SortValue, records: Numbers, start: Placed | undefined, left: number, page: Placed[]): void {
  const after = start !== undefined && start.values[0] === value ? start.record : -1
  let added = 0
  for (const record of records) {
    if (record <= after) continue
    if (added === left) return
    page.push({ record, values: [value] })
    added += 1
  }
}

async function orderByRule(
  ordering: Ordering,
  records: Numbers,
  start: Placed | undefined,
  left: number,
): Promise<readonly Placed[]> {
  const first = new FirstPlaced(ordering.keys, start, left)
  await addByRule(ordering, records, first)
  return first.inOrder()
}

/** Returns records with one value of the first key, sorted by the other keys. */
async function withFirst(
  value: SortValue,
  ordering: Indexed,
  records: Numbers,
  start: Placed | undefined,
  left: number,
): Promise<readonly Placed[]> {
  const isHere = start !== undefined && start.values[0] === value
  const rest = isHere ? { record: start.record, values: start.values.slice(1) } : undefined
  const placed = await pageFrom(byFurtherKeys(ordering), records, rest, left)
  return placed.map(({ record, values }) => ({ record, values: [value, ...values] }))
}

/** Chooses records without a value of the first key, in their order. */
type Choose = (records: Numbers) => Promise<Iterable<number>>

function notIn(page: readonly Placed[]): Choose {
  const isPlaced = memberTest(toNumbers(page.map(({ record }) => record)))
  return (records) => Promise.resolve(records.filter((record) => !isPlaced(record)))
}

function lackingIn({ index, indexed }: Indexed): Choose {
  return async (records) => {
    const cells = await index.cells(records)
    const isLacking = (text: string): boolean => valueOfCells(text, indexed[0]!).value === undefined
    return toNumbers(cells.flatMap(([record, text]) => (isLacking(text) ? record : [])))
  }
}

/** Returns the first `wanted` records without a value of the first key. */
async function findOthers(
  ordering: Indexed,
  members: Members,
  choose: Choose,
  start: Placed | undefined,
  wanted: number,
): Promise<readonly Placed[]> {
  const { index, schemaIds } = ordering
  const isLastKey = ordering.indexed.length === 1
  // The list of all records is read without the records themselves.
  const isWhole = members === 'all' && wanted === Infinity
  const among = isWhole ? await index.read({ kind: 'schemas', schemaIds, isExact: true }) : members
  const others: number[] = []
  let after = isLastKey ? (start?.record ?? 0) : 0
  for (;;) {
    const records = await membersAfter(after, among, ordering)
    if (records.length === 0) break
    after = records.at(-1)!
    add(others, await choose(subtractNumbers(records, ordering.unseen)))
    if (isLastKey && others.length >= wanted) break
  }
  if (isLastKey) return others.slice(0, wanted).map((record) => ({ record, values: [undefined] }))
  return withFirst(undefined, ordering, toNumbers(others), start, wanted)
}

async function membersAfter(after: number, members: Members, { index, schemaIds }: Ordering): Promise<Numbers> {
  if (members === 'all') return index.next(schemaIds, after, CHUNK)
  const at = placeAbove(members, after)
  return members.subarray(at, at + CHUNK)
}

/** Avoids spreading, because a call takes only some ten thousand arguments. */
function add<Item>(items: Item[], more: Iterable<Item>): void {
  for (const one of more) items.push(one)
}
