// The two storages: the only file above storage that names them. Callers pass the kind of location. Large code is loaded on
// demand, because every thread has its own copy.
import type { Backups, DirectoryMaintenance, Maintenance, StorageFault } from '../store/maintenance-port.ts'
import type { MovingSource, MovingTarget } from '../store/moving-port.ts'
import type { Store, StoreLocation, StoreOptions } from '../store/port.ts'
import { describeLocation, isPostgres, postgresAt } from '../postgres/location.ts'
import { explainDatabaseError, postgresFaultOf } from '../postgres/maintenance/database-faults.ts'
import { isSqlite, type SqliteLocation, sqliteIn, sqliteLocation } from '../store/sqlite/location.ts'
import { maintainSqlite, sqliteBackups, sqliteFaultOf } from '../store/sqlite/maintenance/maintenance.ts'
import type { FoundSnapshot, RecordSnapshot } from '../store/snapshot-port.ts'
import type { SearchQuery } from '../store/search-port.ts'

/** The location of a server's workspace: the named database, or else the data directory. */
export function locationOf({ dataDir, databaseUrl }: WorkspacePlace): StoreLocation {
  if (databaseUrl !== undefined) return postgresAt(databaseUrl)
  if (dataDir !== undefined) return sqliteIn(dataDir)
  throw new Error('A workspace is in a directory or in a database')
}

export interface WorkspacePlace {
  /** For a workspace in a database: the directory of the server's keys and files; not every command needs it. */
  readonly dataDir?: string | undefined
  /** In the form of libpq. */
  readonly databaseUrl?: string | undefined
}

/** Opens, makes or upgrades the workspace. @throws errors that `asStartError` explains */
export async function openStore(location: StoreLocation, options: StoreOptions): Promise<Store> {
  if (isPostgres(location)) {
    const { openPostgresStore } = await import('../postgres/store.ts')
    return openPostgresStore({ ...options, url: location.url })
  }
  const { databaseFile: file } = asSqlite(location)
  const { openSqliteStore } = await import('../store/sqlite/store.ts')
  return openSqliteStore({ ...options, file })
}

/** @throws UNAVAILABLE, here or while reading */
export async function openSnapshot(location: StoreLocation): Promise<RecordSnapshot> {
  if (isPostgres(location)) {
    const { openRecordSnapshot } = await import('../postgres/record-snapshot.ts')
    return openRecordSnapshot(location.url)
  }
  const { databaseFile } = asSqlite(location)
  const { openRecordSnapshot } = await import('../store/sqlite/snapshot.ts')
  return openRecordSnapshot(databaseFile)
}

/** @throws UNAVAILABLE, here or while reading */
export async function openFoundSnapshot(
  location: StoreLocation,
  query: SearchQuery,
  timeout: number,
): Promise<FoundSnapshot> {
  if (isPostgres(location)) {
    const { openFound } = await import('../postgres/found-snapshot.ts')
    return openFound(location, query, timeout)
  }
  const { databaseFile } = asSqlite(location)
  const { openFound } = await import('../store/sqlite/found-snapshot.ts')
  return openFound(databaseFile, query, timeout)
}

/** @throws errors that `asStartError` explains */
export async function openMovingSource(location: StoreLocation): Promise<MovingSource> {
  if (isPostgres(location)) {
    const { openPostgresSource } = await import('../postgres/moving/moving.ts')
    return openPostgresSource(location)
  }
  const { openSqliteSource } = await import('../store/sqlite/moving/moving.ts')
  return openSqliteSource(asSqlite(location))
}

/** @throws errors that `asStartError` explains */
export async function openMovingTarget(location: StoreLocation): Promise<MovingTarget> {
  if (isPostgres(location)) {
    const { openPostgresTarget } = await import('../postgres/moving/moving.ts')
    return openPostgresTarget(location)
  }
  const { openSqliteTarget } = await import('../store/sqlite/moving/moving.ts')
  return openSqliteTarget(asSqlite(location))
}

/** The location of a new workspace in an existing, empty file. */
export const locationInFile: (file: string) => StoreLocation = sqliteLocation

/** Maintenance of the workspace in a data directory. */
export function maintenanceIn(directory: string): DirectoryMaintenance {
  return maintainSqlite(sqliteIn(directory))
}

/** Maintenance of any workspace. */
export async function maintenanceOf(location: StoreLocation): Promise<Maintenance> {
  if (!isPostgres(location)) return maintainSqlite(asSqlite(location))
  const { maintainPostgres } = await import('../postgres/maintenance/maintenance.ts')
  return maintainPostgres(location)
}

/** Backups of workspaces in directories. */
export const backups: Backups = sqliteBackups

/** The meaning of a storage error; undefined for other errors. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  return sqliteFaultOf(error) ?? postgresFaultOf(error)
}

/** Explains an error of an external database, or of the connection to it; undefined for other errors. */
export const explainStorageError = explainDatabaseError

/** Names a workspace in an external database, without its password. */
export function describeDatabase(url: string): string {
  return describeLocation(postgresAt(url))
}

/** The threads of both storages, by role. */
export const storageThreads = {
  index: async (): Promise<void> => {
    const { runIndexThread } = await import('../store/sqlite/search-index/index-thread.ts')
    runIndexThread()
  },
  reader: async (): Promise<void> => {
    const { runReaderThread } = await import('../store/sqlite/readers/reader-thread.ts')
    runReaderThread()
  },
  databaseIndex: async (): Promise<void> => {
    const { runPostgresIndexThread } = await import('../postgres/search-index/index-thread.ts')
    runPostgresIndexThread()
  },
  databaseReader: async (): Promise<void> => {
    const { runPostgresReaderThread } = await import('../postgres/readers/reader-thread.ts')
    runPostgresReaderThread()
  },
}

function asSqlite(location: StoreLocation): SqliteLocation {
  if (isSqlite(location)) return location
  throw new Error(`There is no storage of the kind '${location.kind}'`)
}
