// Which storages there are: the one file that names them. Whoever needs one asks here, by the kind of its location. A thread
// has a copy of all that it loads, so that what is large is loaded when it is asked for.
import type { Backups, DirectoryMaintenance, StorageFault } from './storage/maintenance-port.ts'
import type { Store, StoreLocation, StoreOptions } from './storage/port.ts'
import { isPostgres, postgresAt } from './storage/postgres/location.ts'
import { isSqlite, type SqliteLocation, sqliteIn } from './storage/sqlite/location.ts'
import { maintainSqlite, sqliteBackups, sqliteFaultOf } from './storage/sqlite/maintenance/maintenance.ts'
import type { FoundSnapshot, RecordSnapshot, SearchQuery } from './storage/search-port.ts'

/** Where a data directory has its workspace. */
export function locationIn(directory: string): StoreLocation {
  return sqliteIn(directory)
}

/** Where the workspace of a server is: in the database that is named, or in its data directory. */
export function locationOf({ dataDir, databaseUrl }: WorkspacePlace): StoreLocation {
  return databaseUrl === undefined ? sqliteIn(dataDir) : postgresAt(databaseUrl)
}

export interface WorkspacePlace {
  readonly dataDir: string
  /** As libpq has it. */
  readonly databaseUrl?: string | undefined
}

/** Opens, makes or upgrades the workspace. @throws what `asStartError` explains, where it cannot be used */
export async function openStore(location: StoreLocation, options: StoreOptions): Promise<Store> {
  if (isPostgres(location)) {
    const { openPostgresStore } = await import('./storage/postgres/store.ts')
    return openPostgresStore({ ...options, url: location.url })
  }
  const { databaseFile: file } = asSqlite(location)
  const { openSqliteStore } = await import('./storage/sqlite/store.ts')
  return openSqliteStore({ ...options, file })
}

/** @throws UNAVAILABLE, here or while reading */
export async function openSnapshot(location: StoreLocation): Promise<RecordSnapshot> {
  if (isPostgres(location)) {
    const { openRecordSnapshot } = await import('./storage/postgres/record-snapshot.ts')
    return openRecordSnapshot(location.url)
  }
  const { databaseFile } = asSqlite(location)
  const { openRecordSnapshot } = await import('./storage/sqlite/snapshot.ts')
  return openRecordSnapshot(databaseFile)
}

/** @throws UNAVAILABLE, here or while reading */
export async function openFoundSnapshot(
  location: StoreLocation,
  query: SearchQuery,
  timeout: number,
): Promise<FoundSnapshot> {
  if (isPostgres(location)) {
    const { openFound } = await import('./storage/postgres/found-snapshot.ts')
    return openFound(location, query, timeout)
  }
  const { databaseFile } = asSqlite(location)
  const { openFound } = await import('./storage/sqlite/found-snapshot.ts')
  return openFound(databaseFile, query, timeout)
}

/** Of the workspace that is in a data directory itself. */
export function maintenanceIn(directory: string): DirectoryMaintenance {
  return maintainSqlite(sqliteIn(directory))
}

/** Whatever storage a workspace has, its backup is such a file. */
export const backups: Backups = sqliteBackups

/** What an error of any storage says; undefined for any other one. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  return sqliteFaultOf(error)
}

/** What runs in the threads of storages, by role. */
export const storageThreads = {
  index: async (): Promise<void> => {
    const { runIndexThread } = await import('./storage/sqlite/search-index/index-thread.ts')
    runIndexThread()
  },
  reader: async (): Promise<void> => {
    const { runReaderThread } = await import('./storage/sqlite/readers/reader-thread.ts')
    runReaderThread()
  },
  databaseIndex: async (): Promise<void> => {
    const { runPostgresIndexThread } = await import('./storage/postgres/search-index/index-thread.ts')
    runPostgresIndexThread()
  },
  databaseReader: async (): Promise<void> => {
    const { runPostgresReaderThread } = await import('./storage/postgres/readers/reader-thread.ts')
    runPostgresReaderThread()
  },
}

function asSqlite(location: StoreLocation): SqliteLocation {
  if (isSqlite(location)) return location
  throw new Error(`There is no storage of the kind '${location.kind}'`)
}
