// Maintenance of a workspace in SQLite, as the port has it, and what its errors say.
import path from 'node:path'
import type { Backups, DirectoryMaintenance, StorageFault } from '../../maintenance-port.ts'
import { isDamage, isFullDisk } from '../connection.ts'
import { DataDirectoryLocked, isDataDirectoryLocked, lockDataDirectory } from '../data-directory-lock.ts'
import { assertWal, DatabaseDamaged } from '../integrity.ts'
import type { SqliteLocation } from '../location.ts'
import { DatabaseVersionError } from '../migrate.ts'
import { AccountFile } from './account-file.ts'
import { addFacts, copySnapshot, readBackup, removeFacts, UnusableBackup } from './backup-file.ts'
import { IndexNotComparable } from './index-comparison.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { WorkspaceReader } from './workspace-reader.ts'

export function maintainSqlite({ databaseFile }: SqliteLocation): DirectoryMaintenance {
  const directory = path.dirname(databaseFile)
  return {
    place: databaseFile,
    isServed: () => isDataDirectoryLocked(directory),
    hold: () => lockDataDirectory(directory),
    // What a process has open is whole for it.
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
