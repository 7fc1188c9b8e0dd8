// Moves workspaces from SQLite to another storage, and from another storage to SQLite.
import path from 'node:path'
import type { MovingSource, MovingTarget } from '../../moving-port.ts'
import type { MovedRow, MovedTable } from '../../moving/tables.ts'
import { type Connection, openAlone, openReader } from '../connection.ts'
import { assertNobodyElse, lockDataDirectory } from '../data-directory-lock.ts'
import { assertWal, DatabaseDamaged, findDamage, findForeignKeyFaults } from '../integrity.ts'
import type { SqliteLocation } from '../location.ts'
import { assertCurrent, migrate } from '../migrate.ts'
import { SqliteContent, SqliteRowWriter } from './content.ts'

/** @throws DataDirectoryLocked, DatabaseVersionError, DatabaseDamaged */
export function openSqliteSource({ databaseFile }: SqliteLocation): MovingSource {
  const unlock = lockDataDirectory(path.dirname(databaseFile))
  try {
    assertWal(databaseFile)
    assertNobodyElse(databaseFile)
    return new SqliteSource(databaseFile, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

class SqliteSource extends SqliteContent implements MovingSource {
  /** Undefined: the data directory contains the keys. */
  readonly keyPrint = undefined
  readonly #unlock: () => void

  constructor(databaseFile: string, unlock: () => void) {
    super(openReader(databaseFile))
    this.#unlock = unlock
    try {
      this.db.exec('BEGIN')
      assertCurrent(this.db)
    } catch (error) {
      this.db.close()
      throw error
    }
  }

  override async close(): Promise<void> {
    await super.close()
    this.#unlock()
  }
}

/** Opens a target in an existing, empty file, which is complete after `publish`. */
export function openSqliteTarget({ databaseFile }: SqliteLocation): MovingTarget {
  const db = openAlone(databaseFile)
  try {
    migrate(db)
    return new SqliteTarget(db)
  } catch (error) {
    db.close()
    throw error
  }
}

class SqliteTarget extends SqliteContent implements MovingTarget {
  readonly #writer: SqliteRowWriter

  constructor(db: Connection) {
    super(db)
    this.#writer = new SqliteRowWriter(db)
    db.exec('BEGIN')
  }

  async write(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    this.#writer.write(table, rows)
  }

  /** Publishes the workspace; the data directory contains its keys. @throws DatabaseDamaged */
  async publish(): Promise<void> {
    this.db.exec('COMMIT')
    const [fault = findForeignKeyFaults(this.db)[0]] = findDamage(this.db)
    if (fault !== undefined) throw new DatabaseDamaged(`the workspace that was made is not whole (${fault})`)
  }
}
