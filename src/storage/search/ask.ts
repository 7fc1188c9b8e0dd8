// What a plan asks of an index, whichever engine keeps it.
import type { Numbers } from './numbers.ts'
import type { IndexKey, KeySet, Leaf, Needle } from './sets.ts'
import type { RecordHead } from '../../domain/records/record.ts'

/** What a plan asks for; in the comments, what it gets. */
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
  /** The records as they are stored: ReadRecord. */
  | { readonly kind: 'records'; readonly records: Numbers }
  /** Those of the records that belong to one of the schemas: Numbers. */
  | { readonly kind: 'schemas'; readonly records: Numbers; readonly schemaIds: readonly string[] }

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

export interface ReadRecord extends RecordHead {
  readonly n: number
  readonly valuesJson: string
  /** JSON of the values of the record that it is a variant of. */
  readonly inheritedJson: string | null
}

export type CellsOfRecord = readonly [record: number, cells: string]

export type Plan<Result> = Generator<Ask, Result, unknown>

/** All members of a set. */
export function read(set: Leaf): Plan<Numbers> {
  return ask<Numbers>({ kind: 'read', set })
}

export function* ask<Result>(question: Ask): Plan<Result> {
  return (yield question) as Result
}
