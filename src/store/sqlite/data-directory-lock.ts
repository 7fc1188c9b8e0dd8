// One process at a time owns a data directory. The lock is SQLite's lock on an empty database, held by a transaction
// without end. The system releases the lock when the process dies, for any reason. The process ID beside the lock is for
// messages.
//
// If somebody deletes the lock file while it is held, the next process would make and hold a new one. So a server stores
// in the workspace's database which lock it holds. A process with another lock checks whether the database is open. Then
// its server has lost the lock, or, for a short time, a backup or a doctor reads the database.
import { hash as digest } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasContent } from '../../kernel/machine/whole-files.ts'
import { type Connection, isHeld, isOpenElsewhere, openExclusively, openReader } from './connection.ts'

/** An empty database, which carries the lock. */
const LOCK_FILE = 'lock.db'

/** Another process, or this one, holds the directory. */
export class DataDirectoryLocked extends Error {
  override readonly name = 'DataDirectoryLocked'
  /** The process that holds the directory; undefined: unknown. */
  readonly processId: number | undefined

  /** @param isWithoutLock true: the lock file was deleted, and the holder is known by its open database */
  constructor(directory: string, processId: number | undefined, isWithoutLock = false) {
    const holder = processId === undefined ? 'another process' : `process ${processId}`
    const how = isWithoutLock ? `, which has its database open although ${LOCK_FILE} was deleted or replaced` : ''
    super(`The data directory ${directory} is in use by ${holder}${how}`)
    this.processId = processId
  }
}

/** Facts that a database contains about its last server. */
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
 * Returns whether a process holds the directory now. This check makes no process fail that takes the lock at this
 * moment.
 */
export function isDataDirectoryLocked(directory: string): boolean {
  const file = path.join(directory, LOCK_FILE)
  return existsSync(file) && isHeld(file)
}

/**
 * Must be called with the lock held, for a database without damage. @throws DataDirectoryLocked if another process
 * still has the database open
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

/** Identifies the lock file, so that a replaced file is noticed. 0: the file does not exist. */
function identifyLock(directory: string): number {
  const facts = statSync(path.join(directory, LOCK_FILE), { bigint: true, throwIfNoEntry: false })
  if (facts === undefined) return 0
  // As many bits as integers have in both SQLite and JavaScript.
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

/** Returns whether a process exists, of any user. */
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
