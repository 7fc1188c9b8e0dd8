// Upgrades the database to the version that this pimlet works with.
import { PimletError } from '../kernel/errors.ts'
import { type Migration, readPostgresMigrations } from '../kernel/executable/assets.ts'
import type { StoreOptions } from '../store/port.ts'
import { describeUpgrade, describeUpgraded } from '../store/upgrade.ts'
import type { Connection } from './connection.ts'
import { isWithoutTransactions } from './postgres-errors.ts'
import { DatabaseUnusable } from './maintenance/database-faults.ts'

const OLDEST_SERVER = 15
/** Databases that use the protocol of PostgreSQL, but guarantee less than they claim. */
const RELATIVES = /CockroachDB|Yugabyte|-YB-/i
/** Key of a lock for making tables: if several servers start at once, one of them makes the tables. */
const LOCK = 7_405_226_113

/** @throws DatabaseUnusable for a server or settings that could lose an acknowledged write */
export async function assertUsable(connection: Connection): Promise<void> {
  await assertTransactions(connection)
  const [found] = await connection.rows<{ version: string; number: string; commit: string; encoding: string }>(
    `SELECT version(), current_setting('server_version_num') AS number, current_setting('synchronous_commit') AS commit,
       current_setting('server_encoding') AS encoding`,
  )
  const { version, number, commit, encoding } = found!
  if (RELATIVES.test(version)) throw new DatabaseUnusable(`pimlet does not work with ${version.split(' on ')[0]}`)
  if (Number(number) < OLDEST_SERVER * 10_000)
    throw new DatabaseUnusable(
      `The database is ${version.split(' (')[0]}: at least PostgreSQL ${OLDEST_SERVER} is needed`,
    )
  if (commit === 'off')
    throw new DatabaseUnusable('The database has synchronous_commit = off: what was answered for could be lost')
  if (encoding !== 'UTF8') throw new DatabaseUnusable(`The database has the encoding ${encoding}: UTF8 is needed`)
}

async function assertTransactions(connection: Connection): Promise<void> {
  try {
    await connection.begin()
    await connection.commit()
  } catch (error) {
    if (!isWithoutTransactions(error)) throw error
    throw new DatabaseUnusable('The pooler before the database has pool_mode = statement: set it to transaction')
  }
}

/** Describes settings that make a workspace work badly: one sentence each. */
export async function findWeakSettings(connection: Connection): Promise<string[]> {
  const [found] = await connection.rows<{ trigrams: number; collate: string }>(
    `SELECT cardinality(show_trgm('ж手')) AS trigrams, datctype AS collate FROM pg_database WHERE datname = current_database()`,
  )
  if (found!.trigrams > 0) return []
  return [
    `Its locale ${found!.collate} knows no letters beyond ASCII: searches for them look through all texts. Make the database with LC_CTYPE C.UTF-8`,
  ]
}

/** Makes the tables of an empty schema, or upgrades older tables. @throws DatabaseUnusable for newer tables */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[] = readPostgresMigrations(),
  onUpgrade?: StoreOptions['onUpgrade'],
): Promise<void> {
  const newest = newestVersion(migrations)
  const found = await versionOf(connection)
  if (found === newest) return
  const begin = performance.now()
  if (found > 0 && found < newest) onUpgrade?.(describeUpgrade(found, newest))
  await connection.begin()
  try {
    await bringUpToDate(connection, migrations)
    await connection.commit()
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
  if (found > 0) onUpgrade?.(describeUpgraded(begin))
}

/** Upgrades within the caller's transaction, and excludes every other such transaction. @throws DatabaseUnusable */
export async function bringUpToDate(
  connection: Connection,
  migrations: readonly Migration[] = readPostgresMigrations(),
): Promise<void> {
  const newest = newestVersion(migrations)
  // The lock is for this schema alone: other schemas may have workspaces, too.
  await connection.rows('SELECT pg_advisory_xact_lock($1::bigint + hashtext(current_schema()))', [LOCK])
  const found = await versionOf(connection)
  assertNotNewer(found, newest)
  if (found > 0) await connection.rows('SELECT 1 FROM workspace FOR UPDATE')
  for (const { version, sql } of migrations) if (version > found) await connection.script(sql)
  await connection.run('UPDATE workspace SET schema_version = $1', [newest])
}

/** Returns the version of the tables; 0: the schema has no workspace. */
export async function versionOf(connection: Connection): Promise<number> {
  const [there] = await connection.rows<{ exists: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'workspace') AS exists`,
  )
  if (!there!.exists) return 0
  const [row] = await connection.rows<{ version: number }>('SELECT schema_version AS version FROM workspace')
  return row?.version ?? 0
}

/** The version that this pimlet works with. */
export function newestVersion(migrations: readonly Migration[] = readPostgresMigrations()): number {
  return migrations.at(-1)!.version
}

let known: number | undefined

/**
 * For writers that have locked the workspace row. @throws UNAVAILABLE if a newer pimlet has upgraded the database since
 * this server started
 */
export function assertWritable({ schemaVersion }: { readonly schemaVersion: number }): void {
  known ??= newestVersion()
  if (schemaVersion > known)
    throw new PimletError('UNAVAILABLE', 'The database belongs to a newer pimlet by now: this server only reads')
}

/** @throws DatabaseUnusable */
export function assertNotNewer(found: number, newest: number = newestVersion()): void {
  if (found > newest)
    throw new DatabaseUnusable(
      `The database was written by a newer pimlet (version ${found}; this one knows up to ${newest}). Use that pimlet or restore a backup.`,
    )
}
