// Compares the search index with its records, row by row. The function with which the indexer writes also makes the
// expected rows.
import { existsSync } from 'node:fs'
import type { Model } from '../../../core/model/rules/model.ts'
import type { CategoryTree } from '../../../core/search/rules/searched-record.ts'
import type { IndexInspection } from '../../maintenance-port.ts'
import { type Connection, isDamage, openTaskReader } from '../connection.ts'
import { ModelTables } from '../stored-model.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import { categoryIdsOf, categoryTree } from '../search/category-tree.ts'
import { type RecordRow, searchedRecord } from '../../reading/searched-row.ts'
import { readPending, SnapshotMissed } from '../search/pending.ts'
import { indexFileOf } from '../search-index/follower.ts'
import { entryOf } from '../../../core/search/plan/index-entry.ts'
import { type Cell, readCells } from '../../../core/search/plan/cells.ts'
import { distinctCells, findIndexFault } from '../../../core/search/plan/index-faults.ts'
import type { Progress, Rebuild } from '../search-index/index-tables.ts'
import { StatementCache } from '../statements.ts'
import { findDamage } from '../integrity.ts'

/** The index cannot be compared; the message contains the reason. */
export class IndexNotComparable extends Error {
  override readonly name = 'IndexNotComparable'
}

interface ComparedRow extends RecordRow {
  readonly rows: string | null
  readonly texts: string | null
  readonly isLarge: number
}

const RECORDS = `
  SELECT record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson,
         indexed.rows, text.folded AS texts, large_text.record IS NOT NULL AS isLarge
    FROM main.record
    LEFT JOIN main.record AS parent ON parent.id = record.parent_id
    LEFT JOIN idx.indexed ON indexed.record = record.n
    LEFT JOIN idx.text ON text.rowid = record.n
    LEFT JOIN idx.large_text ON large_text.record = record.n
   ORDER BY record.n`

/** Selects rows of the index for records that are deleted, or not yet in the snapshot of the records. */
const OTHERS = `SELECT record, rows FROM idx.indexed WHERE record NOT IN (SELECT n FROM main.record)`

export class IndexComparison implements IndexInspection {
  readonly #db: Connection
  readonly #sql: StatementCache
  readonly #model: Model
  readonly #categories: CategoryTree
  /** Records that the index does not contain in their present state. */
  readonly #pending: ReadonlySet<number>
  readonly #attributes: ReadonlyMap<string, number>
  readonly #scopes: ReadonlyMap<string, number>
  readonly #attributeScopes: ReadonlySet<string>
  /** Rows of `value` that belong to a record. */
  #rows = 0
  #texts = 0

