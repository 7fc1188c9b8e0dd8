// How frequent each trigram is, estimated from a sample of the records: the full-text index itself tells that only by
// reading the whole list of a trigram. A search then reads the short lists and leaves the long ones alone.
import { type CountTrigrams, trigramsOf } from '../../../core/search/plan/rare-trigrams.ts'
import type { StatementCache } from '../statements.ts'

/** One record in so many is counted; by its number, so that it is counted once. */
export const SAMPLED = 64

/** UTF-16 units of a record's texts that are counted: of a large one every trigram would be a string of its own. */
const COUNTED = 100_000

/** `n`: how many of the sampled records had the trigram when they were indexed first. */
export const TRIGRAM_TABLE = 'CREATE TABLE trigram (t TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;'

/** In how many sampled records each trigram is, over a connection that has the index attached as `idx`. */
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

  /** @param sql the index */
  constructor(sql: StatementCache) {
    this.#sql = sql
  }

  /** A record that was not indexed before, with its texts. */
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
