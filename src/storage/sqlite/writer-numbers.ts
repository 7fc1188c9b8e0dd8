// Numbers that the writer keeps in memory, and sets back with a transaction that is undone: the last version that was given,
// and how many records there are. Versions are the sequences of the feed, so that none is missing in it.
import { PimletError } from '../../domain/errors.ts'
import type { Connection } from './connection.ts'
import { NEWEST_SEQUENCE } from './newest-sequence.ts'
import { StatementCache } from './statements.ts'

interface Numbers {
  readonly version: number
  readonly records: number
  /** Room that this transaction has taken for records which are not inserted yet. */
  readonly reserved: number
}

const LOAD = `SELECT ${NEWEST_SEQUENCE} AS version,
  (SELECT coalesce(sum(records), 0) FROM record_count) AS records, 0 AS reserved`

export class WriterNumbers {
  readonly #sql: StatementCache
  /** Undefined: to be read from the database. */
  #present: Numbers | undefined
  #marked: Numbers | undefined

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  newVersion(): number {
    const numbers = this.#read()
    const version = numbers.version + 1
    this.#present = { ...numbers, version }
    return version
  }

  /** @throws LIMIT_EXCEEDED */
  reserve(max: number): void {
    const numbers = this.#read()
    if (numbers.records + numbers.reserved >= max)
      throw new PimletError('LIMIT_EXCEEDED', `There is no room for another record: at most ${max}`)
    this.#present = { ...numbers, reserved: numbers.reserved + 1 }
  }

  /** Records were inserted, or deleted where it is negative. */
  count(records: number): void {
    if (this.#present === undefined) return
    const reserved = Math.max(0, this.#present.reserved - Math.max(0, records))
    this.#present = { ...this.#present, records: this.#present.records + records, reserved }
  }

  /** Between two transactions: `undo` goes back to here. */
  mark(): void {
    this.#present &&= { ...this.#present, reserved: 0 }
    this.#marked = this.#present
  }

  /** What goes back to here, where a part of a transaction is undone. */
  keep(): () => void {
    const kept = this.#present
    return () => (this.#present = kept)
  }

  /** After a transaction was undone, or with it all that share its commit. */
  undo({ isWhole }: { isWhole: boolean }): void {
    this.#present = isWhole ? undefined : this.#marked
    this.#marked = this.#present
  }

  #read(): Numbers {
    return (this.#present ??= { ...this.#sql.get<Numbers>(LOAD, [])! })
  }
}
