// The location of a workspace in SQLite: its database, with the search index and the write-ahead log beside it.
import path from 'node:path'
import type { StoreLocation } from '../port.ts'

const KIND = 'sqlite'

export interface SqliteLocation extends StoreLocation {
  readonly kind: typeof KIND
  readonly databaseFile: string
}

export function sqliteLocation(databaseFile: string): SqliteLocation {
  return { kind: KIND, databaseFile }
}

/** The workspace in a data directory. */
export function sqliteIn(directory: string): SqliteLocation {
  return sqliteLocation(path.join(directory, 'pimlet.db'))
}

export function isSqlite(location: StoreLocation): location is SqliteLocation {
  return location.kind === KIND
}
