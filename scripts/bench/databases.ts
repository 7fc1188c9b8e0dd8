// Reads the files of a pimlet data directory while the server works on them.
import { copyFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KEY_FILES } from '../../src/kernel/machine/data-directory.ts'
import { type Connection, openReader, openWriter } from '../../src/store/sqlite/connection.ts'

const POLL_MILLISECONDS = 5
const CAUGHT_UP_MILLISECONDS = 300_000

export class DataFiles {
  readonly databaseFile: string
  readonly indexFile: string
  readonly #records: Connection
  readonly #index: Connection

  /** Opens the files of a running server. Its thread makes the search index soon after the start. */
  static async open(dataDir: string): Promise<DataFiles> {
    const indexFile = path.join(dataDir, 'search-index.db')
    while (!isMade(indexFile)) await wait(POLL_MILLISECONDS)
    return new DataFiles(dataDir, indexFile)
  }

  private constructor(dataDir: string, indexFile: string) {
    this.databaseFile = path.join(dataDir, 'pimlet.db')
    this.indexFile = indexFile
    this.#records = openReader(this.databaseFile)
    this.#index = openReader(this.indexFile)
  }

  /** Resolves when the search index contains everything that is committed. */
  async whenIndexed(): Promise<void> {
    const end = performance.now() + CAUGHT_UP_MILLISECONDS
    const newest = this.#records.prepare('SELECT coalesce(max(sequence), 0) FROM index_pending').pluck()
    const indexed = this.#index.prepare("SELECT sequence FROM progress WHERE rebuilds = '[]'").pluck()
    const target = newest.get() as number
    while (((indexed.get() as number | undefined) ?? -1) < target) {
      if (performance.now() > end) throw new Error('The search index does not catch up')
      await wait(POLL_MILLISECONDS)
    }
  }

  /** Opens both files on one connection, as the reader threads do: the index is `idx`. */
  openBoth(): Connection {
    const db = openReader(this.databaseFile)
    db.prepare('ATTACH ? AS idx').run(this.indexFile)
    return db
  }

  /** Returns IDs in the order of creation. */
  listIds(): string[] {
    return this.#records.prepare('SELECT id FROM record ORDER BY n').pluck().all() as string[]
  }

  /** Copies committed data into another data directory. */
  copyTo(dataDir: string): void {
    this.#records.prepare('VACUUM INTO ?').run(path.join(dataDir, path.basename(this.databaseFile)))
    this.#index.prepare('VACUUM INTO ?').run(path.join(dataDir, path.basename(this.indexFile)))
    for (const name of KEY_FILES)
      copyFileSync(path.join(path.dirname(this.databaseFile), name), path.join(dataDir, name))
  }

  /** Returns the bytes of each table and index, by name. */
  sizes(): Map<string, number> {
    const sql = 'SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE GROUP BY name'
    const rows = [this.#records, this.#index].flatMap(
      (db) => db.prepare(sql).all() as { name: string; bytes: number }[],
    )
    return new Map(rows.map(({ name, bytes }) => [name, bytes]))
  }

  /** Makes a file with the whole response to a GET of each record, for the reference servers. */
  makeDocuments(file: string): void {
    const db = openWriter(file, { durable: false })
    db.exec(
      'CREATE TABLE document (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL) STRICT',
    )
    db.prepare('ATTACH ? AS pimlet').run(this.databaseFile)
    db.exec(`
      INSERT INTO document (id, version, body)
      SELECT id, version,
        '{"id":"' || id || '","schemaId":"' || schema_id || '","parentId":' || iif(parent_id IS NULL, 'null', '"' || parent_id || '"') ||
        ',"lifecycleStateId":"' || state_id || '","createdAt":"' || created_at || '","updatedAt":"' || updated_at ||
        '","createdBy":"' || created_by || '","updatedBy":"' || updated_by || '","values":' || "values" || '}'
        FROM pimlet.record ORDER BY n`)
    db.exec('DETACH pimlet')
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
  }

  close(): void {
    this.#records.close()
    this.#index.close()
  }
}

/** An existing file may be one that the server is just replacing. */
function isMade(indexFile: string): boolean {
  if (!existsSync(indexFile)) return false
  try {
    const index = openReader(indexFile)
    try {
      return index.prepare('SELECT 1 FROM progress').get() !== undefined
    } finally {
      index.close()
    }
  } catch {
    return false
  }
}
