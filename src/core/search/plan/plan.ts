// How the records of a set are found: which parts are read from the index, and which are judged record by record. A plan
// asks for what it needs and does no reading itself, so that it is the same for every engine, and can be interrupted.
import { type Ask, ask, type CellsOfRecord, type Plan, read } from './ask.ts'
import { cellTest } from './cells.ts'
import { intersectNumbers, NONE, type Numbers, subtractNumbers, toNumbers, uniteNumbers } from './record-numbers.ts'
import { complement, intersect, type Needle, type NotSet, type RecordSet, type TextSet, unite } from './sets.ts'

/** Records that are judged before others may have their turn. */
const CHUNK = 1000

interface Searched {
  /** How many schemas are searched. Where there are negations, only records of these can be in the other sets. */
  readonly schemas: number
}

/** The records of the set in ascending order: where it is not exact, those that must be judged. */
export function* find(set: RecordSet, searched: Searched): Plan<Numbers> {
  switch (set.kind) {
    case 'nothing':
      return NONE
    case 'keys':
    case 'text':
    case 'schemas':
      return yield* read(set)
    case 'or': {
      let found = NONE
      for (const one of joinNegations(set.sets, intersect)) found = uniteNumbers(found, yield* find(one, searched))
      return found
    }
    case 'not': {
      const all = yield* read({ kind: 'schemas', schemaIds: set.schemaIds, isExact: true })
      return subtractNumbers(all, yield* find(set.set, searched))
    }
    case 'and':
      return yield* findInAll(joinNegations(mergeTexts(set.sets.flatMap(flatten)), unite), searched)
  }
}

/** Begins with the smallest set, and looks at its members only. */
function* findInAll(sets: readonly RecordSet[], searched: Searched): Plan<Numbers> {
  const smallest = yield* chooseSmallest(sets)
  let found = yield* find(smallest, searched)
  const judged: RecordSet[] = []
  for (const set of sets) {
    if (set === smallest || found.length === 0) continue
    if (!(yield* isWorthReading(set, found.length))) judged.push(set)
    else if (set.kind !== 'not') found = intersectNumbers(found, yield* find(set, searched))
    else found = subtractNumbers(yield* keepConcerned(found, set, searched), yield* find(set.set, searched))
  }
  return yield* keep(found, judged, searched)
}

/** Those of the records that are in all of the sets. Looking at cells is cheaper than looking at texts, and comes first. */
function* keep(records: Numbers, sets: readonly RecordSet[], searched: Searched): Plan<Numbers> {
  const [ofCells, others] = [[], []] as [RecordSet[], RecordSet[]]
  for (const set of sets) (isOfCells(set, searched) ? ofCells : others).push(set)
  let kept = yield* keepByCells(records, ofCells)
  for (const set of others) kept = yield* keepIn(kept, set, searched)
  return kept
}

function* keepIn(records: Numbers, set: RecordSet, searched: Searched): Plan<Numbers> {
  if (records.length === 0) return records
  switch (set.kind) {
    case 'text':
      return yield* inChunks(records, (chunk) => ({ kind: 'texts', records: chunk, needles: set.needles }))
    case 'schemas':
      return yield* keepOfSchemas(records, set.schemaIds)
    case 'or': {
      let found = NONE
      for (const one of set.sets)
        found = uniteNumbers(found, yield* keep(subtractNumbers(records, found), [one], searched))
      return found
    }
    case 'and':
      return yield* keep(records, set.sets, searched)
    case 'not': {
      const ofSchemas = yield* keepConcerned(records, set, searched)
      return subtractNumbers(ofSchemas, yield* keep(ofSchemas, [set.set], searched))
    }
    default:
      return yield* keepByCells(records, [set])
  }
}

/** Those of which the negation says anything. */
function* keepConcerned(records: Numbers, { schemaIds }: NotSet, searched: Searched): Plan<Numbers> {
  return schemaIds.length === searched.schemas ? records : yield* keepOfSchemas(records, schemaIds)
}

function keepOfSchemas(records: Numbers, schemaIds: readonly string[]): Plan<Numbers> {
  return inChunks(records, (chunk) => ({ kind: 'schemas', records: chunk, schemaIds }))
}

