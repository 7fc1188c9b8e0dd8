// Estimates the frequency of each trigram from a sample of the records. The full-text index would have to read the
// whole list of a trigram. A search then reads only short lists.
import { type CountTrigrams, trigramsOf } from '../../../core/search/plan/rare-trigrams.ts'
import type { StatementCache } from '../statements.ts'

/** One record in this many is counted. The record number decides, so that each record is counted once. */
export const SAMPLED = 64

/** UTF-16 units counted of a record's texts. In a large text, every trigram would be a separate string. */
const COUNTED = 100_000

/** `n`: number of sampled records that had the trigram when they were first indexed. */
export const TRIGRAM_TABLE = 'CREATE TABLE trigram (t TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;'

/** Returns the number of sampled records of each trigram, over a connection with the index attached as `idx`. */
export function trigramCounts(sql: StatementCache): CountTrigrams {
  return (trigrams) => {
    const rows = sql.all<{ t: string; n: number }>(
      'SELECT t, n FROM idx.trigram WHERE t IN (SELECT value FROM json_each(?))',
      [JSON.stringify(trigrams)],
    )
    return new Map(rows.map(({ t, n }) => [t, n]))
  }
}

/** Collects the counts of one batch. */
export class TrigramSample {
  readonly #sql: StatementCache
  #counts = new Map<string, number>()

  /** @param sql of the index */
  constructor(sql: StatementCache) {
    this.#sql = sql
  }

  /** Notes a record that is indexed for the first time, with its texts. */
  note(record: number, texts: readonly string[]): void {
    if (record % SAMPLED !== 0) return
    const text = texts
      .map((part) => part.slice(0, COUNTED))
      .join('')
      .slice(0, COUNTED)
    for (const trigram of trigramsOf(text)) this.#counts.set(trigram, (this.#counts.get(trigram) ?? 0) + 1)
  }

  save(): void {
    const sql = 'INSERT INTO trigram (t, n) VALUES (?, ?) ON CONFLICT (t) DO UPDATE SET n = n + excluded.n'
    for (const entry of this.#counts) this.#sql.run(sql, entry)
    this.forget()
  }

  forget(): void {
    this.#counts = new Map()
  }
}
