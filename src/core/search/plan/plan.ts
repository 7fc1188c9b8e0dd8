// Decides how the records of a set are found: which parts are read from the index, and which are judged record by
// record. The plan queries the index through an interface, so all engines share the plan.
import { cellTest } from './cells.ts'
import { intersectNumbers, NONE, type Numbers, subtractNumbers, toNumbers, uniteNumbers } from './record-numbers.ts'
import type { SearchIndex } from './search-index.ts'
import { complement, intersect, type Needle, type NotSet, type RecordSet, type TextSet, unite } from './sets.ts'

/** Records judged before the event loop gets a turn. */
const CHUNK = 1000

interface Searched {
  readonly index: SearchIndex
  /** Number of schemas searched. Beside a negation, other sets are limited to records of these schemas. */
  readonly schemas: number
}

/** Returns the records of the set in ascending order. If the set is not exact, the records must still be judged. */
export async function find(set: RecordSet, searched: Searched): Promise<Numbers> {
  switch (set.kind) {
    case 'nothing':
      return NONE
    case 'keys':
    case 'text':
    case 'schemas':
      return searched.index.read(set)
    case 'or': {
      let found = NONE
      for (const one of joinNegations(set.sets, intersect)) found = uniteNumbers(found, await find(one, searched))
      return found
    }
    case 'not': {
      const all = await searched.index.read({ kind: 'schemas', schemaIds: set.schemaIds, isExact: true })
      return subtractNumbers(all, await find(set.set, searched))
    }
    case 'and':
      return findInAll(joinNegations(mergeTexts(set.sets.flatMap(flatten)), unite), searched)
  }
}

/** Begins with the smallest set, and tests only its members. */
async function findInAll(sets: readonly RecordSet[], searched: Searched): Promise<Numbers> {
  const smallest = await chooseSmallest(sets, searched.index)
  let found = await find(smallest, searched)
  const judged: RecordSet[] = []
  for (const set of sets) {
    if (set === smallest || found.length === 0) continue
    if (!(await isWorthReading(set, found.length, searched.index))) judged.push(set)
    else if (set.kind !== 'not') found = intersectNumbers(found, await find(set, searched))
    else found = subtractNumbers(await keepConcerned(found, set, searched), await find(set.set, searched))
  }
  return keep(found, judged, searched)
}

/** Returns the records that are in all sets. Cells are tested first, because testing texts is slower. */
async function keep(records: Numbers, sets: readonly RecordSet[], searched: Searched): Promise<Numbers> {
  const [ofCells, others] = [[], []] as [RecordSet[], RecordSet[]]
  for (const set of sets) (isOfCells(set, searched) ? ofCells : others).push(set)
  let kept = await keepByCells(records, ofCells, searched.index)
  for (const set of others) kept = await keepIn(kept, set, searched)
  return kept
}

async function keepIn(records: Numbers, set: RecordSet, searched: Searched): Promise<Numbers> {
  if (records.length === 0) return records
  switch (set.kind) {
    case 'text':
      return inChunks(records, (chunk) => searched.index.withTexts(chunk, set.needles))
    case 'schemas':
      return keepOfSchemas(records, set.schemaIds, searched.index)
    case 'or': {
      let found = NONE
      for (const one of set.sets)
        found = uniteNumbers(found, await keep(subtractNumbers(records, found), [one], searched))
      return found
    }
    case 'and':
      return keep(records, set.sets, searched)
    case 'not': {
      const ofSchemas = await keepConcerned(records, set, searched)
      return subtractNumbers(ofSchemas, await keep(ofSchemas, [set.set], searched))
    }
    default:
      return keepByCells(records, [set], searched.index)
  }
}

/** Returns the records of the schemas that the negation concerns. */
async function keepConcerned(records: Numbers, { schemaIds }: NotSet, searched: Searched): Promise<Numbers> {
  return schemaIds.length === searched.schemas ? records : keepOfSchemas(records, schemaIds, searched.index)
}

function keepOfSchemas(records: Numbers, schemaIds: readonly string[], index: SearchIndex): Promise<Numbers> {
  return inChunks(records, (chunk) => index.ofSchemas(chunk, schemaIds))
}

/** True if the cells of a record decide its membership. Cells do not contain the schema of a record. */
function isOfCells(set: RecordSet, searched: Searched): boolean {
  if (set.kind === 'keys' || set.kind === 'nothing') return true
  if (set.kind === 'not') return set.schemaIds.length === searched.schemas && isOfCells(set.set, searched)
  return (set.kind === 'and' || set.kind === 'or') && set.sets.every((one) => isOfCells(one, searched))
}

