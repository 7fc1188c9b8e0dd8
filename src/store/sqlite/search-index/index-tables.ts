// The search index: a separate database file, built from the records and rebuilt if lost. The index follows the records
// in batches, and `progress` stores its position.
import { rmSync } from 'node:fs'
import { type Connection, isPassing, openWriter } from '../connection.ts'
import { StatementCache } from '../statements.ts'
import { type Cell, readCells, writeCells } from '../../../core/search/plan/cells.ts'
import type { IndexEntry } from '../../../core/search/plan/index-rows.ts'
import { isTextIndexed, markText } from '../../../core/search/plan/index-text.ts'
import { TRIGRAM_TABLE, TrigramSample } from './trigram-counts.ts'
import { AddedRows } from './value-order.ts'

/** Must be raised when the meaning of the rows changes: an index of another format is rebuilt. */
const FORMAT = 8

const TABLES = `
  -- One row: the last indexed index_pending.sequence, and the running rebuilds as JSON (see Progress).
  CREATE TABLE progress (sequence INTEGER NOT NULL, rebuilds TEXT NOT NULL) STRICT;
  CREATE TABLE attribute (n INTEGER PRIMARY KEY, schema_id TEXT NOT NULL, alias TEXT NOT NULL, UNIQUE (alias, schema_id)) STRICT;
  CREATE TABLE scope (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT;
  -- The existing scopes; -n: the value is inherited.
  CREATE TABLE attribute_scope (attribute INTEGER, scope INTEGER, PRIMARY KEY (attribute, scope)) STRICT, WITHOUT ROWID;
  CREATE TABLE value (
    attribute INTEGER NOT NULL, scope INTEGER NOT NULL, key ANY NOT NULL, record INTEGER NOT NULL,
    PRIMARY KEY (attribute, scope, key, record)
  ) STRICT, WITHOUT ROWID;
  -- The rows of "value" of each record, which are deleted by their exact keys.
  CREATE TABLE indexed (record INTEGER PRIMARY KEY, rows TEXT NOT NULL) STRICT;
  -- The texts of a record, one after another: see core/search/plan/index-text.ts.
  CREATE VIRTUAL TABLE text USING fts5 (folded, tokenize = 'trigram case_sensitive 1', columnsize = 0);
  -- Records whose texts are too large for the table "text": a search for text reads them one by one.
  CREATE TABLE large_text (record INTEGER PRIMARY KEY) STRICT;
  -- Bytes that the table collects before a write: a whole batch, because 1 MiB would be written in parts and merged
  -- again.
  INSERT INTO text (text, rank) VALUES ('hashsize', ${4 * 1024 * 1024});
  ${TRIGRAM_TABLE}
  PRAGMA user_version = ${FORMAT};
`

/** Most rows collected for sorting; more would use too much memory. */
const MAX_ADDED = 50_000

/**
 * Records that are being reindexed. The index of a schema (null: all schemas) is unreliable from record number `next`
 * on.
 */
export interface Rebuild {
  readonly schemaId: string | null
  readonly next: number
}

export interface Progress {
  readonly sequence: number
  readonly rebuilds: readonly Rebuild[]
}

/** Opens the index of this workspace, or creates an empty one if no usable index exists. @throws errors of the storage */
export function openIndex(file: string, workspace: number, isUsable: (progress: Progress) => boolean): IndexTables {
  try {
    const db = openIndexWriter(file)
    const isOurs = db.pragma('application_id', { simple: true }) === workspace
    if (isOurs && db.pragma('user_version', { simple: true }) === FORMAT) {
      const tables = new IndexTables(db)
      if (isUsable(tables.progress())) return tables
    }
    db.close()
  } catch (error) {
    // A damaged index is rebuilt, but a full disk is no reason to rebuild.
    if (isPassing(error)) throw error
  }
  removeIndex(file)
  const db = openIndexWriter(file)
  db.exec(`BEGIN; ${TABLES} PRAGMA application_id = ${workspace}; INSERT INTO progress VALUES (-1, '[]'); COMMIT;`)
  return new IndexTables(db)
}

