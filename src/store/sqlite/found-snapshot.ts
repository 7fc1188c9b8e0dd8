// The records that a search finds, as they were at one moment, for exports. One connection with one read transaction.
import { PimletError } from '../../kernel/errors.ts'
import type { Category } from '../../core/model/rules/catalog.ts'
import type { Model } from '../../core/model/rules/model.ts'
import type { FeedSnapshot, FoundOptions, FoundSnapshot, SnapshotRecord } from '../snapshot-port.ts'
import type { SearchQuery } from '../search-port.ts'
import { among, exportedRecords } from '../reading/exported-records.ts'
import { REST, type SearchStep } from '../reading/read-found.ts'
import { runSearch } from '../reading/run-search.ts'
import { SnapshotOfFeed } from '../rows/feed-snapshot.ts'
import { Categories } from '../rows/categories.ts'
import { translateError } from './connection.ts'
import { indexFileOf } from './search-index/follower.ts'
import { followProgram } from './search/answer-plan.ts'
import { groundOf } from './search/index-state.ts'
import { SnapshotMissed } from './search/pending.ts'
import { SqliteSession } from './session.ts'
import { beginSnapshot, endSnapshot, openSearcher, type Searcher, type SearchSnapshot } from './search/searcher.ts'

const TOO_LONG =
  'The export took too long to find its records (--query-timeout). Narrow it: name a schema, use equals or a longer text, or drop a scope.'

/** Records of one batch at most: the steps of a search bring more. */
const BATCH_RECORDS = 100

/** @param timeout milliseconds of work that finding and reading may take, each time that they are asked for */
export async function openFound(databaseFile: string, query: SearchQuery, timeout: number): Promise<FoundSnapshot> {
  try {
    const reader = openSearcher({ databaseFile, indexFile: indexFileOf(databaseFile) })
    return new SqliteFoundSnapshot(reader, query, timeout)
  } catch (error) {
    throw translateError(error)
  }
}

class SqliteFoundSnapshot implements FoundSnapshot {
  readonly model: Model
  readonly feed: FeedSnapshot
  readonly #reader: Searcher
  readonly #session: SqliteSession
  readonly #query: SearchQuery
  readonly #timeout: number
  #snapshot: SearchSnapshot

  constructor(reader: Searcher, query: SearchQuery, timeout: number) {
    this.#reader = reader
    this.#query = query
    this.#timeout = timeout
    this.#snapshot = beginSnapshot(reader)
    // Where the index has moved on between the two snapshots, that shows before anything is found.
    while (!this.#agrees()) {
      endSnapshot(reader)
      this.#snapshot = beginSnapshot(reader)
    }
    this.model = this.#snapshot.model
    this.#session = new SqliteSession(reader.db)
    this.feed = new SnapshotOfFeed(this.#session)
  }

  #agrees(): boolean {
    const steps = this.#search()
    try {
      steps.next()
      return true
    } catch (error) {
      if (error instanceof SnapshotMissed) return false
      throw error
    } finally {
      steps.return()
    }
  }

  *#search({ withCategories, ids }: FoundOptions = {}): Generator<SearchStep, void> {
    const query = ids === undefined ? this.#query : among(this.#query, ids)
    const items = new (exportedRecords(withCategories))(query, this.model)
    const ground = groundOf(query, this.#reader.sql, this.#snapshot)
    yield* followProgram(runSearch(query, ground, items), REST, this.#reader)
  }

  categoriesOf(catalogId: string): Promise<Category[]> {
    return new Categories(this.#session).listOf(catalogId)
  }

  async *batches(options: FoundOptions = {}): AsyncGenerator<SnapshotRecord[], void> {
    if (options.ids?.length === 0) return
    const steps = this.#search(options)
    let spent = 0
    try {
      for (;;) {
        const begin = performance.now()
        const step = steps.next()
        spent += performance.now() - begin
        if (spent > this.#timeout) throw new PimletError('UNAVAILABLE', TOO_LONG)
        if (step.done === true) return
        const records = step.value.records as SnapshotRecord[]
        while (records.length > BATCH_RECORDS) yield records.splice(0, BATCH_RECORDS)
        yield records
        if (step.value.isLast === true) return
      }
    } catch (error) {
      throw translateError(error)
    } finally {
      steps.return()
    }
  }

  async close(): Promise<void> {
    this.#reader.db.close()
  }
}
