// The basis of a search: a separate connection to records and index, with its caches.
import type { Model } from '../../../core/model/rules/model.ts'
import { type Connection, openTaskReader } from '../connection.ts'
import { ModelTables } from '../stored-model.ts'
import { Records } from '../records.ts'
import type { Progress, Rebuild } from '../search-index/index-tables.ts'
import { hasText } from '../../../core/search/plan/index-text.ts'
import { FoundSets } from '../../reading/found-sets.ts'
import { WorkspaceReads } from '../../reading/workspace-reads.ts'
import { createFeed } from '../audit.ts'
import { SqliteSession } from '../session.ts'
import { StatementCache } from '../statements.ts'

export interface SearchFiles {
  readonly databaseFile: string
  readonly indexFile: string
}

export interface Searcher {
  readonly db: Connection
  readonly sql: StatementCache
  readonly models: ModelTables
  readonly records: Records
  readonly reads: WorkspaceReads
  readonly found: FoundSets
}

export function openSearcher({ databaseFile, indexFile }: SearchFiles): Searcher {
  const db = openTaskReader(databaseFile, indexFile)
  db.function('has_text', { deterministic: true }, hasText as (...values: unknown[]) => unknown)
  const [models, records] = [new ModelTables(db), new Records(db)]
  const session = new SqliteSession(db)
  const modelVersion = (): number => models.versionNow()
  const reads = new WorkspaceReads({ session, records, ...createFeed(db, session), modelVersion })
  return { db, sql: new StatementCache(db), models, records, reads, found: new FoundSets() }
}

export interface SearchSnapshot {
  readonly model: Model
  readonly progress: Progress
}

/** Takes the snapshot of the index first, so that the records are never older than their index rows. */
export function beginSnapshot(searcher: Searcher): SearchSnapshot {
  searcher.sql.run('BEGIN', [])
  return readSnapshot(searcher)
}

/** Versions of index and records in the present snapshot: SQLite counts the commits of other connections. */
export function versionsOf({ sql }: Searcher): string {
  const [index, records] = ['idx', 'main'].map((name) => sql.numbers(`PRAGMA ${name}.data_version`, [])[0]!)
  return `${index} ${records}`
}

/** Must be the first read of a transaction, except for reads of the index. */
export function readSnapshot({ sql, models }: Searcher): SearchSnapshot {
  const row = sql.get<{ sequence: number; rebuilds: string }>('SELECT sequence, rebuilds FROM idx.progress', [])!
  const progress = { sequence: row.sequence, rebuilds: JSON.parse(row.rebuilds) as Rebuild[] }
  return { model: models.modelOfSnapshot(), progress }
}

export function endSnapshot({ db, sql }: Searcher): void {
  if (db.inTransaction) sql.run('ROLLBACK', [])
}
