// Asks SQLite about the write-ahead log of a database: of the records, or of the search index.
import { statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Connection, isPassing } from '../connection.ts'

/** Milliseconds after which earlier readers have ended, except for long ones. */
const RESTART_TIMEOUT = 10
const USUAL_TIMEOUT = 5000

/**
 * Returns the used bytes of the wal, and the number of them that the database does not contain. The wal's file may be
 * larger.
 */
export function sizeOfWal(db: Connection): { used: number; unmoved: number } {
  const [{ log, checkpointed }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }]
  const pageSize = db.pragma('page_size', { simple: true }) as number
  return { used: Math.max(0, log) * pageSize, unmoved: Math.max(0, log - checkpointed) * pageSize }
}

/** Moves the pages that no reader holds back into the database; writers and readers continue meanwhile. */
export function moveWal(db: Connection): void {
  db.pragma('wal_checkpoint(PASSIVE)')
}

/**
 * Returns whether the disk has room for the database after all of its wal is moved. Without this room, the move would
 * take the rest of the disk, and free nothing.
 */
export function hasRoomToMoveWal(db: Connection): boolean {
  const pages = db.pragma('page_count', { simple: true }) as number
  const pageSize = db.pragma('page_size', { simple: true }) as number
  const { bavail, bsize } = statfsSync(path.dirname(db.name))
  return pages * pageSize - statSync(db.name).size <= bavail * bsize
}

/**
 * Moves the whole wal, which then starts again from its beginning. A reader with an old snapshot may prevent this.
 * @param shrink true: the wal's file becomes empty; false: its room is for later commits
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
 * Makes the first commit to a restarted wal, without any change. SQLite syncs the wal's header in this commit, so the
 * caller waits for the disk, not the next writer.
 */
export function beginWal(db: Connection): void {
  db.pragma(`user_version = ${db.pragma('user_version', { simple: true }) as number}`)
}

/**
 * Moves all of the wal and empties it, before a database is closed. On a full disk, commits stay in the wal, and the
 * next start reads them. @returns the error that prevented it
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
