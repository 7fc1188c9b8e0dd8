// Finds the places of records in the order of a search, on one snapshot.
import { PimletError } from '../../kernel/errors.ts'
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

/** A list of the search, with the marked records in it. */
interface Part {
  readonly query: SearchQuery
  /** By number of the mark. */
  readonly marked: readonly Numbers[]
  /** The number of places before this list, and in it. */
  readonly before: number
  readonly count: number
}

export async function runPlaces(query: PlacesQuery, ground: Ground): Promise<Places> {
  const marked = await markedOf(query, ground)
  const parts = await partsOf(query, marked, ground)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const offset = await offsetOf(query, parts, ground)
  const places: Place[] = []
  for (const [at, part] of parts.entries()) {
    const isOver = places.length === query.limit || part.before + part.count <= offset
    if (part.count === 0 || isOver) continue
    let number = part.before
    await walk(at, part, ground, (place) => {
      if (number >= offset) places.push(place)
      number += 1
      return places.length < query.limit
    })
  }
  return { total, counts: marked.map(({ length }) => length), offset, places }
}

/** Most places that are in memory together: eight bytes each. */
const MOST_PLACES = 10_000_000

/** The records of each mark. @throws UNAVAILABLE for too many */
async function markedOf({ search, marks }: PlacesQuery, ground: Ground): Promise<readonly Numbers[]> {
  const marked: Numbers[] = []
  for (const mark of marks) {
    marked.push(await numbersInOrder(within({ ...search, sort: [] }, mark), ground))
    if (sizeOf(marked) > MOST_PLACES)
      throw new PimletError(
        'UNAVAILABLE',
        `The marks match more than ${MOST_PLACES} places. Narrow them or the search.`,
      )
  }
  return marked
}

async function partsOf(
  { search, parts }: PlacesQuery,
  marked: readonly Numbers[],
  ground: Ground,
): Promise<readonly Part[]> {
  const unsorted: SearchQuery = { ...search, sort: [] }
  const count = sizeOf(marked)
  if (parts.length === 0) return [{ query: search, marked, before: 0, count }]
  const made: Part[] = []
  let before = 0
  for (const part of parts) {
    const members = count === 0 ? NONE : await numbersInOrder(within(unsorted, part), ground)
    const own = marked.map((records) => intersectNumbers(records, members))
    made.push({ query: within(search, part), marked: own, before, count: sizeOf(own) })
    before += sizeOf(own)
    const pause = ground.index.breathe()
    if (pause !== undefined) await pause
  }
  return made
}

function sizeOf(marked: readonly Numbers[]): number {
  return marked.reduce((sum, { length }) => sum + length, 0)
}

/** The number of the first place at or behind the row; at the end it begins again. */
async function offsetOf({ start }: PlacesQuery, parts: readonly Part[], ground: Ground): Promise<number> {
  if (typeof start === 'number') return start
  const part = parts[start.part]
  if (part === undefined) return 0
  let offset = part.before
  if (part.count > 0 && start.row > 0)
    await walk(start.part, part, ground, ({ row }) => {
      const isBefore = row < start.row
      if (isBefore) offset += 1
      return isBefore
    })
  const last = parts.at(-1)!
  return offset === last.before + last.count ? 0 : offset
}

/** Records walked past before other tasks of the thread get a turn. */
const CHUNK = 1000

/** Takes the places of the list in order, until `take` returns false. */
async function walk(
  part: number,
  { query, marked }: Part,
  ground: Ground,
  take: (place: Place) => boolean,
): Promise<void> {
  const records = await numbersInOrder(query, ground)
  const some = marked.reduce(uniteNumbers, NONE)
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
