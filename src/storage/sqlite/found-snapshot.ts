// The records that a search finds, as they were at one moment, for exports. One connection with one read transaction.
import { PimletError } from '../../domain/errors.ts'
import type { Category } from '../../domain/model/catalogs.ts'
import type { Model } from '../../domain/model/model.ts'
import type { FoundOptions, FoundSnapshot, SearchQuery, SnapshotRecord } from '../search-port.ts'
import { FeedReads } from './export-feeds.ts'
import type { Numbers } from '../search/numbers.ts'
import { Categories } from './categories.ts'
import { translateError } from './connection.ts'
import { indexFileOf } from './search-index/follower.ts'
import { listOf } from './search/number-lists.ts'
import { FoundItems, type ReadRow } from './search/found-items.ts'
import { SnapshotMissed } from './search/pending.ts'
import type { SearchStep } from './search/read-found.ts'
import { runSearch } from './search/run-search.ts'
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
  readonly feed: FeedReads
  readonly #reader: Searcher
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
    this.feed = new FeedReads(reader.db)
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

  #search({ withCategories = false, ids }: FoundOptions = {}): Generator<SearchStep, void> {
    const { sql } = this.#reader
    const query = ids === undefined ? this.#query : among(this.#query, ids)
    const { model } = this.#snapshot
    const items = withCategories ? new PlacedRecords(query, sql, model) : new WholeRecords(query, sql, model)
    return runSearch(query, sql, this.#snapshot, items)
  }

  categoriesOf(catalogId: string): Promise<Category[]> {
    return new Categories(this.#reader.db).listOf(catalogId)
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

/** The search, of some records alone. */
function among(query: SearchQuery, ids: readonly string[]): SearchQuery {
  const { find } = query
  if (find.kind !== 'criteria') throw new Error('Only a search by criteria can be narrowed')
  const isOne = { field: 'id', operator: 'in', value: [...ids] } as const
  const criteria = { criteria: [isOne, find.criteria], criteriaOperator: 'and' } as const
  return { ...query, find: { ...find, criteria } }
}

/** All of each record, whoever may read it, and what it inherits: what is shown of it is decided by the export. */
class WholeRecords extends FoundItems {
  override *partsOf({ n: _n, inheritedJson, ...record }: ReadRow): Generator<SnapshotRecord, void> {
    yield { ...record, parentValuesJson: inheritedJson }
  }
}

/** With the categories that each is in, by itself or by what it is a variant of. */
class PlacedRecords extends FoundItems {
  #categoryIds = new Map<number, string[]>()

  override get hasLookUps(): boolean {
    return true
  }

  override lookUp(records: Numbers): void {
    this.#categoryIds = new Map()
    for (const [n, categoryId] of this.sql.tuples<readonly [number, string]>(CATEGORIES_OF, [listOf(records)])) {
      const ofRecord = this.#categoryIds.get(n) ?? []
      ofRecord.push(categoryId)
      this.#categoryIds.set(n, ofRecord)
    }
  }

  override *partsOf({ n, inheritedJson, ...record }: ReadRow): Generator<SnapshotRecord, void> {
    yield { ...record, parentValuesJson: inheritedJson, categoryIds: this.#categoryIds.get(n) ?? [] }
  }
}

const CATEGORIES_OF = `SELECT DISTINCT record.n, category.id
       FROM json_each(?) AS wanted
       CROSS JOIN main.record ON record.n = wanted.value
       JOIN main.assignment ON assignment.record_n IN
         (record.n, (SELECT parent.n FROM main.record AS parent WHERE parent.id = record.parent_id))
       JOIN main.category ON category.id = assignment.category_id
       JOIN main.catalog ON catalog.id = category.catalog_id
      ORDER BY record.n, catalog.n, category.n`
