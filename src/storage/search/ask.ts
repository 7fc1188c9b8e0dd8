// What a plan asks of an index, whichever engine keeps it.
import type { Numbers } from './numbers.ts'
import type { KeySet, Leaf, Needle } from './sets.ts'

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
  /** Those of the records that belong to one of the schemas: Numbers. */
  | { readonly kind: 'schemas'; readonly records: Numbers; readonly schemaIds: readonly string[] }

export type CellsOfRecord = readonly [record: number, cells: string]

export type Plan<Result> = Generator<Ask, Result, unknown>

/** All members of a set. */
export function read(set: Leaf): Plan<Numbers> {
  return ask<Numbers>({ kind: 'read', set })
}

export function* ask<Result>(question: Ask): Plan<Result> {
  return (yield question) as Result
}
