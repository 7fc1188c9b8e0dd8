// Questions to SQLite about the write-ahead log of a connection's database: the log of the records and of the search
// index.
import { statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Connection, isPassing } from '../connection.ts'

/** Milliseconds: earlier readers have ended by then, except for long ones. */
const RESTART_TIMEOUT = 10
const USUAL_TIMEOUT = 5000

/** Bytes of the wal that are in use, and how many of them the database has not yet. Its file may be larger. */
export function sizeOfWal(db: Connection): { used: number; unmoved: number } {
  const [{ log, checkpointed }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }]
  const pageSize = db.pragma('page_size', { simple: true }) as number
  return { used: Math.max(0, log) * pageSize, unmoved: Math.max(0, log - checkpointed) * pageSize }
}

/** Moves the pages that no reader holds back into the database; writers and readers go on meanwhile. */
export function moveWal(db: Connection): void {
  db.pragma('wal_checkpoint(PASSIVE)')
}

/**
 * Whether the disk has room for the growth of the database when all of its wal is moved. Without it, the move would
 * take the room that is left, and give none back.
 */
export function hasRoomToMoveWal(db: Connection): boolean {
  const pages = db.pragma('page_count', { simple: true }) as number
  const pageSize = db.pragma('page_size', { simple: true }) as number
  const { bavail, bsize } = statfsSync(path.dirname(db.name))
  return pages * pageSize - statSync(db.name).size <= bavail * bsize
}

/**
 * Moves the whole wal, and lets it start again from its beginning. A reader with an old snapshot may prevent that this
 * time. `shrink`: the room of the wal is given back, else it is kept for later commits.
 * @returns whether the wal starts again
 */
export function restartWal(db: Connection, { shrink = false } = {}): boolean {
  try {
    db.pragma(`busy_timeout = ${RESTART_TIMEOUT}`)
    const [{ busy }] = db.pragma(`wal_checkpoint(${shrink ? 'TRUNCATE' : 'RESTART'})`) as [{ busy: number }]
    return busy === 0
  } finally {
    db.pragma(`busy_timeout = ${USUAL_TIMEOUT}`)
  }
}

/**
 * The first commit to a wal that starts again: SQLite syncs the wal's header in it, and it is the caller who waits for the
 * disk, not the next writer. Changes nothing.
 */
export function beginWal(db: Connection): void {
  db.pragma(`user_version = ${db.pragma('user_version', { simple: true }) as number}`)
}

/**
 * Called before a database is closed: moves all of its wal, and gives its room back. On a full disk, commits stay in
 * the wal, and the next start reads them. @returns the error in the way
 */
export function emptyWal(db: Connection): Error | undefined {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
    return undefined
  } catch (error) {
    if (!isPassing(error)) throw error
    return error as Error
  }
}
