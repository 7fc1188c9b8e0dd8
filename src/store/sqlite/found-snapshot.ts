// Records that a search finds in one snapshot, for exports: one connection with one read transaction.
import type { Category } from '../../core/model/rules/catalog.ts'
import type { Model } from '../../core/model/rules/model.ts'
import type { FeedSnapshot, FoundOptions, FoundSnapshot, SnapshotRecord } from '../snapshot-port.ts'
import type { SearchQuery } from '../search-port.ts'
import { exportedBatches, exportTookTooLong } from '../reading/exported-records.ts'
import type { Ground } from '../reading/search-snapshot.ts'
import { TaskTime } from '../reading/task-time.ts'
import { SnapshotOfFeed } from '../rows/feed-snapshot.ts'
import { readLinked } from '../rows/linked-values.ts'
import { Categories } from '../rows/categories.ts'
import { translateError } from './connection.ts'
import { indexFileOf } from './search-index/follower.ts'
import { beginSearch } from './search/index-state.ts'
import { openSearcher, type Searcher } from './search/searcher.ts'
import { SqliteIndex } from './search/sqlite-index.ts'
import { SqliteSession } from './session.ts'
import { SNAPSHOT_TEXTS } from './snapshot.ts'

/** @param timeout milliseconds of work for finding and reading, counted from zero for each call of `batches` */
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
  readonly #ground: Omit<Ground, 'index'>

  constructor(reader: Searcher, query: SearchQuery, timeout: number) {
    this.#reader = reader
    this.#query = query
    this.#timeout = timeout
    this.#ground = beginSearch(query, reader)
    this.model = this.#ground.model
    this.#session = new SqliteSession(reader.db)
    this.feed = new SnapshotOfFeed(this.#session)
  }

  categoriesOf(catalogId: string): Promise<Category[]> {
    return new Categories(this.#session).listOf(catalogId)
  }

  linked(ids: readonly string[]): Promise<SnapshotRecord[]> {
    return readLinked(this.#session, SNAPSHOT_TEXTS, ids)
  }

  async *batches(options: FoundOptions = {}): AsyncGenerator<SnapshotRecord[], void> {
    const time = new TaskTime(this.#timeout, exportTookTooLong)
    const ground = { ...this.#ground, index: new SqliteIndex(this.#reader.sql, time) }
    try {
      yield* exportedBatches(this.#query, options, ground, time)
    } catch (error) {
      throw translateError(error)
    }
  }

  async close(): Promise<void> {
    this.#reader.db.close()
  }
}
