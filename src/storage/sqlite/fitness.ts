// Whether the database that a server is about to open is the one that it left: not lost, not damaged. Asked before
// anything is written to it.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { type Connection, isDamage, openReader } from './connection.ts'
import { findDamage } from './maintenance/soundness.ts'
import { assertNotNewer, versionOf } from './migrate.ts'

/** Bytes: a tenth of a second. Looking through more would make the start slow. */
const CHECKED_AT_START = 64 * 1024 * 1024

/** A database that is not what it was; the message goes on after its name. */
export class DatabaseUnfit extends Error {
  override readonly name = 'DatabaseUnfit'
}

/**
 * Changes nothing, not even where the wal of a server that died holds more than the database.
 * @throws DatabaseUnfit for one that is lost or damaged, DatabaseVersionError for a newer one
 */
export function assertFit(file: string, indexFile: string): void {
  const isMissing = sizeOf(file) === 0
  if (isMissing && (sizeOf(indexFile) > 0 || sizeOf(`${file}-wal`) > 0)) throw lost(indexFile)
  assertWal(file)
  if (isMissing) return
  if (!statSync(file).isFile()) throw new DatabaseUnfit('it is no file')
  // A connection that cannot write leaves the wal as it is when it is closed.
  let db: Connection | undefined
  try {
    db = openReader(file)
    assertSound(db)
    assertNotNewer(versionOf(db))
    const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
    if (isEmpty && sizeOf(indexFile) > 0) throw lost(indexFile)
  } catch (error) {
    throw isDamage(error) ? damaged((error as Error).message) : error
  } finally {
    db?.close()
  }
}

function assertSound(db: Connection): void {
  const [pages, bytes] = ['page_count', 'page_size'].map((name) => db.pragma(name, { simple: true }) as number)
  if (pages! * bytes! > CHECKED_AT_START) return
  const [damage] = findDamage(db, { isQuick: true })
  if (damage !== undefined) throw damaged(damage)
}

function damaged(how: string): DatabaseUnfit {
  return new DatabaseUnfit(`it is damaged (${how}): restore a backup`)
}

function lost(indexFile: string): DatabaseUnfit {
  return new DatabaseUnfit(
    `it is missing or empty beside ${indexFile}: restore a backup, or use an empty directory for a new workspace`,
  )
}

const WAL_HEADER_BYTES = 32
const WAL_MAGIC = 0x377f0682

/**
 * SQLite takes a wal that it cannot read for a new one. Ask where nobody has the database open.
 * @throws DatabaseUnfit where the wal of the database `file` is something else
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
  // Zeros are what a power cut leaves of a header, before anything in it was acknowledged.
  if (header.every((byte) => byte === 0) || isWalHeader(header)) return
  throw new DatabaseUnfit(
    `its write-ahead log ${wal} is damaged: restore a backup, or move it away to go on without the changes that it holds`,
  )
}

/** As https://sqlite.org/fileformat2.html#walformat has it: the last bit of the magic number says how the sums are made. */
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
