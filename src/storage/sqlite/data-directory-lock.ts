// One process at a time owns a data directory. The lock is SQLite's on an empty database, held in a transaction that
// never ends: the system lets go of it when the process dies, however it dies. The process ID beside it is for messages.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Connection, isHeld, openExclusively } from './connection.ts'

/** Empty, whoever holds it. */
export const LOCK_FILE = 'lock.db'

/** The directory is held by another process, or by this one. */
export class DataDirectoryLocked extends Error {
  override readonly name = 'DataDirectoryLocked'
  /** As far as it is known. */
  readonly processId: number | undefined

  constructor(processId: number | undefined) {
    super(`The data directory is in use${processId === undefined ? '' : ` by process ${processId}`}`)
    this.processId = processId
  }
}

/** Resolves to what lets go of it. @throws DataDirectoryLocked, or the system's error */
export function lockDataDirectory(directory: string): () => void {
  const processFile = path.join(directory, 'lock.pid')
  const connection = openExclusively(path.join(directory, LOCK_FILE))
  if (connection === undefined) throw new DataDirectoryLocked(readProcessId(processFile))
  writeFileSync(processFile, `${process.pid}\n`, { mode: 0o600 })
  return () => release(connection, processFile)
}

/** Whether somebody holds the directory now. Whoever begins to hold it at this moment does not fail for it. */
export function isDataDirectoryLocked(directory: string): boolean {
  const file = path.join(directory, LOCK_FILE)
  return existsSync(file) && isHeld(file)
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
