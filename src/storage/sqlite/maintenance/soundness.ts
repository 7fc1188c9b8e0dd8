// Whether a database file is what it should be, as far as SQLite itself can tell.
import type { RowCounts } from '../../maintenance-port.ts'
import { type Connection, isDamage, openReader } from '../connection.ts'

/** Faults that are named; more of them say no more. */
const NAMED_FAULTS = 10

/** What is wrong with the file, in SQLite's words; nothing where it is sound. Quick: indexes are not compared with their tables. */
export function findDamage(db: Connection, { schema = 'main', isQuick = false } = {}): string[] {
  const pragma = isQuick ? 'quick_check' : 'integrity_check'
  try {
    const rows = db.pragma(`${schema}.${pragma}(${NAMED_FAULTS})`) as Record<string, string>[]
    const faults = rows.map((row) => row[pragma]!.replaceAll(/\s*\n\s*/g, ' '))
    return faults.length === 1 && faults[0] === 'ok' ? [] : faults
  } catch (error) {
    if (isDamage(error)) return [(error as Error).message]
    throw error
  }
}

/** The same of a file that is opened for it. Quickly. */
export function findDamageIn(file: string): string[] {
  try {
    const db = openReader(file)
    try {
      return findDamage(db, { isQuick: true })
    } finally {
      db.close()
    }
  } catch (error) {
    if (isDamage(error)) return [(error as Error).message]
    throw error
  }
}

/** Rows that refer to a row that does not exist, as `table → table`. */
export function findForeignKeyFaults(db: Connection): string[] {
  const rows = db.pragma('main.foreign_key_check') as { table: string; parent: string }[]
  return rows.map(({ table, parent }) => `${table} → ${parent}`)
}

/** Rows of every table. */
export function countRows(db: Connection): RowCounts {
  const names = db
    .prepare<[], string>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all()
  const count = (name: string): number => db.prepare<[], number>(`SELECT count(*) FROM main."${name}"`).pluck().get()!
  return Object.fromEntries(names.map((name) => [name, count(name)]))
}
