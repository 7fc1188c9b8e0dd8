// Reads the records of a search by their numbers, in the order in which these are given, and gives way every few milliseconds.
import { ask, behind, type Program, type ReadRecord, within } from '../../core/search/plan/ask.ts'
import { type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { FoundRecord } from '../search-port.ts'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import type { FoundItems } from './found-items.ts'

export interface SearchStep {
  readonly records: FoundRecord[]
  /** In one step, before or with the first records; null where no limit was given, or nothing is counted. */
  readonly total?: number | null
  /** Where the page ends, where it is full. */
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

/** A step without records: others have their turn, and whoever has gone is not waited for. */
export const REST: SearchStep = { records: [] }

/** A program gives way after this time, and after so many characters of values. */
const SLICE_MILLISECONDS = 10
const BATCH_CHARACTERS = 262_144
/** Records that are asked for at once: fewer where something is looked up for them, since each may be in a thousand categories. */
const CHUNK = 500
const LOOKED_UP = 50

/** Those of the records, which may be gone, that match: the first `max` of them. */
export function* judgeRows(
  records: Numbers,
  matches: (row: ReadRecord) => boolean,
  max = Infinity,
): Program<SearchStep, Numbers> {
  const numbers: number[] = []
  let end = performance.now() + SLICE_MILLISECONDS
  for (const chunk of chunksOf(records, CHUNK)) {
    for (let left = chunk; left.length > 0;) {
      let last: number | undefined
      for (const row of yield* ask<Iterable<ReadRecord>>({ kind: 'records', records: left })) {
        last = row.n
        if (matches(row)) numbers.push(row.n)
        if (numbers.length >= max) return toNumbers(numbers)
        if (performance.now() < end) continue
        yield { records: [] }
        end = performance.now() + SLICE_MILLISECONDS
      }
      left = behind(left, last)
    }
  }
  return toNumbers(numbers)
}

/** What is said with the first records. */
export type PageHead = Pick<SearchStep, 'next'> & { readonly total: number | null }

/** The records, or those that match, in batches; the first one has the head. */
export function* readRecords(
  records: Numbers,
  items: FoundItems,
  head: PageHead,
  matches: (row: ReadRecord) => boolean = () => true,
): Program<SearchStep> {
  yield* batchParts(readParts(records, items, matches), head)
}

/** The parts of items in batches; undefined among them: others may have their turn. */
export function* batchParts(parts: Program<FoundRecord | undefined>, head: PageHead): Program<SearchStep> {
  let first: Partial<PageHead> = head
  let batch: FoundRecord[] = []
  let characters = 0
  let end = performance.now() + SLICE_MILLISECONDS
  const take = (): SearchStep => {
    const step = { records: batch, ...first }
    first = {}
    batch = []
    characters = 0
    end = performance.now() + SLICE_MILLISECONDS
    return step
  }
  yield* within(parts, (part) => {
    if (part !== undefined) {
      batch.push(part)
      characters += part.valuesJson.length + (part.moreJson?.length ?? 0)
    }
    return characters < BATCH_CHARACTERS && performance.now() < end ? undefined : take()
  })
  yield { ...take(), isLast: true }
}

/** The parts of the records that match. */
export function* readParts(
  records: Numbers,
  items: FoundItems,
  matches: (row: ReadRecord) => boolean = () => true,
): Program<FoundRecord | undefined> {
  for (const chunk of chunksOf(records, items.lookUps.length > 0 ? LOOKED_UP : CHUNK)) {
    for (const what of items.lookUps)
      items.take(what, yield* ask<ReadonlyMap<number, unknown>>({ kind: 'lookUp', what, records: chunk }))
    for (let left = chunk; left.length > 0;) {
      let last: number | undefined
      for (const row of yield* ask<Iterable<ReadRecord>>({ kind: 'records', records: left })) {
        last = row.n
        if (matches(row)) yield* items.partsOf(row)
        else yield undefined
      }
      left = behind(left, last)
    }
  }
}

function* chunksOf(records: Numbers, count: number): Generator<Numbers> {
  for (let at = 0; at < records.length; at += count) yield records.subarray(at, at + count)
}
