// Records that a search finds in one snapshot, for exports. The thread that renders them uses one connection with one
// transaction.
import type { Category } from '../core/model/rules/catalog.ts'
import type { Model } from '../core/model/rules/model.ts'
import { exportedBatches, exportTookTooLong } from '../store/reading/exported-records.ts'
import { TaskTime } from '../store/reading/task-time.ts'
import type { FeedSnapshot, FoundOptions, FoundSnapshot, SnapshotRecord } from '../store/snapshot-port.ts'
import type { SearchQuery } from '../store/search-port.ts'
import { readLinked } from '../store/rows/linked-values.ts'
import { Categories } from '../store/rows/categories.ts'
import { isCancelled } from './postgres-errors.ts'
import { SnapshotOfFeed } from '../store/rows/feed-snapshot.ts'
import type { PostgresLocation } from './location.ts'
import { rememberNothing, Searcher } from './search/searcher.ts'
import { SNAPSHOT_TEXTS } from './record-snapshot.ts'

/** Milliseconds. No statement of an export runs this long, even if the export has more time. */
const LONGEST_STATEMENT = 24 * 60 * 60 * 1000

/** @param timeout milliseconds of work for finding and reading, counted from zero for each call of `batches` */
export async function openFound(
  location: PostgresLocation,
  query: SearchQuery,
  timeout: number,
): Promise<FoundSnapshot> {
  const searcher = await Searcher.open(location, LONGEST_STATEMENT, rememberNothing())
  try {
    return new PostgresFoundSnapshot(searcher, await searcher.begin(), query, timeout)
  } catch (error) {
    await searcher.connection.close()
    throw error
  }
}

class PostgresFoundSnapshot implements FoundSnapshot {
  readonly model: Model
  readonly feed: FeedSnapshot
  readonly #searcher: Searcher
  readonly #query: SearchQuery
  readonly #timeout: number

  constructor(searcher: Searcher, model: Model, query: SearchQuery, timeout: number) {
    this.#searcher = searcher
    this.#query = query
    this.#timeout = timeout
    this.model = model
    this.feed = new SnapshotOfFeed(searcher.session)
  }

  categoriesOf(catalogId: string): Promise<Category[]> {
    return new Categories(this.#searcher.session).listOf(catalogId)
  }

  linked(ids: readonly string[]): Promise<SnapshotRecord[]> {
    return readLinked(this.#searcher.session, SNAPSHOT_TEXTS, ids)
  }

  async *batches(options: FoundOptions = {}): AsyncGenerator<SnapshotRecord[], void> {
    const time = new TaskTime(this.#timeout, exportTookTooLong)
    try {
      const ground = await this.#searcher.groundOf(this.#query, time)
      yield* exportedBatches(this.#query, options, ground, time)
    } catch (error) {
      throw isCancelled(error) ? exportTookTooLong() : error
    }
  }

  close(): Promise<void> {
    return this.#searcher.connection.close()
  }
}
