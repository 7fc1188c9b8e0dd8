// What a batch writes of the search index with its records: rows of those that are new and depend on nothing else. Of all others it
// notes that they have to be looked at, and the index thread does that soon after.
import type { Model } from '../../core/model/rules/model.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import type { Asked } from '../../store/rows/session.ts'
import type { Statement } from '../layer.ts'
import type { PlacedRow } from '../session.ts'
import { type IndexChanges, noteStatements } from './index-changes.ts'
import { IndexNumbers } from './index-numbers.ts'
import { indexStatements, type IndexTask, placesOf, taskOf } from './index-statements.ts'

/** Characters of values from which on a record is left to the thread, and milliseconds from which on all others are. */
const LARGE = 32_768
const MOST_MILLISECONDS = 5

/** Records of a batch, of which some are new: they had no row before, are no variants, and are in no category. */
export interface FlushedRecords extends IndexChanges {
  readonly inserted: readonly PlacedRow[]
}

export class FlushIndex {
  readonly #numbers = new IndexNumbers()
  #isNoted = false
  #lacksNumbers = true

  /** @param model that the records are to be found by; undefined: the batch changes it */
  statements(records: FlushedRecords, model: Model | undefined): Statement[] {
    const tasks = model === undefined ? [] : this.#tasksOf(records.inserted, model)
    const indexed = new Set(tasks.map(({ n }) => n))
    const left = records.inserted.filter(({ n }) => !indexed.has(n))
    const notes = noteStatements({ ...records, written: [...records.written, ...left] })
    if (notes.length > 0) this.#isNoted = true
    return [...indexStatements(tasks, this.#numbers), ...notes]
  }

  /** Whether anything was noted for the thread since this was asked last. */
  takeNoted(): boolean {
    const isNoted = this.#isNoted
    this.#isNoted = false
    return isNoted
  }

  /** Learns the numbers that it has found lacking, as far as they are committed. */
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
