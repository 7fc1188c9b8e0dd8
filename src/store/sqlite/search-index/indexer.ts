// Updates the search index to the committed state, batch by batch.
import { parseValues, type Values } from '../../../core/records/rules/record.ts'
import type { Connection } from '../connection.ts'
import { ModelTables } from '../stored-model.ts'
import { StatementCache } from '../statements.ts'
import { emptyWal, hasRoomToMoveWal, moveWal, restartWal, sizeOfWal } from '../wal/wal-file.ts'
import type { CategoryTree, SearchedRecord } from '../../../core/search/rules/searched-record.ts'
import type { StoredRecord } from '../../record-port.ts'
import { entryOf } from '../../../core/search/plan/index-entry.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import { categoryIdsOf, categoryTree } from '../search/category-tree.ts'
import { type IndexTables, openIndex, type Progress, type Rebuild } from './index-tables.ts'
import type { Model } from '../../../core/model/rules/model.ts'
import { FreePages } from '../free-pages.ts'

/**
 * The most records of a transaction. A larger batch writes index pages less often: batches of 1,000 take a third more
 * time. But a stop would wait longer.
 */
const BATCH = 2500

interface PendingRow {
  readonly sequence: number
  readonly record_n: number | null
  readonly schema_id: string | null
}

export class Indexer {
  readonly #db: Connection
  readonly #sql: StatementCache
  readonly #models: ModelTables
  readonly #index: IndexTables
  readonly #remains: IndexRemains
  #progress: Progress

