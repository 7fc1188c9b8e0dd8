// Writes the index rows of a batch with its records, if the records are new and depend on nothing else. All other
// records are noted for the index thread, which follows soon after.
import type { Model } from '../../core/model/rules/model.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import type { Asked } from '../../store/rows/session.ts'
import type { Statement } from '../layer.ts'
import type { PlacedRow } from '../session.ts'
import { IndexNumbers } from './index-numbers.ts'
import { indexStatements, type IndexTask, placesOf, taskOf } from './index-statements.ts'

/**
 * A record with this many characters of values is left to the index thread. The batch indexes no more records after
 * `MOST_MILLISECONDS`.
 */
const LARGE = 32_768
const MOST_MILLISECONDS = 5

/** Records of a batch. Inserted ones are new, are no variants, and have no category. */
export interface FlushedRecords extends IndexChanges {
  readonly inserted: readonly PlacedRow[]
}

export class FlushIndex {
  readonly #numbers = new IndexNumbers()
  #isNoted = false
  #lacksNumbers = true

  /** @param model for indexing the records; undefined: the batch changes the model */
  statements(records: FlushedRecords, model: Model | undefined): Statement[] {
    const tasks = model === undefined ? [] : this.#tasksOf(records.inserted, model)
    const indexed = new Set(tasks.map(({ n }) => n))
    const left = records.inserted.filter(({ n }) => !indexed.has(n))
    const notes = noteStatements({ ...records, written: [...records.written, ...left] })
    if (notes.length > 0) this.#isNoted = true
    return [...indexStatements(tasks, this.#numbers), ...notes]
  }

  /** Returns whether a change was noted for the index thread since the last call. */
  takeNoted(): boolean {
    const isNoted = this.#isNoted
    this.#isNoted = false
    return isNoted
  }

  /** Learns the committed numbers that were missing. */
  async learn(from: Asked): Promise<void> {
    if (!this.#lacksNumbers) return
    this.#lacksNumbers = false
    try {
      await this.#numbers.learnCommitted(from)
    } catch (error) {
      this.#lacksNumbers = true
      throw error
    }
  }

  #tasksOf(inserted: readonly PlacedRow[], model: Model): IndexTask[] {
    const end = performance.now() + MOST_MILLISECONDS
    const tasks: IndexTask[] = []
    for (const { n, record } of inserted) {
      if (record.valuesJson.length > LARGE) continue
      if (performance.now() > end) break
      const row: ReadRecord = { ...record, n, inheritedJson: null }
      const task = taskOf(n, row, null, model)
      if (this.#numbers.knows(placesOf(task))) tasks.push(task)
      else this.#lacksNumbers = true
    }
    return tasks
  }
}

interface IndexChanges {
  /** Inserted or updated records. */
  readonly written: readonly PlacedRow[]
  /** Places of deleted records. */
  readonly deleted: readonly number[]
  /** IDs of records whose values changed for their variants. */
  readonly variantsOf: readonly string[]
  /** IDs of records whose categories changed, for themselves and their variants. */
  readonly families: readonly string[]
  /** IDs of schemas whose records must be reindexed. */
  readonly schemas: readonly string[]
}

/** Returns statements that note the changes for the index thread. */
function noteStatements({ written, deleted, variantsOf, families, schemas }: IndexChanges): Statement[] {
  const records = 'SELECT n FROM record WHERE'
  return [
    ...note('record_n', 'SELECT unnest($1::bigint[])', [...written.map(({ n }) => n), ...deleted]),
    ...note('record_n', `${records} parent_id = ANY ($1::text[])`, variantsOf),
    ...note('record_n', `${records} id = ANY ($1::text[]) OR parent_id = ANY ($1::text[])`, families),
    ...note('schema_id', 'SELECT unnest($1::text[])', schemas),
  ]
}

function note(column: string, select: string, changes: readonly unknown[]): Statement[] {
  if (changes.length === 0) return []
  return [{ sql: `INSERT INTO index_pending (${column}) ${select}`, parameters: [changes] }]
}
