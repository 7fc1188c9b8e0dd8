// Finds the places of records in the order of a search, on one snapshot.
import { invalid } from '../../kernel/errors.ts'
import type { Criterion } from '../../core/search/rules/criterion.ts'
import {
  NONE,
  type Numbers,
  intersectNumbers,
  placeAbove,
  uniteNumbers,
} from '../../core/search/plan/record-numbers.ts'
import type { Places, PlacesQuery, SearchQuery } from '../search-port.ts'
import { numbersInOrder } from './run-search.ts'
import type { Ground } from './search-snapshot.ts'

type Place = Places['places'][number]

/** The records that match each mark. */
type Marked = readonly Numbers[]

/**
 * A list of the search. Its places are counted, but not stored: lists may overlap, so all places together have no
 * limit.
 */
interface Part {
  readonly query: SearchQuery
  /** The number of places before this list (`before`) and in it (`count`). */
  readonly before: number
  readonly count: number
}

/** The marked records: by mark, and all together. */
interface Hits {
  readonly marked: Marked
  readonly some: Numbers
  readonly ground: Ground
}

export async function runPlaces(query: PlacesQuery, ground: Ground): Promise<Places> {
  const marked = await markedOf(query, ground)
  const hits: Hits = { marked, some: marked.reduce(uniteNumbers, NONE), ground }
  const parts = await partsOf(query, hits)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const offset = await offsetOf(query, parts, hits)
  const places: Place[] = []
  for (const [at, part] of parts.entries()) {
    const isOver = places.length === query.limit || part.before + part.count <= offset
    if (part.count === 0 || isOver) continue
    let number = part.before
    await walk(at, part, hits, (place) => {
      if (number >= offset) places.push(place)
      number += 1
      return places.length < query.limit
    })
  }
  return { total, counts: marked.map(({ length }) => length), offset, places }
}

/** The most places in memory together: eight bytes each. */
const MOST_PLACES = 10_000_000

/** Finds the records of each mark. @throws VALIDATION_ERROR for too many */
async function markedOf({ search, marks }: PlacesQuery, ground: Ground): Promise<Marked> {
  const marked: Numbers[] = []
  for (const mark of marks) {
    marked.push(await numbersInOrder(within({ ...search, sort: [] }, mark), ground))
    if (sizeOf(marked) > MOST_PLACES)
      throw invalid(`marks: they match more than ${MOST_PLACES} places: narrow them, or the search`)
  }
  return marked
}

async function partsOf({ search, parts }: PlacesQuery, { marked, ground }: Hits): Promise<readonly Part[]> {
  const unsorted: SearchQuery = { ...search, sort: [] }
  const count = sizeOf(marked)
  if (parts.length === 0) return [{ query: search, before: 0, count }]
  const made: Part[] = []
  let before = 0
  for (const part of parts) {
    const members = count === 0 ? NONE : await numbersInOrder(within(unsorted, part), ground)
    let own = 0
    for (const records of marked) {
      own += intersectNumbers(records, members).length
      const pause = ground.index.breathe()
      if (pause !== undefined) await pause
    }
    made.push({ query: within(search, part), before, count: own })
    before += own
  }
  return made
}

function sizeOf(marked: Marked): number {
  return marked.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the number of the first place at or after the row; if none follows, the number of the first place of all. */
async function offsetOf({ start }: PlacesQuery, parts: readonly Part[], hits: Hits): Promise<number> {
  if (typeof start === 'number') return start
  const part = parts[start.part]
  if (part === undefined) return 0
  let offset = part.before
  if (part.count > 0 && start.row > 0)
    await walk(start.part, part, hits, ({ row }) => {
      const isBefore = row < start.row
      if (isBefore) offset += 1
      return isBefore
    })
  const last = parts.at(-1)!
  return offset === last.before + last.count ? 0 : offset
}

/** Records walked past before other tasks of the thread get a turn. */
const CHUNK = 1000

/** Passes the places of the list to `take` in order, until `take` returns false. */
async function walk(
  part: number,
  { query }: Part,
  { marked, some, ground }: Hits,
  take: (place: Place) => boolean,
): Promise<void> {
  const records = await numbersInOrder(query, ground)
  for (const [row, record] of records.entries()) {
    if (row % CHUNK === 0) await ground.index.breathe()
    if (!isIn(some, record)) continue
    for (const [mark, numbers] of marked.entries()) if (isIn(numbers, record) && !take({ part, row, mark })) return
  }
}

function isIn(numbers: Numbers, number: number): boolean {
  const above = placeAbove(numbers, number)
  return above > 0 && numbers[above - 1] === number
}

function within(search: SearchQuery, criterion: Criterion): SearchQuery {
  const { find } = search
  if (find.kind === 'text') throw new Error('Places are found by criteria')
  const { criteria, criteriaOperator } = find.criteria
  const before = criteriaOperator === 'and' || criteria.length < 2 ? criteria : [{ criteria, criteriaOperator }]
  return { ...search, find: { ...find, criteria: { criteria: [...before, criterion], criteriaOperator: 'and' } } }
}
