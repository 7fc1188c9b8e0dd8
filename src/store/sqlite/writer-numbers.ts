// Numbers that the writer holds in memory, and resets when a transaction is undone: the last version, the last place of
// a record, and the number of records. Versions are the sequences of the feed, so the feed has no gaps.
import { PimletError } from '../../kernel/errors.ts'
import type { Connection } from './connection.ts'
import { NEWEST_SEQUENCE } from '../rows/audit-rows.ts'
import { StatementCache } from './statements.ts'

interface Numbers {
  readonly version: number
  /** The last place that a record ever had, even a deleted record: cursors name places. */
  readonly place: number
  readonly records: number
  /** The number of records that this transaction has reserved and not inserted yet. */
  readonly reserved: number
}

/** Counter for the last place of all, if its record is deleted. */
const LAST_PLACE = 'last_record'

const LOAD = `SELECT ${NEWEST_SEQUENCE} AS version,
  max((SELECT coalesce(max(n), 0) FROM record), (SELECT coalesce(max(value), 0) FROM counter WHERE name = '${LAST_PLACE}')) AS place,
  (SELECT coalesce(sum(records), 0) FROM record_count) AS records, 0 AS reserved`

export class WriterNumbers {
  readonly #sql: StatementCache
  /** Undefined: to be read from the database. */
  #present: Numbers | undefined
  #marked: Numbers | undefined

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  readonly newVersion = (): number => {
    const numbers = this.#read()
    const version = numbers.version + 1
    this.#present = { ...numbers, version }
    return version
  }

  newPlace(): number {
    const numbers = this.#read()
    const place = numbers.place + 1
    this.#present = { ...numbers, place }
    return place
  }

  /**
   * Notes a deleted record if it had the last place, which the table then no longer contains. So no record ever gets
   * this place again.
   */
  leavePlace(place: number): void {
    if (place < this.#read().place) return
    const sql =
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
    this.#sql.run(sql, [LAST_PLACE, place])
  }

  /** @throws LIMIT_EXCEEDED */
  reserve(max: number): void {
    const numbers = this.#read()
    if (numbers.records + numbers.reserved >= max)
      throw new PimletError('LIMIT_EXCEEDED', `There is no room for another record: at most ${max}`)
    this.#present = { ...numbers, reserved: numbers.reserved + 1 }
  }

  /** Adds inserted records to the count; negative: deleted records. */
  count(records: number): void {
    if (this.#present === undefined) return
    const reserved = Math.max(0, this.#present.reserved - Math.max(0, records))
    this.#present = { ...this.#present, records: this.#present.records + records, reserved }
  }

  /** Marks the present numbers, between two transactions, for `undo`. */
  mark(): void {
    this.#present &&= { ...this.#present, reserved: 0 }
    this.#marked = this.#present
  }

  /** @returns a function that restores the present numbers, for a part of a transaction that is undone */
  keep(): () => void {
    const kept = this.#present
    return () => (this.#present = kept)
  }

  /** Resets the numbers after a transaction was undone. @param isWhole all transactions of the commit were undone */
  undo({ isWhole }: { isWhole: boolean }): void {
    this.#present = isWhole ? undefined : this.#marked
    this.#marked = this.#present
  }

  #read(): Numbers {
    return (this.#present ??= { ...this.#sql.get<Numbers>(LOAD, [])! })
  }
}
