// Checks that a database is undamaged, as far as SQLite can tell. Before the first write, it also checks that the
// database is the one that the last server left.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { RowCounts } from '../maintenance-port.ts'
import { type Connection, isDamage, openReader, rollBack } from './connection.ts'
import { assertNotNewer, versionOf } from './migrate.ts'

/** Most faults that are returned. */
const NAMED_FAULTS = 10

/**
 * Returns the faults of the file, in SQLite's words; none: the file is undamaged. A quick check does not compare
 * indexes with their tables.
 */
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

/** Opens the file, and returns the faults that the quick check finds. */
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

/** Counts the rows of every table. */
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

/** Bytes of the largest database whose content is checked at the start. Checking more would make the start slow. */
const CHECKED_AT_START = 64 * 1024 * 1024

/** The database is lost or damaged; the message continues after the database's name. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged'
}

/**
 * Checks the database before a server opens it. The check does not change the wal of a dead server. It only rolls back
 * the first write of a server that died before it had a wal.
 * @throws DatabaseDamaged for a lost or damaged database, DatabaseVersionError for a newer one
 */
export function assertIntact(file: string, indexFile: string): void {
  const isMissing = sizeOf(file) === 0
  if (isMissing && (sizeOf(indexFile) > 0 || sizeOf(`${file}-wal`) > 0)) throw lost(indexFile)
  assertWal(file)
  if (isMissing) return
  if (!statSync(file).isFile()) throw new DatabaseDamaged('it is not a file')
  // A read-only connection does not change the wal when it is closed.
  let db: Connection | undefined
  try {
    // A server that died just after it created the file left a journal, because it had no wal yet.
    if (sizeOf(`${file}-journal`) > 0 && sizeOf(`${file}-wal`) === 0) rollBack(file)
    db = openReader(file)
    assertUndamaged(db)
    assertNotNewer(versionOf(db))
    const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
    if (isEmpty && sizeOf(indexFile) > 0) throw lost(indexFile)
  } catch (error) {
    throw isDamage(error) ? damaged((error as Error).message) : error
  } finally {
    db?.close()
  }
}

function assertUndamaged(db: Connection): void {
  const [pages, bytes] = ['page_count', 'page_size'].map((name) => db.pragma(name, { simple: true }) as number)
  if (pages! * bytes! > CHECKED_AT_START) return
  const [damage] = findDamage(db, { isQuick: true })
  if (damage !== undefined) throw damaged(damage)
}

function damaged(how: string): DatabaseDamaged {
  return new DatabaseDamaged(`it is damaged (${how}): restore a backup`)
}

function lost(indexFile: string): DatabaseDamaged {
  return new DatabaseDamaged(
    `it is missing or empty beside ${indexFile}: restore a backup, or use an empty directory for a new workspace`,
  )
}

const WAL_HEADER_BYTES = 32
const WAL_MAGIC = 0x377f0682

/**
 * Checks the header of the wal, because SQLite treats an unreadable wal as an empty one. Call it while no process has the
 * database open.
 * @param file path of the database
 * @throws DatabaseDamaged if the wal has another header
 */
export function assertWal(file: string): void {
  const wal = `${file}-wal`
  if (sizeOf(wal) < WAL_HEADER_BYTES) return
  const header = Buffer.alloc(WAL_HEADER_BYTES)
  const handle = openSync(wal, 'r')
  try {
    readSync(handle, header, 0, WAL_HEADER_BYTES, 0)
  } finally {
    closeSync(handle)
  }
  // A power cut leaves a header of zeros, before any content was acknowledged.
  if (header.every((byte) => byte === 0) || isWalHeader(header)) return
  throw new DatabaseDamaged(
    `its write-ahead log ${wal} is damaged: restore a backup, or move it away to go on without the changes that it holds`,
  )
}

/**
 * Checks the header's checksum by https://sqlite.org/fileformat2.html#walformat. The last bit of the magic number is the
 * byte order of the checksum.
 */
function isWalHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0)
  if ((magic & ~1) >>> 0 !== WAL_MAGIC) return false
  const read = (at: number): number => ((magic & 1) === 1 ? header.readUInt32BE(at) : header.readUInt32LE(at))
  let [first, second] = [0, 0]
  for (let at = 0; at < 24; at += 8) {
    first = (first + read(at) + second) >>> 0
    second = (second + read(at + 4) + first) >>> 0
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
