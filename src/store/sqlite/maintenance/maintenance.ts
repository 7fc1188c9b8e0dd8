// Maintenance of a workspace in SQLite, and the messages of its errors.
import path from 'node:path'
import type { Backups, DirectoryMaintenance, StorageFault } from '../../maintenance-port.ts'
import { isDamage, isFullDisk, openReader } from '../connection.ts'
import {
  assertNobodyElse,
  DataDirectoryLocked,
  isDataDirectoryLocked,
  lockDataDirectory,
} from '../data-directory-lock.ts'
import { assertWal, DatabaseDamaged } from '../integrity.ts'
import type { SqliteLocation } from '../location.ts'
import { assertCurrent, DatabaseVersionError } from '../migrate.ts'
import { AccountFile } from './account-file.ts'
import { addFacts, copySnapshot, readBackup, removeFacts, UnusableBackup } from './backup-file.ts'
import { IndexNotComparable } from './index-comparison.ts'
import { WorkspaceReader } from './workspace-reader.ts'
import { indexFileOf } from '../search-index/follower.ts'
import { Indexer } from '../search-index/indexer.ts'

export function maintainSqlite({ databaseFile }: SqliteLocation): DirectoryMaintenance {
  const directory = path.dirname(databaseFile)
  return {
    place: databaseFile,
    isServed: () => isDataDirectoryLocked(directory),
    hold: () => lockDataDirectory(directory),
    // A file that a process has open is complete for that process.
    assertReadable: () => (isDataDirectoryLocked(directory) ? undefined : assertWal(databaseFile)),
    inspect: () => new WorkspaceReader(databaseFile),
    rebuildIndex: (onStep) => rebuildIndex(databaseFile, onStep),
    openAccounts: () => new AccountFile(databaseFile),
    copy: (target, onCopied) => copySnapshot(databaseFile, target, onCopied),
  }
}

export const sqliteBackups: Backups = { seal: addFacts, read: readBackup, unseal: removeFacts }

export function sqliteFaultOf(error: unknown): StorageFault | undefined {
  if (error instanceof DataDirectoryLocked) return 'locked'
  if (error instanceof DatabaseVersionError) return 'version'
  if (error instanceof DatabaseDamaged) return 'unfit'
  if (error instanceof UnusableBackup) return 'unusable'
  if (error instanceof IndexNotComparable) return 'incomparable'
  if (isFullDisk(error)) return 'full'
  return isDamage(error) ? 'damaged' : undefined
}

/**
 * The caller must hold the directory's lock. @param onStep receives the number of finished records and the total
 * @throws DatabaseVersionError, DatabaseDamaged, DataDirectoryLocked
 */
function rebuildIndex(databaseFile: string, onStep: (done: number, total: number) => void): void {
  assertWal(databaseFile)
  assertNobodyElse(databaseFile)
  const db = openReader(databaseFile)
  try {
    assertCurrent(db)
    // The numbers of deleted records also count, because they are few.
    const total = db.prepare<[], number>('SELECT coalesce(max(n), 0) FROM record').pluck().get()!
    const indexer = new Indexer(db, indexFileOf(databaseFile), true)
    try {
      while (indexer.step()) {
        indexer.moveWal()
        onStep(Math.min(total, (indexer.progress.rebuilds[0]?.next ?? total + 1) - 1), total)
      }
    } finally {
      indexer.close()
    }
  } finally {
    db.close()
  }
}