  /** @throws IndexNotComparable if the index is missing, damaged, or being built */
  constructor(databaseFile: string) {
    this.#db = openIndex(databaseFile)
    this.#sql = new StatementCache(this.#db)
    try {
      this.#pending = this.#begin()
      this.#model = new ModelTables(this.#db).modelOfSnapshot()
      this.#categories = categoryTree(this.#sql)
      const attributes = this.#sql.all<{ n: number; id: string }>(
        'SELECT n, schema_id || char(10) || alias AS id FROM idx.attribute',
        [],
      )
      this.#attributes = new Map(attributes.map(({ id, n }) => [id, n]))
      const scopes = this.#sql.all<{ n: number; key: string }>('SELECT n, key FROM idx.scope', [])
      this.#scopes = new Map(scopes.map(({ key, n }) => [key, n]))
      const pairs = this.#sql.all<{ pair: string }>(
        "SELECT attribute || ' ' || scope AS pair FROM idx.attribute_scope",
        [],
      )
      this.#attributeScopes = new Set(pairs.map(({ pair }) => pair))
    } catch (error) {
      this.#db.close()
      throw asNotComparable(error)
    }
  }

  close(): void {
    this.#db.close()
  }

  /** Finds damage in SQLite's words, also in the full-text index and its texts. */
  findDamage(): string[] {
    return findDamage(this.#db, { schema: 'idx' })
  }

  /** Records that wait to be indexed. */
  get pending(): number {
    return this.#pending.size
  }

  /** Yields the fault of each record in the index, or undefined; then the faults without a record. */
  *compare(): Generator<string | undefined, void> {
    const hasRow = this.#db.prepare<[...Cell, number], unknown>(
      'SELECT 1 FROM idx.value WHERE attribute = ? AND scope = ? AND key = ? AND record = ?',
    )
    const isThere = (record: number, row: Cell): boolean => hasRow.get(...row, record) !== undefined
    for (const row of this.#db.prepare<[], ComparedRow>(RECORDS).iterate()) {
      const known = row.rows === null ? [] : distinctCells(readCells(row.rows))
      this.#rows += known.length
      this.#texts += row.texts === null ? 0 : 1
      const fault = known.every((one) => isThere(row.n, one)) ? this.#findFault(row, known) : 'rows of it are missing'
      yield fault === undefined ? undefined : `${row.id}: ${fault}`
    }
    yield* this.#compareOthers()
  }

  #begin(): ReadonlySet<number> {
    for (let tries = 0; ; tries += 1) {
      this.#db.exec('BEGIN')
      try {
        if (!this.#hasTables()) throw new IndexNotComparable('it is being made')
        const row = this.#sql.get<{ sequence: number; rebuilds: string }>('SELECT * FROM idx.progress', [])!
        const progress: Progress = { sequence: row.sequence, rebuilds: JSON.parse(row.rebuilds) as Rebuild[] }
        const schemas = [...new ModelTables(this.#db).modelOfSnapshot().schemas.values()]
        const { records, isAll } = readPending(progress, this.#sql, schemas)
        if (isAll) throw new IndexNotComparable('it is being rebuilt')
        return new Set(records)
      } catch (error) {
        this.#db.exec('ROLLBACK')
        if (!(error instanceof SnapshotMissed)) throw error
        if (tries === 10) throw new IndexNotComparable('it lacks changes that are forgotten')
      }
    }
  }

  #hasTables(): boolean {
    return this.#sql.get("SELECT 1 FROM idx.sqlite_schema WHERE name = 'progress'", []) !== undefined
  }

  #findFault(row: ComparedRow, known: readonly Cell[]): string | undefined {
    const { n, schemaId, texts, isLarge } = row
    if (this.#pending.has(n)) return undefined
    const schema = this.#model.schemas.get(schemaId)
    if (schema === undefined) return known.length > 0 ? 'it has rows of no schema' : undefined
    const record = searchedRecord(row, schema, () => categoryIdsOf(n, row.parentId, this.#sql))
    const entry = entryOf(record, this.#model, this.#categories)
    const numbers = {
      attributeOf: (alias: string) => this.#attributes.get(`${schemaId}\n${alias}`) ?? -1,
      scopeOf: (scope: string, isInherited: boolean) => (this.#scopes.get(scope) ?? 0) * (isInherited ? -1 : 1),
      knows: (attribute: number, scope: number) => this.#attributeScopes.has(`${attribute} ${scope}`),
      asStored: (text: string) => text,
    }
    return findIndexFault(entry, { cells: known, texts: texts ?? '', isLarge: isLarge === 1 }, numbers)
  }

  *#compareOthers(): Generator<string, void> {
    for (const { record, rows } of this.#sql.all<{ record: number; rows: string }>(OTHERS, [])) {
      this.#rows += distinctCells(readCells(rows)).length
      if (this.#sql.get('SELECT 1 FROM idx.text WHERE rowid = ?', [record]) !== undefined) this.#texts += 1
      if (!this.#pending.has(record)) yield `record number ${record}: it is gone`
    }
    const { rows, texts } = this.#sql.get<{ rows: number; texts: number }>(
      'SELECT (SELECT count(*) FROM idx.value) AS rows, (SELECT count(*) FROM idx.text) AS texts',
      [],
    )!
    if (rows !== this.#rows) yield `${rows} rows, where records have ${this.#rows}`
    if (texts !== this.#texts) yield `${texts} texts, where records have ${this.#texts}`
  }
}

function openIndex(databaseFile: string): Connection {
  const indexFile = indexFileOf(databaseFile)
  if (!existsSync(indexFile)) throw new IndexNotComparable('there is none')
  try {
    return openTaskReader(databaseFile, indexFile)
  } catch (error) {
    throw asNotComparable(error)
  }
}

function asNotComparable(error: unknown): unknown {
  return isDamage(error) ? new IndexNotComparable(`it is damaged (${(error as Error).message})`) : error
}
