// Opening SQLite and speaking its errors: the one file that knows better-sqlite3.
import Database from 'better-sqlite3'
import { nativeBinding } from '../../kernel/executable/assets.ts'
import { PimletError } from '../../kernel/errors.ts'

export type Connection = Database.Database
export type Statement<Row = unknown> = Database.Statement<unknown[], Row>

/** Per connection. The operating system caches the files as well, so a larger cache takes memory and saves no time. */
const KIBIBYTES_OF_CACHE = 2048
const KIBIBYTES_OF_CACHE_FOR_TASKS = { most: 4096, least: 256, together: 8192 }

/**
 * For writing. `durable`: a commit survives a power cut when it returns (`synchronous=FULL`); otherwise it survives
 * only the death of the process, until the wal is synced. The caller runs the checkpoints.
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

/** For reading records and, as `idx`, the search index: one of many, so with small caches. */
export function openTaskReader(databaseFile: string, indexFile: string): Connection {
  const db = openReader(databaseFile)
  db.prepare('ATTACH ? AS idx').run(indexFile)
  shareCache(db, 1)
  return db
}

/**
 * Gives the connection of one task its caches, where so many tasks run beside each other: hundreds, which readers who take
 * little hold up, shall not fill as many large ones.
 */
export function shareCache(db: Connection, tasks: number): void {
  const { most, least, together } = KIBIBYTES_OF_CACHE_FOR_TASKS
  const kibibytes = Math.max(least, Math.min(most, Math.floor(together / tasks)))
  db.pragma(`main.cache_size = -${kibibytes}`)
  db.pragma(`idx.cache_size = -${kibibytes}`)
}

/** For reading: it sees the commits of other connections. */
export function openReader(file: string): Connection {
  const db = open(file, { readonly: true, fileMustExist: true })
  db.pragma('busy_timeout = 5000')
  db.pragma(`cache_size = -${KIBIBYTES_OF_CACHE}`)
  db.pragma('temp_store = MEMORY')
  return db
}

/** For reading a file from an unknown source. */
export function openStranger(file: string): Connection {
  const db = openReader(file)
  db.pragma('cell_size_check = ON')
  return db
}

/** An empty database that is gone when it is closed. */
export function openInMemory(): Connection {
  return open(':memory:')
}

/** For a database that no other process has: one file, without others beside it. Deleted data is gone from it. */
export function openAlone(file: string): Connection {
  const db = open(file, { fileMustExist: true })
  db.pragma('journal_mode = DELETE')
  db.pragma('synchronous = FULL')
  db.pragma('secure_delete = ON')
  db.pragma('temp_store = MEMORY')
  return db
}

/**
 * Rolls back the write of a process that died without a wal: a connection that reads cannot. For a file that no process
 * has open.
 */
export function rollBack(file: string): void {
  const db = open(file, { fileMustExist: true })
  try {
    db.pragma('schema_version')
  } finally {
    db.close()
  }
}

/** A process that only checks whether the file is held is gone by then. */
const MILLISECONDS_OF_LOOKING = 200

/** Holds the file until it is closed or the process dies; undefined where another process holds it. */
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

/** Whether a process holds the existing file by `openExclusively`. */
export function isHeld(file: string): boolean {
  return isBusy(open(file, { readonly: true, timeout: 0 }), 'schema_version')
}

/**
 * Whether another process has the file open, a database with a wal: each connection to it keeps a lock on it. If none
 * has, the wal is moved into the file on the way.
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
    // The schema of a file may not call functions that pimlet does not call there. This pragma reads nothing of the
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

/** `error` as the rest of the product knows it. Storage that is full, locked or gone is UNAVAILABLE. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (UNAVAILABLE_CODES.some((code) => error.code.startsWith(code)))
    return new PimletError('UNAVAILABLE', 'The storage is full, locked or not writable', { cause: error })
  return error
}

const DAMAGED_CODES = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_FORMAT']

/** Whether `error` says that a file is not the whole database that it should be. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && DAMAGED_CODES.some((code) => error.code.startsWith(code))
}

/** Whether `error` says that a file is no SQLite database at all. */
export function isNoDatabase(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB'
}

/** Pages that cannot be read stay so. */
const LASTING_CODES = ['SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ', 'SQLITE_IOERR_CORRUPTFS']

/** Whether `error` comes from the place of the file and may pass: no room, no rights, another process's lock. */
export function isPassing(error: unknown): boolean {
  return translateError(error) !== error && !LASTING_CODES.includes((error as { code: string }).code)
}

/** The second: for the shared memory of a wal. */
const FULL_CODES = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']

/** Whether `error` says that there is no room. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Database.SqliteError && FULL_CODES.includes(error.code)
}

/** Whether `error` says that a UNIQUE or PRIMARY KEY constraint does not hold. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
  )
}