  /**
   * @param db a connection that reads the records
   * @param isDamaged whether the index is rebuilt in any case
   */
  constructor(db: Connection, indexFile: string, isDamaged: boolean) {
    this.#db = db
    this.#sql = new StatementCache(db)
    this.#models = new ModelTables(db)
    const { oldest, newest, workspace } = this.#readPlace()
    // All changes that the index lacks must still be stored. The file may be older or newer than the records.
    const isUsable = ({ sequence }: Progress): boolean => sequence >= 0 && sequence <= newest && sequence + 1 >= oldest
    this.#index = openIndex(indexFile, workspace, (progress) => !isDamaged && isUsable(progress))
    this.#remains = new IndexRemains(this.#index.db)
    this.#progress = this.#index.progress()
    if (this.#progress.sequence < 0) this.#save({ sequence: newest, rebuilds: [{ schemaId: null, next: 0 }] })
  }

  get progress(): Progress {
    return this.#progress
  }

  /** Indexes one batch. @returns whether more work may be left */
  step(): boolean {
    this.#db.exec('BEGIN')
    try {
      const pending = this.#sql.all<PendingRow>(
        'SELECT sequence, record_n, schema_id FROM index_pending WHERE sequence > ? ORDER BY sequence LIMIT ?',
        [this.#progress.sequence, BATCH],
      )
      if (pending.length > 0) this.#indexPending(pending)
      else if (this.#progress.rebuilds.length > 0) this.#rebuild(this.#progress.rebuilds)
      else return false
      return true
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  /** Bytes of the index's WAL that are not yet in its database. */
  get unmovedWal(): number {
    return sizeOfWal(this.#index.db).unmoved
  }

  /** Moves pages from the index's WAL into its database, while readers continue. */
  moveWal(): void {
    moveWal(this.#index.db)
  }

  /** Closes an index that is about to be removed. */
  abandon(): void {
    this.#index.db.close()
  }

  /** Shrinks the index's WAL, unless a reader needs the file or pages cannot be moved. @throws errors of the storage */
  shrinkWal(): boolean {
    return hasRoomToMoveWal(this.#index.db) && restartWal(this.#index.db, { shrink: true })
  }

  /** Overwrites some remains of deleted rows. @returns whether more may be left */
  overwriteSome(): boolean {
    return this.#remains.overwriteSome()
  }

  close(): void {
    emptyWal(this.#index.db)
    this.#index.db.close()
  }

  #indexPending(pending: readonly PendingRow[]): void {
    const numbers = new Set(pending.flatMap((row) => row.record_n ?? []))
    const schemaIds = new Set(pending.flatMap((row) => row.schema_id ?? []))
    const rebuilds = this.#progress.rebuilds.filter(({ schemaId }) => schemaId === null || !schemaIds.has(schemaId))
    // FTS5 writes its collected data whenever the row number falls, so the numbers are sorted.
    this.#putAll(
      [...numbers].sort((one, other) => one - other),
      {
        sequence: pending.at(-1)!.sequence,
        rebuilds: [...rebuilds, ...[...schemaIds].map((schemaId) => ({ schemaId, next: 0 }))],
      },
    )
  }

  #rebuild([{ schemaId, next }, ...others]: readonly [Rebuild, ...Rebuild[]] | readonly Rebuild[]): void {
    const numbers = this.#sql
      .all<{ n: number }>(
        'SELECT n FROM record WHERE n >= @next AND (@schemaId IS NULL OR +schema_id = @schemaId) ORDER BY n LIMIT @limit',
        { next, schemaId, limit: BATCH },
      )
      .map((row) => row.n)
    const { sequence } = this.#progress
    const rebuilds = numbers.length < BATCH ? others : [{ schemaId, next: numbers.at(-1)! + 1 }, ...others]
    this.#putAll(numbers, { sequence, rebuilds })
  }

  #putAll(numbers: readonly number[], progress: Progress): void {
    const model = this.#models.modelOfSnapshot()
    this.#index.db.exec('BEGIN IMMEDIATE')
    try {
      const categories = categoryTree(this.#sql)
      for (const n of numbers) this.#put(n, model, categories)
      this.#index.complete()
      this.#save(progress)
      this.#index.db.exec('COMMIT')
    } catch (error) {
      if (this.#index.db.inTransaction) this.#index.db.exec('ROLLBACK')
      this.#index.forgetBatch()
      this.#progress = this.#index.progress()
      throw error
    }
  }

  #put(n: number, model: Model, categories: CategoryTree): void {
    const record = this.#read(n, model)
    if (record === undefined) this.#index.put(n, '', undefined)
    else this.#index.put(n, record.schema.id, entryOf(record, model, categories))
  }

  #read(n: number, model: Model): SearchedRecord | undefined {
    const row = this.#sql.get<StoredRecord>(`SELECT ${RECORD_COLUMNS} FROM main.record WHERE n = ?`, [n])
    const schema = row && model.schemas.get(row.schemaId)
    if (schema === undefined) return undefined
    const inherited = row!.parentId === null ? null : this.#valuesOf(row!.parentId)
    const categoryIds = categoryIdsOf(n, row!.parentId, this.#sql)
    return { ...row!, schema, layers: { own: parseValues(row!), inherited }, categoryIds }
  }

  /** A separate query: joining the parent would double the reading time of every record. */
  #valuesOf(id: string): Values {
    const { own } = this.#sql.get<{ own: string }>('SELECT "values" AS own FROM record WHERE id = ?', [id])!
    return JSON.parse(own) as Values
  }

  #save(progress: Progress): void {
    this.#index.setProgress(progress)
    this.#progress = progress
  }

  /** Reads the range of stored changes, and the workspace. */
  #readPlace(): { oldest: number; newest: number; workspace: number } {
    return this.#sql.get<{ oldest: number; newest: number; workspace: number }>(
      `SELECT coalesce(min(sequence), 1) AS oldest, coalesce(max(sequence), 0) AS newest,
              coalesce((SELECT value FROM counter WHERE name = 'workspace'), 0) AS workspace
         FROM index_pending`,
      [],
    )!
  }
}

/** The number of pages of the full-text index that one step writes. */
const PAGES = 256

/** Removes the remains of deleted rows: segments of the full-text index, and free pages. */
class IndexRemains {
  readonly #db: Connection
  /** Undefined: the full-text index is still being merged. */
  #pages: FreePages | undefined
  #isMerging = false

  constructor(db: Connection) {
    this.#db = db
  }

  /** @returns whether more work is left */
  overwriteSome(): boolean {
    if (this.#pages === undefined) {
      if (!this.#mergeSome()) return true
      this.#isMerging = false
      this.#db.exec('CREATE TABLE IF NOT EXISTS blank (n INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT')
      this.#pages = new FreePages(this.#db)
    }
    if (this.#pages.overwriteSome()) return true
    this.#pages = undefined
    this.#db.exec('DROP TABLE blank')
    return false
  }

  /**
   * Merges the full-text index into one segment, which no longer mentions deleted rows.
   * @returns whether merging is complete
   */
  #mergeSome(): boolean {
    // A negative number starts a merge of all segments, and positive numbers continue the merge.
    const sql = `INSERT INTO text (text, rank) VALUES ('merge', ${this.#isMerging ? PAGES : -PAGES})`
    const before = this.#changes()
    this.#db.exec(sql)
    this.#isMerging = true
    return this.#changes() - before < 2
  }

  #changes(): number {
    return this.#db.prepare<[], number>('SELECT total_changes()').pluck().get()!
  }
}
