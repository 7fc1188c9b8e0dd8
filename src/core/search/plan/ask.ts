// The questions of a search plan to an index, for every engine.
import type { StoredRecord } from '../../../store/record-port.ts'
import type { Numbers } from './record-numbers.ts'
import type { IndexKey, KeySet, Leaf, Needle } from './sets.ts'
import type { TaskReads } from './task-reads.ts'

/** A question of a plan; the comments name the answer. */
export type Ask =
  /** How many there are, up to the limit: a number. One that is there several times may be counted several times. */
  | { readonly kind: 'count'; readonly set: KeySet; readonly limit: number }
  /** About how many records a question for these texts has to look at: a number, which may be infinite. */
  | { readonly kind: 'frequency'; readonly needles: readonly Needle[] }
  /** All of them: Numbers. */
  | { readonly kind: 'read'; readonly set: Leaf }
  /** Of records of the index, what `writeCells` made of each: pairs of number and text. */
  | { readonly kind: 'cells'; readonly records: Numbers }
  /** Those of the records in whose texts all needles are: Numbers. */
  | { readonly kind: 'texts'; readonly records: Numbers; readonly needles: readonly Needle[] }
  /** Rows of one place in the order of their keys, those of one key by their records: pairs of key and record. */
  | ({ readonly kind: 'walk' } & Walk)
  /** The first texts after `after` that are keys of one place, each once and in order: they are many fewer than its rows. */
  | {
      readonly kind: 'keys'
      readonly attribute: number
      readonly scope: number
      readonly after: string
      readonly limit: number
    }
  /** How many records have each key that is filled, in any of the scopes: pairs of key and number. */
  | { readonly kind: 'tally'; readonly attribute: number; readonly scopes: readonly number[] }
  /** How many records have a key that is filled in any of the scopes: a number. */
  | {
      readonly kind: 'filled'
      readonly attribute: number
      readonly scopes: readonly number[]
      /** Whether a record has one such key at the most. */
      readonly isSingle: boolean
    }
  /** The first records of the schemas with a number above `after`: Numbers. */
  | { readonly kind: 'next'; readonly schemaIds: readonly string[]; readonly after: number; readonly limit: number }
  /**
   * The records as they are stored, in the order in which they are given, without those that are gone: ReadRecord. Where they
   * are large only the first of them, one at least: none says that there are none.
   */
  | { readonly kind: 'records'; readonly records: Numbers }
  /** Those of the records that belong to one of the schemas: Numbers. */
  | { readonly kind: 'schemas'; readonly records: Numbers; readonly schemaIds: readonly string[] }
  /** A page of a set that is exact, in ascending order, and how many there are, where that is asked for: LeafPage. */
  | {
      readonly kind: 'page'
      readonly set: Leaf
      readonly after: number | undefined
      readonly offset: number
      readonly limit: number
      readonly isCounted: boolean
    }
  /** How many rows a set has: a number. */
  | { readonly kind: 'size'; readonly set: KeySet }
  /** Records whose texts are not in the full-text index: Numbers. */
  | { readonly kind: 'largeTexts' }
  /** How many records the schemas have, by states: CountedState. */
  | { readonly kind: 'counts'; readonly schemaIds: readonly string[] }
  /** The first records in these states with a number above `after`: Numbers. */
  | {
      readonly kind: 'nextInStates'
      readonly states: readonly CountedState[]
      readonly after: number
      readonly limit: number
    }
  /** More data about records: a map by their numbers. */
  | { readonly kind: 'lookUp'; readonly what: LookUp; readonly records: Numbers }
  /** What `read` gives. */
  | { readonly kind: 'task'; readonly read: (reads: TaskReads) => unknown }

/**
 * JSON of the assignments of each record, in the order of catalogs' and categories' creation; how many variants each has; the IDs of
 * the categories that it is in, by itself or by what it is a variant of, in the same order.
 */
export type LookUp = 'assignments' | 'variantCounts' | 'categoryIds'

export interface CountedState {
  readonly schemaId: string
  readonly stateId: string
  readonly records: number
}

export interface LeafPage {
  readonly total: number | null
  readonly records: Numbers
}

export interface Walk {
  readonly attribute: number
  readonly scope: number
  readonly direction: 'asc' | 'desc'
  /** This key alone; else all that are filled. */
  readonly key?: IndexKey | undefined
  /** Where to begin: at the first row that is not before this key, or right after this row. */
  readonly from?: { readonly key: IndexKey; readonly record?: number | undefined } | undefined
  readonly limit: number
}

export type WalkedRow = readonly [key: IndexKey, record: number]

export interface ReadRecord extends StoredRecord {
  readonly n: number
  /** JSON of the values of the record that it is a variant of. */
  readonly inheritedJson: string | null
  /** Its own, and those of the record that it is a variant of: where an engine reads them with the record. */
  readonly categoryIds?: readonly string[]
}

export type CellsOfRecord = readonly [record: number, cells: string]

export type Plan<Result> = Generator<Ask, Result, unknown>

/** A plan that brings something on its way: steps, which have no kind. */
export type Program<Step, Result = void> = Generator<Ask | Step, Result, unknown>

export function isAsk(value: object | undefined): value is Ask {
  return value !== undefined && 'kind' in value
}

/** All members of a set. */
export function read(set: Leaf): Plan<Numbers> {
  return ask<Numbers>({ kind: 'read', set })
}

export function* ask<Result>(question: Ask): Plan<Result> {
  return (yield question) as Result
}

/** Looks at each of the records that is there, in the order in which they are given. */
export function* readEach(records: Numbers, look: (record: ReadRecord) => void): Plan<void> {
  for (let left = records; left.length > 0;) {
    let last: number | undefined
    for (const record of yield* ask<Iterable<ReadRecord>>({ kind: 'records', records: left })) {
      look(record)
      last = record.n
    }
    left = behind(left, last)
  }
}

/** The records that come after the last one that was read; none where none was. */
export function behind(records: Numbers, last: number | undefined): Numbers {
  return last === undefined ? records.subarray(records.length) : records.subarray(records.indexOf(last) + 1)
}

/** Of the workspace besides its index. */
export function readTask<Result>(read: (reads: TaskReads) => Result): Plan<Awaited<Result>> {
  return ask<Awaited<Result>>({ kind: 'task', read })
}

/** Runs a program within another one: what it asks is passed on, and what it brings becomes what `bring` makes of it, if anything. */
export function* within<From, To, Result>(
  program: Program<From, Result>,
  bring: (step: From) => To | undefined,
): Program<To, Result> {
  let answer: unknown
  try {
    for (;;) {
      const step = program.next(answer)
      if (step.done === true) return step.value
      answer = undefined
      if (isAsk(step.value as object | undefined)) answer = yield step.value as Ask
      else {
        const brought = bring(step.value as From)
        if (brought !== undefined) yield brought
      }
    }
  } finally {
    program.return(undefined as Result)
  }
}