/** The index can be rebuilt, so a power cut only costs time. */
function openIndexWriter(file: string): Connection {
  return openWriter(file, { durable: false })
}

/** The next opening rebuilds the index. */
export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/** The number of an attribute, and the numbers of its known scopes by key. */
interface KnownAttribute {
  readonly n: number
  readonly own: Map<string, number>
  readonly inherited: Map<string, number>
}

export class IndexTables {
  readonly db: Connection
  readonly #sql: StatementCache
  /** Schema → alias → numbers of the attribute. */
  readonly #attributes = new Map<string, Map<string, KnownAttribute>>()
  readonly #trigrams: TrigramSample
  readonly #added = new AddedRows()
  /** The highest indexed record number. */
  #newest: number

  constructor(db: Connection) {
    this.db = db
    this.#sql = new StatementCache(db)
    this.#trigrams = new TrigramSample(this.#sql)
    this.#newest = this.#sql.get<{ newest: number }>(
      'SELECT coalesce(max(record), 0) AS newest FROM indexed',
      [],
    )!.newest
  }

  progress(): Progress {
    const row = this.#sql.get<{ sequence: number; rebuilds: string }>('SELECT sequence, rebuilds FROM progress', [])!
    return { sequence: row.sequence, rebuilds: JSON.parse(row.rebuilds) as Rebuild[] }
  }

  setProgress({ sequence, rebuilds }: Progress): void {
    this.#sql.run('UPDATE progress SET sequence = ?, rebuilds = ?', [sequence, JSON.stringify(rebuilds)])
  }

  #rowsOf(record: number): { rows: string } | undefined {
    return this.#sql.get('SELECT rows FROM indexed WHERE record = ?', [record])
  }

  /**
   * Makes the index contain exactly `entry` for the record number; undefined: the record was deleted. Unchanged rows
   * stay. `complete` must be called once after a batch.
   */
  put(record: number, schemaId: string, entry: IndexEntry | undefined): void {
    const known = record > this.#newest ? undefined : this.#rowsOf(record)
    if (entry === undefined) {
      if (known !== undefined) this.#remove(record, known.rows)
      return
    }
    const rows = entry.rows.map((row): Cell => {
      const attribute = this.#attribute(schemaId, row.alias)
      return [attribute.n, this.#scope(attribute, row.scope, row.isInherited), row.key]
    })
    this.#putRows(record, rows, known?.rows)
    const texts = entry.texts.flatMap(({ alias, scope, isInherited, text }) => {
      const attribute = this.#attribute(schemaId, alias)
      return [markText(attribute.n, this.#scope(attribute, scope, isInherited), ''), text]
    })
    if (this.#added.count > MAX_ADDED) this.#added.insert(this.#sql)
    const isIndexed = isTextIndexed(texts)
    if (known !== undefined) this.#sql.run('DELETE FROM large_text WHERE record = ?', [record])
    if (!isIndexed) this.#sql.run('INSERT INTO large_text (record) VALUES (?)', [record])
    this.#putText(record, isIndexed ? joinTexts(texts) : '', known !== undefined)
    if (known === undefined && isIndexed) this.#trigrams.note(record, texts)
  }

  #putRows(record: number, rows: readonly Cell[], known: string | undefined): void {
    const text = writeCells(rows)
    if (text === known) return
    this.#newest = Math.max(this.#newest, record)
    if (known === undefined) for (const row of rows) this.#addRow(record, row)
    else this.#changeRows(record, rows, known)
    this.#sql.run('INSERT OR REPLACE INTO indexed (record, rows) VALUES (?, ?)', [record, text])
  }

  #changeRows(record: number, rows: readonly Cell[], known: string): void {
    const now = new Map(rows.map((row) => [writeCells([row]), row]))
    const before = new Map(readCells(known).map((row) => [writeCells([row]), row]))
    for (const [id, row] of before) if (!now.has(id)) this.#deleteRow(record, row)
    for (const [id, row] of now) if (!before.has(id)) this.#addRow(record, row)
  }

  #addRow(record: number, [attribute, scope, key]: Cell): void {
    this.#added.add(record, attribute, scope, key)
  }

  complete(): void {
    this.#trigrams.save()
    this.#added.insert(this.#sql)
  }

  #putText(record: number, text: StoredText, isKnown: boolean): void {
    const isLarge = typeof text !== 'string'
    if (isKnown) {
      const sql = `SELECT ${isLarge ? 'CAST(folded AS BLOB)' : 'folded'} AS folded FROM text WHERE rowid = ?`
      const before = this.#sql.get<{ folded: StoredText }>(sql, [record])
      if (isSameText(before?.folded ?? '', text)) return
      if (before !== undefined) this.#sql.run('DELETE FROM text WHERE rowid = ?', [record])
    }
    const sql = `INSERT INTO text (rowid, folded) VALUES (?, ${isLarge ? 'CAST(? AS TEXT)' : '?'})`
    if (text !== '') this.#sql.run(sql, [record, text])
  }

  #remove(record: number, rows: string): void {
    for (const row of readCells(rows)) this.#deleteRow(record, row)
    this.#sql.run('DELETE FROM indexed WHERE record = ?', [record])
    this.#sql.run('DELETE FROM text WHERE rowid = ?', [record])
    this.#sql.run('DELETE FROM large_text WHERE record = ?', [record])
  }

  #deleteRow(record: number, [attribute, scope, key]: Cell): void {
    this.#sql.run('DELETE FROM value WHERE attribute = ? AND scope = ? AND key = ? AND record = ?', [
      attribute,
      scope,
      key,
      record,
    ])
  }

  #attribute(schemaId: string, alias: string): KnownAttribute {
    let ofSchema = this.#attributes.get(schemaId)
    if (ofSchema === undefined) this.#attributes.set(schemaId, (ofSchema = new Map()))
    let attribute = ofSchema.get(alias)
    if (attribute === undefined) {
      const n = this.#numberOf('attribute', 'schema_id, alias', [schemaId, alias])
      attribute = { n, own: new Map(), inherited: new Map() }
      ofSchema.set(alias, attribute)
    }
    return attribute
  }

  #scope({ n: attribute, own, inherited }: KnownAttribute, key: string, isInherited: boolean): number {
    const known = isInherited ? inherited : own
    let scope = known.get(key)
    if (scope === undefined) {
      scope = this.#numberOf('scope', 'key', [key]) * (isInherited ? -1 : 1)
      this.#sql.run('INSERT OR IGNORE INTO attribute_scope (attribute, scope) VALUES (?, ?)', [attribute, scope])
      known.set(key, scope)
    }
    return scope
  }

  #numberOf(table: string, columns: string, values: readonly string[]): number {
    const where = columns.replace(', ', ' = ? AND ')
    this.#sql.run(`INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${values.map(() => '?').join(', ')})`, values)
    return this.#sql.get<{ n: number }>(`SELECT n FROM ${table} WHERE ${where} = ?`, values)!.n
  }

  /** Forgets the numbers assigned by a batch that was rolled back. */
  forgetBatch(): void {
    this.#added.clear()
    this.#trigrams.forget()
    this.#attributes.clear()
  }
}

/** Texts of this many UTF-16 units or more are stored as bytes. */
const LARGE = 65_536

/** The bound parameter for the folded texts of a record; large texts are bytes. */
type StoredText = string | Buffer

/** Joins the texts of a record, with as few copies in memory as possible. */
function joinTexts(texts: readonly string[]): StoredText {
  let units = 0
  for (const text of texts) units += text.length
  if (units < LARGE) return texts.join('')
  let size = 0
  for (const text of texts) size += Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const text of texts) at += bytes.write(text, at)
  return bytes
}

function isSameText(one: StoredText, other: StoredText): boolean {
  return typeof one === 'string' || typeof other === 'string' ? one === other : one.equals(other)
}
