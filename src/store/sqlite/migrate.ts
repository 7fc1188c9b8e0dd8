// Upgrades the database to the version that this pimlet works with.
import { type Migration, readDatabaseSchema, readMigrations } from '../../kernel/executable/assets.ts'
import type { StoreOptions } from '../port.ts'
import { describeUpgrade, describeUpgraded } from '../upgrade.ts'
import type { Connection } from './connection.ts'

/** The database cannot be used as it is; the message is for the operator who starts the server. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError'
}

/**
 * Makes the tables of an empty database, or upgrades older tables, in one transaction. @throws DatabaseVersionError for
 * a newer database
 */
export function migrate(
  db: Connection,
  migrations: readonly Migration[] = readMigrations(),
  onUpgrade?: StoreOptions['onUpgrade'],
): void {
  const newest = newestVersion(migrations)
  const found = versionOf(db)
  if (found === newest) return
  assertNotNewer(found, newest)
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  if (!isEmpty) assertWorkspace(db)
  const begin = performance.now()
  if (!isEmpty) onUpgrade?.(describeUpgrade(found, newest))
  db.transaction(() => {
    if (isEmpty) db.exec(readDatabaseSchema())
    else for (const migration of migrations) if (migration.version > found) db.exec(migration.sql)
    db.pragma(`user_version = ${newest}`)
  }).immediate()
  if (!isEmpty) onUpgrade?.(describeUpgraded(begin))
}

export function versionOf(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** The version that this pimlet works with. */
export function newestVersion(migrations: readonly Migration[] = readMigrations()): number {
  return migrations.at(-1)?.version ?? 1
}

/** @throws DatabaseVersionError */
export function assertNotNewer(found: number, newest: number = newestVersion()): void {
  if (found > newest)
    throw new DatabaseVersionError(
      `The database was written by a newer pimlet (version ${found}; this one knows up to ${newest}). Use that pimlet or restore a backup.`,
    )
}

/** For programs that use the tables and do not upgrade them. @throws DatabaseVersionError */
export function assertCurrent(db: Connection): void {
  assertWorkspace(db)
  assertNotNewer(versionOf(db))
  if (versionOf(db) < newestVersion())
    throw new DatabaseVersionError('The database has an older format: start a server on it once to upgrade it')
}

/** @throws DatabaseVersionError */
export function assertWorkspace(db: Connection): void {
  if (versionOf(db) === 0) throw new DatabaseVersionError('The database file holds something that is not pimlet’s')
}
