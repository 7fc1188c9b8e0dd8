// The part of the index that a search on the main thread may read. Each query answers at once; a query that may take
// long ends the search.
import { type Numbers, toNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { ReadRecord } from '../../../core/search/plan/search-index.ts'
import type { KeySet, Leaf } from '../../../core/search/plan/sets.ts'
import type { StatementCache } from '../statements.ts'
import { printKeys } from './print-set.ts'
import { listOf, readRows, sizeOf, SqliteIndex } from './sqlite-index.ts'

/** Most index rows read and sorted here; this takes half a millisecond. */
const MAX_READ = 5000
/** Most index rows counted here; this takes two milliseconds. */
const MAX_COUNTED = 40_000
/** Bytes of values judged here; this takes two milliseconds. */
const MAX_JUDGED = 262_144
/** Most milliseconds for judging the records of one search here. */
const MOST_MILLISECONDS = 10

const BYTES = `
  SELECT total(octet_length(record."values")) + total(octet_length(parent."values")) AS bytes
    FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
   WHERE record.n IN (SELECT value FROM json_each(?))`

/** Ends a search here, because it may take long, or because its snapshot has ended: the reader threads run it. */
export const TAKES_LONG = new Error('The search may take long')
/** Ends a search that has too many rows in the index: it takes long until the index changes. */
export const HAS_MANY = new Error('The search has many rows')

interface Conditions {
  /** True: records may be judged. */
  readonly mayJudge: boolean
  /** Returns whether the search's first snapshot still exists. */
  readonly isHere: () => boolean
}

/** All queries together must not take too long. @throws TAKES_LONG, HAS_MANY */
export class ShortIndex extends SqliteIndex {
  readonly #sql: StatementCache
  readonly #conditions: Conditions
  #read = 0
  #judged = 0

  constructor(sql: StatementCache, conditions: Conditions) {
    const end = performance.now() + MOST_MILLISECONDS
    const breathe = (): undefined => {
      if (performance.now() > end) throw TAKES_LONG
    }
    super(sql, { breathe })
    this.#sql = sql
    this.#conditions = conditions
  }

  assertHere(): void {
    if (!this.#conditions.isHere()) throw TAKES_LONG
  }

  protected override async answer(): Promise<never> {
    throw TAKES_LONG
  }

  /** Counts a set whose records occur once. */
  override async size(set: KeySet): Promise<number> {
    this.assertHere()
    const { sql, parameters } = printKeys(set)
    const size = sizeOf({ sql: `${sql} LIMIT ?`, parameters: [...parameters, MAX_COUNTED + 1] }, this.#sql)
    if (size > MAX_COUNTED) throw HAS_MANY
    return size
  }

  /** Reads a set whose records occur once; undefined: there are more than `most`. */
  readFew(set: KeySet, most: number): Numbers | undefined {
    this.assertHere()
    const { sql, parameters } = printKeys(set)
    const numbers = this.#sql.numbers(`${sql} LIMIT ?`, [...parameters, most + 1])
    return numbers.length > most ? undefined : toNumbers(numbers)
  }

  override async read(set: Leaf): Promise<Numbers> {
    if (set.kind !== 'keys') throw TAKES_LONG
    this.assertHere()
    const { sql, parameters } = printKeys(set)
    const numbers = this.#sql.numbers(`${sql} LIMIT ?`, [...parameters, MAX_READ + 1])
    this.#read += numbers.length
    if (this.#read > MAX_READ) throw HAS_MANY
    return toNumbers(numbers)
  }

  override async *records(records: Numbers): AsyncGenerator<Iterable<ReadRecord>, void> {
    if (!this.#conditions.mayJudge) throw TAKES_LONG
    this.assertHere()
    this.#judged += this.#sql.get<{ bytes: number }>(BYTES, [listOf(records)])!.bytes
    if (this.#judged > MAX_JUDGED) throw TAKES_LONG
    yield readRows(records, this.#sql)
  }
}