async function keepByCells(records: Numbers, sets: readonly RecordSet[], index: SearchIndex): Promise<Numbers> {
  if (sets.length === 0 || records.length === 0) return records
  const tests = sets.map(testOf)
  const kept: number[] = []
  for (let at = 0; at < records.length; at += CHUNK) {
    const chunk = await index.cells(records.subarray(at, at + CHUNK))
    for (const [record, cells] of chunk) if (tests.every((test) => test(cells))) kept.push(record)
  }
  return toNumbers(kept)
}

/** Requires a set for which `isOfCells` holds. */
function testOf(set: RecordSet): (cells: string) => boolean {
  switch (set.kind) {
    case 'keys':
      return cellTest(set)
    case 'not': {
      const test = testOf(set.set)
      return (cells) => !test(cells)
    }
    case 'and':
    case 'or': {
      const tests = set.sets.map(testOf)
      return set.kind === 'and'
        ? (cells) => tests.every((test) => test(cells))
        : (cells) => tests.some((test) => test(cells))
    }
    default:
      return () => false
  }
}

async function inChunks(records: Numbers, choose: (chunk: Numbers) => Promise<Numbers>): Promise<Numbers> {
  const kept: number[] = []
  for (let at = 0; at < records.length; at += CHUNK) kept.push(...(await choose(records.subarray(at, at + CHUNK))))
  return toNumbers(kept)
}

function flatten(set: RecordSet): readonly RecordSet[] {
  return set.kind === 'and' ? set.sets.flatMap(flatten) : [set]
}

/** Joins negations for the same schemas: their excluded records are read once, and so are all other records. */
function joinNegations(
  sets: readonly RecordSet[],
  join: (sets: readonly RecordSet[]) => RecordSet,
): readonly RecordSet[] {
  const negations = sets.filter((set): set is NotSet => set.kind === 'not')
  if (negations.length < 2) return sets
  const joined = [...Map.groupBy(negations, ({ schemaIds }) => schemaIds.join()).values()].map((group) =>
    complement(join(group.map(({ set }) => set)), group[0]!.schemaIds),
  )
  return [...sets.filter((set) => set.kind !== 'not'), ...joined]
}

/** Joins all texts into one query, so that the index reads the lists of their rarest trigrams. */
function mergeTexts(sets: readonly RecordSet[]): readonly RecordSet[] {
  const texts = sets.filter((set): set is TextSet => set.kind === 'text')
  if (texts.length < 2) return sets
  const needles = texts.flatMap((set) => set.needles) as [Needle, ...Needle[]]
  const merged: TextSet = { kind: 'text', needles, isExact: texts.every((set) => set.isExact) }
  return [...sets.filter((set) => set.kind !== 'text'), merged]
}

/** Sizes are counted up to a growing limit. So a large set is counted no further than the smallest one. */
const FIRST_STEP = 256
const STEP = 4
/** A set with more members is read only if every set has more. */
const LAST_STEP = FIRST_STEP * STEP ** 7
/** Judging one record takes as long as reading this many members of a set. */
const READS_PER_JUDGEMENT = 8

/** Returns the set with the fewest members, as far as known without reading any set. */
async function chooseSmallest(sets: readonly RecordSet[], index: SearchIndex): Promise<RecordSet> {
  for (let limit = FIRST_STEP; limit <= LAST_STEP; limit *= STEP) {
    let best: RecordSet | undefined
    let least = limit
    for (const set of sets) {
      const size = await sizeOf(set, least, index)
      if (size >= least) continue
      best = set
      least = size
    }
    if (best !== undefined) return best
  }
  const rank = (set: RecordSet): number => (set.kind === 'not' ? 2 : set.kind === 'schemas' ? 1 : 0)
  return sets.toSorted((one, other) => rank(one) - rank(other))[0]!
}

/** Returns an upper bound of the members, as far as known. Results from `limit` on need not be exact. */
async function sizeOf(set: RecordSet, limit: number, index: SearchIndex): Promise<number> {
  switch (set.kind) {
    case 'nothing':
      return 0
    case 'keys':
      return index.count(set, limit)
    case 'text':
      return index.frequency(set.needles)
    case 'schemas':
    case 'not':
      return Infinity
    case 'and': {
      let least = limit
      for (const one of set.sets) least = Math.min(least, await sizeOf(one, least, index))
      return least
    }
    case 'or': {
      let sum = 0
      for (const one of set.sets) if (sum < limit) sum += await sizeOf(one, limit - sum, index)
      return sum
    }
  }
}

/** Whether reading the set is faster than judging this many records. For a negation, the excluded records are read. */
async function isWorthReading(set: RecordSet, records: number, index: SearchIndex): Promise<boolean> {
  if (set.kind === 'not') return isWorthReading(set.set, records, index)
  if (set.kind === 'keys') {
    const limit = records * READS_PER_JUDGEMENT
    return (await index.count(set, limit + 1)) <= limit
  }
  return set.kind === 'text' && (await index.frequency(set.needles)) <= records
}
