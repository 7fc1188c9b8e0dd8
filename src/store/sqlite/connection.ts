// Opens SQLite databases and translates their errors. Only this file knows better-sqlite3.
import Database from 'better-sqlite3'
import { nativeBinding } from '../../kernel/executable/assets.ts'
import { PimletError } from '../../kernel/errors.ts'

export type Connection = Database.Database
export type Statement<Row = unknown> = Database.Statement<unknown[], Row>

/**
 * Cache of most connections. The operating system also caches the files, so a larger cache would use memory and save
 * little time.
 */
const KIBIBYTES_OF_CACHE = 2048
/** Cache of the connection that all requests share: they use the same pages again and again. */
const KIBIBYTES_OF_SHARED_CACHE = 8192
const KIBIBYTES_OF_CACHE_FOR_TASKS = { most: 4096, least: 256, together: 8192 }

/**
 * Opens a connection for writing. `durable`: a commit survives a power cut when it returns (`synchronous=FULL`).
 * Otherwise a commit survives only the death of the process, until the wal is synced. The caller runs the checkpoints.
 */
export function openWriter(file: string, { durable }: { durable: boolean }): Connection {
  const db = open(file)
  db.pragma('journal_mode = WAL')
  db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  db.pragma('foreign_keys = ON')
  db.pragma('busy_timeout = 5000')
  db.pragma('wal_autocheckpoint = 0')
  db.pragma(`cache_size = -${KIBIBYTES_OF_CACHE}`)
  db.pragma('temp_store = MEMORY')
  // Deleted or replaced data is overwritten with zeros, in pages that are written anyhow.
  db.pragma('secure_delete = FAST')
  return db
}

/** Opens a connection for reading records and, as `idx`, the search index. Its caches are small, because many exist. */
export function openTaskReader(databaseFile: string, indexFile: string): Connection {
  const db = openReader(databaseFile)
  db.prepare('ATTACH ? AS idx').run(indexFile)
  shareCache(db, 1)
  return db
}

/**
 * Sets the cache size of one task's connection, for this number of tasks. Slow readers may hold up hundreds of tasks,
 * which must not fill hundreds of large caches.
 */
export function shareCache(db: Connection, tasks: number): void {
  const { most, least, together } = KIBIBYTES_OF_CACHE_FOR_TASKS
  const kibibytes = Math.max(least, Math.min(most, Math.floor(together / tasks)))
  db.pragma(`main.cache_size = -${kibibytes}`)
  db.pragma(`idx.cache_size = -${kibibytes}`)
}

/** Opens a connection for reading, which sees the commits of other connections. */
export function openReader(file: string): Connection {
  const db = open(file, { readonly: true, fileMustExist: true })
  db.pragma('busy_timeout = 5000')
  db.pragma(`cache_size = -${KIBIBYTES_OF_CACHE}`)
  db.pragma('temp_store = MEMORY')
  return db
}

/** The connection for reading that all requests share. */
export function openSharedReader(file: string): Connection {
  const db = openReader(file)
  db.pragma(`cache_size = -${KIBIBYTES_OF_SHARED_CACHE}`)
  return db
}

/** For reading a file from an unknown source. */
export function openStranger(file: string): Connection {
  const db = openReader(file)
  db.pragma('cell_size_check = ON')
  return db
}

/** Opens an empty database in memory, which ends when it is closed. */
export function openInMemory(): Connection {
  return open(':memory:')
}

/** Opens a database that no other process has open: one file, without others beside it. Deleted data is overwritten. */
export function openAlone(file: string): Connection {
  const db = open(file, { fileMustExist: true })
  db.pragma('journal_mode = DELETE')
  db.pragma('synchronous = FULL')
  db.pragma('secure_delete = ON')
  db.pragma('temp_store = MEMORY')
  return db
}

/**
 * Rolls back the write of a process that died without a wal, which a reading connection cannot do. No process may have
 * the file open.
 */
export function rollBack(file: string): void {
  const db = open(file, { fileMustExist: true })
  try {
    db.pragma('schema_version')
  } finally {
    db.close()
  }
}

/** Milliseconds after which a process that only checks the lock has ended. */
const MILLISECONDS_OF_LOOKING = 200

/** Holds the file until the connection is closed or the process dies; undefined: another process holds the file. */
export function openExclusively(file: string): Connection | undefined {
  const db = open(file, { timeout: MILLISECONDS_OF_LOOKING })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}

/** Returns whether a process holds the existing file by `openExclusively`. */
export function isHeld(file: string): boolean {
  return isBusy(open(file, { readonly: true, timeout: 0 }), 'schema_version')
}

/**
 * Returns whether another process has the file open, which is a database with a wal. Each connection to it has a lock
 * on it. If no process has the file open, this moves the wal into the file.
 */
export function isOpenElsewhere(file: string): boolean {
  const db = open(file, { fileMustExist: true, timeout: MILLISECONDS_OF_LOOKING })
  return isBusy(db, 'locking_mode = EXCLUSIVE', 'schema_version')
}

/** Whether a lock of another process keeps the connection from these pragmas; closes the connection. */
function isBusy(db: Connection, ...pragmas: readonly string[]): boolean {
  try {
    for (const pragma of pragmas) db.pragma(pragma)
    return false
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    throw error
  } finally {
    db.close()
  }
}

function open(file: string, options: Database.Options = {}): Connection {
  try {
    const db = new Database(file, { ...options, nativeBinding: nativeBinding() })
    // The schema of a file must not call functions that pimlet does not use there. This pragma reads nothing of the
    // file.
    db.pragma('trusted_schema = OFF')
    return db
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_DLOPEN_FAILED') throw error
    throw new Error(
      `the system does not load the database's native code (${(error as Error).message}). Where that lies on a file system mounted with noexec, mount it without, or use a data directory elsewhere`,
      { cause: error },
    )
  }
}

const UNAVAILABLE_CODES = [
  'SQLITE_FULL',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
]

/** Translates `error` for the rest of the product. Storage that is full, locked or missing is UNAVAILABLE. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (UNAVAILABLE_CODES.some((code) => error.code.startsWith(code)))
    return new PimletError('UNAVAILABLE', 'The storage is full, locked or not writable', { cause: error })
  return error
}

const DAMAGED_CODES = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_FORMAT']

/** Returns whether `error` reports a damaged database file. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && DAMAGED_CODES.some((code) => error.code.startsWith(code))
}

/** Returns whether `error` reports a file that is no SQLite database. */
export function isNoDatabase(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB'
}

/** Codes of errors that stay: unreadable pages remain unreadable. */
const LASTING_CODES = ['SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ', 'SQLITE_IOERR_CORRUPTFS']

/**
 * Returns whether `error` comes from the environment of the file and may pass: no room, no rights, the lock of another
 * process.
 */
export function isPassing(error: unknown): boolean {
  return translateError(error) !== error && !LASTING_CODES.includes((error as { code: string }).code)
}

/** The second: for the shared memory of a wal. */
const FULL_CODES = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']

/** Returns whether `error` reports a full disk. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Database.SqliteError && FULL_CODES.includes(error.code)
}

/** Returns whether `error` reports a violated UNIQUE or PRIMARY KEY constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
  )
}
