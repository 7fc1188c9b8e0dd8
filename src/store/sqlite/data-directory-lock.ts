// One process at a time owns a data directory. The lock is SQLite's lock on an empty database, held by a transaction
// that never ends: the system releases it when the process dies, however it dies. The process ID beside it is for
// messages.
//
// Somebody may delete the lock file while it is held, and the next process would create and hold a new one. So a server
// writes into the workspace's database which lock it holds. A process with another lock checks whether the database is
// open: then its server lost its lock, or, for a short time, a backup or a doctor reads it.
import { hash as digest } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasContent } from '../../kernel/machine/whole-files.ts'
import { type Connection, isHeld, isOpenElsewhere, openExclusively, openReader } from './connection.ts'

/** Stays empty. */
const LOCK_FILE = 'lock.db'

/** The directory is held by another process, or by this one. */
export class DataDirectoryLocked extends Error {
  override readonly name = 'DataDirectoryLocked'
  /** As far as it is known. */
  readonly processId: number | undefined

  /** @param isWithoutLock whether the lock's file was deleted, and the holder is known by the database that it has open */
  constructor(directory: string, processId: number | undefined, isWithoutLock = false) {
    const holder = processId === undefined ? 'another process' : `process ${processId}`
    const how = isWithoutLock ? `, which has its database open although ${LOCK_FILE} was deleted or replaced` : ''
    super(`The data directory ${directory} is in use by ${holder}${how}`)
    this.processId = processId
  }
}

/** The note of a database about its last server. */
type LockNote = readonly (readonly [name: string, value: number])[]

/**
 * Resolves to a function that releases the lock.
 * @throws DataDirectoryLocked, or the system's error
 */
export function lockDataDirectory(directory: string): () => void {
  const processFile = path.join(directory, 'lock.pid')
  const connection = openExclusively(path.join(directory, LOCK_FILE))
  if (connection === undefined) throw new DataDirectoryLocked(directory, readProcessId(processFile))
  writeFileSync(processFile, `${process.pid}\n`, { mode: 0o600 })
  return () => release(connection, processFile)
}

/**
 * Whether a process holds the directory now. A process that takes the lock at this moment does not fail because of the
 * check.
 */
export function isDataDirectoryLocked(directory: string): boolean {
  const file = path.join(directory, LOCK_FILE)
  return existsSync(file) && isHeld(file)
}

/**
 * Called with the lock held, for a database that was found to be whole. @throws DataDirectoryLocked where another
 * process has the database open all the same
 */
export function assertNobodyElse(databaseFile: string): void {
  if (!hasContent(databaseFile)) return
  const directory = path.dirname(databaseFile)
  const note = readNote(databaseFile)
  if (note.get('lock') === identifyLock(directory) || !isOpenElsewhere(databaseFile)) return
  const server = note.get('process')
  throw new DataDirectoryLocked(directory, server !== undefined && isAlive(server) ? server : undefined, true)
}

/** The note that the holder of the lock writes into the database, for `assertNobodyElse`. */
export function noteOf(databaseFile: string): LockNote {
  return [
    ['lock', identifyLock(path.dirname(databaseFile))],
    ['process', process.pid],
  ]
}

/** Identifies the lock's file, also against one that replaces it. 0: there is none. */
function identifyLock(directory: string): number {
  const facts = statSync(path.join(directory, LOCK_FILE), { bigint: true, throwIfNoEntry: false })
  if (facts === undefined) return 0
  // As many bits as SQLite and JavaScript have for a whole number.
  return Number.parseInt(digest('sha256', `${facts.dev} ${facts.ino} ${facts.birthtimeNs}`).slice(0, 13), 16)
}

function readNote(databaseFile: string): ReadonlyMap<string, number> {
  const db = openReader(databaseFile)
  try {
    const isThere = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'counter'").pluck().get() === 1
    if (!isThere) return new Map()
    const sql = "SELECT name, value FROM counter WHERE name IN ('lock', 'process')"
    return new Map(
      db
        .prepare<[], { name: string; value: number }>(sql)
        .all()
        .map((row) => [row.name, row.value]),
    )
  } finally {
    db.close()
  }
}

/** Whether there is such a process, whosever it is. */
function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function release(connection: Connection, processFile: string): void {
  rmSync(processFile, { force: true })
  connection.close()
}

function readProcessId(file: string): number | undefined {
  try {
    const id = Number(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(id) && id > 0 ? id : undefined
  } catch {
    return undefined
  }
}
