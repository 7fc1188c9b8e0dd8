// Which storages there are: the one file that names them. Whoever needs one asks here, by the kind of its location. A thread
// has a copy of all that it loads, so that what is large is loaded when it is asked for.
import type { Backups, DirectoryMaintenance, Maintenance, StorageFault } from '../store/maintenance-port.ts'
import type { MovingSource, MovingTarget } from '../store/moving-port.ts'
import type { Store, StoreLocation, StoreOptions } from '../store/port.ts'
import { describeLocation, isPostgres, postgresAt } from '../postgres/location.ts'
import { explainDatabaseError, postgresFaultOf } from '../postgres/maintenance/database-faults.ts'
import { isSqlite, type SqliteLocation, sqliteIn, sqliteLocation } from '../store/sqlite/location.ts'
import { maintainSqlite, sqliteBackups, sqliteFaultOf } from '../store/sqlite/maintenance/maintenance.ts'
import type { FoundSnapshot, RecordSnapshot } from '../store/snapshot-port.ts'
import type { SearchQuery } from '../store/search-port.ts'

/** Where a data directory has its workspace. */
export function locationIn(directory: string): StoreLocation {
  return sqliteIn(directory)
}

/** Where the workspace of a server is: in the database that is named, or in its data directory. */
export function locationOf({ dataDir, databaseUrl }: WorkspacePlace): StoreLocation {
  if (databaseUrl !== undefined) return postgresAt(databaseUrl)
  if (dataDir !== undefined) return sqliteIn(dataDir)
  throw new Error('A workspace is in a directory or in a database')
}

export interface WorkspacePlace {
  /** Of a workspace in a database: where a server has its keys and files, which not everybody needs. */
  readonly dataDir?: string | undefined
  /** As libpq has it. */
  readonly databaseUrl?: string | undefined
}

/** Opens, makes or upgrades the workspace. @throws what `asStartError` explains, where it cannot be used */
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

/** @throws what `asStartError` explains, where it cannot be moved */
export async function openMovingSource(location: StoreLocation): Promise<MovingSource> {
  if (isPostgres(location)) {
    const { openPostgresSource } = await import('../postgres/moving/moving.ts')
    return openPostgresSource(location)
  }
  const { openSqliteSource } = await import('../store/sqlite/moving/moving.ts')
  return openSqliteSource(asSqlite(location))
}

/** @throws what `asStartError` explains, where no workspace can be made there */
export async function openMovingTarget(location: StoreLocation): Promise<MovingTarget> {
  if (isPostgres(location)) {
    const { openPostgresTarget } = await import('../postgres/moving/moving.ts')
    return openPostgresTarget(location)
  }
  const { openSqliteTarget } = await import('../store/sqlite/moving/moving.ts')
  return openSqliteTarget(asSqlite(location))
}

/** Of a workspace that is being made in a file, which is there and empty. */
export function locationInFile(file: string): StoreLocation {
  return sqliteLocation(file)
}

/** Of the workspace that is in a data directory itself. */
export function maintenanceIn(directory: string): DirectoryMaintenance {
  return maintainSqlite(sqliteIn(directory))
}

/** Of a workspace wherever it is. */
export async function maintenanceOf(location: StoreLocation): Promise<Maintenance> {
  if (!isPostgres(location)) return maintainSqlite(asSqlite(location))
  const { maintainPostgres } = await import('../postgres/maintenance/maintenance.ts')
  return maintainPostgres(location)
}

/** Backups of workspaces in directories. */
export const backups: Backups = sqliteBackups

/** What an error of any storage says; undefined for any other one. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  return sqliteFaultOf(error) ?? postgresFaultOf(error)
}

/** An error of a database that others run, or of the way there, for whoever started something; undefined for any other one. */
export function explainStorageError(error: unknown): string | undefined {
  return explainDatabaseError(error)
}

/** Names a workspace in a database that others run; no password is in it. */
export function describeDatabase(url: string): string {
  return describeLocation(postgresAt(url))
}

/** What runs in the threads of storages, by role. */
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
