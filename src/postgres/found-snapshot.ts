// The records that a search finds, as they were at one moment, for exports. One connection with one transaction, in the
// thread that renders them.
import type { Category } from '../core/model/rules/catalog.ts'
import type { Model } from '../core/model/rules/model.ts'
import { PimletError } from '../kernel/errors.ts'
import { among, exportedRecords } from '../store/reading/exported-records.ts'
import { runSearch } from '../store/reading/run-search.ts'
import type { FeedSnapshot, FoundOptions, FoundSnapshot, SnapshotRecord } from '../store/snapshot-port.ts'
import type { SearchQuery } from '../store/search-port.ts'
import { Categories } from '../store/rows/categories.ts'
import { isCancelled } from './postgres-errors.ts'
import { SnapshotOfFeed } from '../store/rows/feed-snapshot.ts'
import type { PostgresLocation } from './location.ts'
import { followProgram } from './search/answer-plan.ts'
import { rememberNothing, Searcher } from './search/searcher.ts'

const TOO_LONG =
  'The export took too long to find its records (--query-timeout). Narrow it: name a schema, use equals or a longer text, or drop a scope.'

/** Records of one batch at most: the steps of a search bring more. */
const BATCH_RECORDS = 100
/** No statement of an export takes so many milliseconds, whatever time the export has. */
const LONGEST_STATEMENT = 24 * 60 * 60 * 1000

/** @param timeout milliseconds of work that finding and reading may take, each time that they are asked for */
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

  async *batches({ withCategories, ids }: FoundOptions = {}): AsyncGenerator<SnapshotRecord[], void> {
    if (ids?.length === 0) return
    let begin = performance.now()
    let spent = 0
    const check = (): void => {
      if (spent + performance.now() - begin > this.#timeout) throw new PimletError('UNAVAILABLE', TOO_LONG)
    }
    const query = ids === undefined ? this.#query : among(this.#query, ids)
    const items = new (exportedRecords(withCategories))(query, this.model)
    try {
      const ground = await this.#searcher.groundOf(query)
      for await (const step of followProgram(runSearch(query, ground, items), this.#searcher, check)) {
        check()
        spent += performance.now() - begin
        const records = step.records as SnapshotRecord[]
        while (records.length > BATCH_RECORDS) yield records.splice(0, BATCH_RECORDS)
        yield records
        begin = performance.now()
        if (step.isLast === true) return
      }
    } catch (error) {
      throw isCancelled(error) ? new PimletError('UNAVAILABLE', TOO_LONG) : error
    }
  }

  close(): Promise<void> {
    return this.#searcher.connection.close()
  }
}