/** Whether the cells of a record say all about it: whether it belongs to another schema they do not say. */
function isOfCells(set: RecordSet, searched: Searched): boolean {
  if (set.kind === 'keys' || set.kind === 'nothing') return true
  if (set.kind === 'not') return set.schemaIds.length === searched.schemas && isOfCells(set.set, searched)
  return (set.kind === 'and' || set.kind === 'or') && set.sets.every((one) => isOfCells(one, searched))
}

function* keepByCells(records: Numbers, sets: readonly RecordSet[]): Plan<Numbers> {
  if (sets.length === 0 || records.length === 0) return records
  const tests = sets.map(testOf)
  const kept: number[] = []
  for (let at = 0; at < records.length; at += CHUNK) {
    const chunk = yield* ask<Iterable<CellsOfRecord>>({ kind: 'cells', records: records.subarray(at, at + CHUNK) })
    for (const [record, cells] of chunk) if (tests.every((test) => test(cells))) kept.push(record)
  }
  return toNumbers(kept)
}

/** Only for a set for which `isOfCells` holds. */
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

function* inChunks(records: Numbers, question: (chunk: Numbers) => Ask): Plan<Numbers> {
  const kept: number[] = []
  for (let at = 0; at < records.length; at += CHUNK)
    kept.push(...(yield* ask<Numbers>(question(records.subarray(at, at + CHUNK)))))
  return toNumbers(kept)
}

function flatten(set: RecordSet): readonly RecordSet[] {
  return set.kind === 'and' ? set.sets.flatMap(flatten) : [set]
}

/** One negation for all of the same schemas: what they exclude is read, and all other records once. */
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

/** One question for all texts: the index reads the lists of the rarest trigrams of them all. */
function mergeTexts(sets: readonly RecordSet[]): readonly RecordSet[] {
  const texts = sets.filter((set): set is TextSet => set.kind === 'text')
  if (texts.length < 2) return sets
  const needles = texts.flatMap((set) => set.needles) as [Needle, ...Needle[]]
  const merged: TextSet = { kind: 'text', needles, isExact: texts.every((set) => set.isExact) }
  return [...sets.filter((set) => set.kind !== 'text'), merged]
}

/** Sizes are looked at in steps, so that of a set that is large no more is counted than of the smallest. */
const FIRST_STEP = 256
const STEP = 4
/** A set that has more members than this is read only where there is none that has fewer. */
const LAST_STEP = FIRST_STEP * STEP ** 7
/** To judge a record takes as long as to read so many of a set. */
const READS_PER_JUDGEMENT = 8

/** The set that has the fewest members, as far as it is known without reading any. */
export function* chooseSmallest(sets: readonly RecordSet[]): Plan<RecordSet> {
  for (let limit = FIRST_STEP; limit <= LAST_STEP; limit *= STEP) {
    let best: RecordSet | undefined
    let least = limit
    for (const set of sets) {
      const size = yield* sizeOf(set, least)
      if (size >= least) continue
      best = set
      least = size
    }
    if (best !== undefined) return best
  }
  const rank = (set: RecordSet): number => (set.kind === 'not' ? 2 : set.kind === 'schemas' ? 1 : 0)
  return sets.toSorted((one, other) => rank(one) - rank(other))[0]!
}

/** How many members the set has at the most, as far as that is known; what is not below `limit` need not be exact. */
function* sizeOf(set: RecordSet, limit: number): Plan<number> {
  switch (set.kind) {
    case 'nothing':
      return 0
    case 'keys':
      return yield* ask<number>({ kind: 'count', set, limit })
    case 'text':
      return yield* ask<number>({ kind: 'frequency', needles: set.needles })
    case 'schemas':
    case 'not':
      return Infinity
    case 'and': {
      let least = limit
      for (const one of set.sets) least = Math.min(least, yield* sizeOf(one, least))
      return least
    }
    case 'or': {
      let sum = 0
      for (const one of set.sets) if (sum < limit) sum += yield* sizeOf(one, limit - sum)
      return sum
    }
  }
}

/** Whether it takes less time to read the set (of a negation: what it excludes) than to judge so many records. */
export function* isWorthReading(set: RecordSet, records: number): Plan<boolean> {
  if (set.kind === 'not') return yield* isWorthReading(set.set, records)
  if (set.kind === 'keys') {
    const limit = records * READS_PER_JUDGEMENT
    return (yield* ask<number>({ kind: 'count', set, limit: limit + 1 })) <= limit
  }
  return set.kind === 'text' && (yield* ask<number>({ kind: 'frequency', needles: set.needles })) <= records
}
