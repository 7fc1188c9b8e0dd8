// A backup is a database file: a copy of the workspace's database at one moment. Further tables contain the other facts
// that belong to the backup. The copy is made page by page from a snapshot, so that writers never wait.
import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import type { BackupFacts, RowCounts } from '../../maintenance-port.ts'
import { type Connection, isNoDatabase, openAlone, openReader, openStranger } from '../connection.ts'
import { assertNotNewer, assertWorkspace, versionOf } from '../migrate.ts'
import { findForeignObjects } from './foreign-objects.ts'
import { countRows, findDamage, findForeignKeyFaults } from '../integrity.ts'
import { own } from '../../../kernel/own.ts'

/** `PIMB`: marks a backup; a workspace's own database has another mark. */
const APPLICATION_ID = 0x50494d42
const FORMAT = 1

/** The number of pages that are copied at a time: the server's commits share the disk, and must not wait long. */
const PAGES = 512
/** Milliseconds between two such copies. */
const PAUSE = 2

const TABLES = `
  CREATE TABLE backup_fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE backup_key (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT, WITHOUT ROWID;`
/** Objects that a message names. */
const NAMED = 5
const DROP_TABLES = 'DROP TABLE IF EXISTS backup_fact; DROP TABLE IF EXISTS backup_key;'

/** The file is no backup, or a damaged one; the message is for the operator who restores it. */
export class UnusableBackup extends Error {
  override readonly name = 'UnusableBackup'
}

/**
 * Copies the committed state of `source` into the existing file `target`.
 * @param onCopied called with the number of bytes copied so far, and the number of all bytes
 * @returns rows of every table of the snapshot
 * @throws DatabaseVersionError if the source is no workspace
 */
export async function copySnapshot(
  source: string,
  target: string,
  onCopied: (bytes: number, total: number) => void,
): Promise<RowCounts> {
  const db = openReader(source)
  const file = openSync(target, 'r+')
  const pageSize = db.pragma('page_size', { simple: true }) as number
  try {
    // In a transaction, the copy uses one snapshot; otherwise it would restart with each commit.
    db.exec('BEGIN')
    assertWorkspace(db)
    const { backup_fact: _facts, backup_key: _keys, ...counts } = countRows(db)
    await db.backup(target, {
      progress({ totalPages, remainingPages }) {
        onCopied((totalPages - remainingPages) * pageSize, totalPages * pageSize)
        fdatasyncSync(file)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
        return PAGES
      },
    })
    return counts
  } finally {
    closeSync(file)
    db.close()
  }
}

/** Turns a copied database into the backup. */
export function addFacts(file: string, { createdAt, madeBy, counts, keys }: BackupFacts): void {
  const db = openAlone(file)
  try {
    db.transaction(() => {
      db.exec(DROP_TABLES + TABLES)
      const addFact = db.prepare('INSERT INTO backup_fact (name, value) VALUES (?, ?)')
      const facts = { format: String(FORMAT), createdAt, madeBy, counts: JSON.stringify(counts) }
      for (const [name, value] of Object.entries(facts)) addFact.run(name, value)
      const addKey = db.prepare('INSERT INTO backup_key (name, content) VALUES (?, ?)')
      for (const [name, content] of keys) addKey.run(name, content)
      db.pragma(`application_id = ${APPLICATION_ID}`)
    })()
  } finally {
    db.close()
  }
}

/**
 * Reads the backup, and checks that it is complete. The file may be hostile: nothing in it runs before its schema is
 * known to be pimlet's own.
 * @throws UnusableBackup, DatabaseVersionError for a backup of a newer pimlet
 */
export function readBackup(file: string): BackupFacts {
  const db = openBackup(file)
  try {
    assertNotNewer(versionOf(db))
    assertOwnSchema(db)
    const facts = readFacts(db)
    assertWhole(db, facts.counts)
    return facts
  } finally {
    db.close()
  }
}

/** @throws UnusableBackup */
function openBackup(file: string): Connection {
  const isNone = 'it is not a backup that pimlet made: name a file that pimlet backup has written'
  let db: Connection | undefined
  try {
    db = openStranger(file)
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw new UnusableBackup(isNone)
    return db
  } catch (error) {
    db?.close()
    throw isNoDatabase(error) ? new UnusableBackup(isNone, { cause: error }) : error
  }
}

function assertOwnSchema(db: Connection): void {
  const foreign = findForeignObjects(db, TABLES).map(({ description }) => description)
  if (foreign.length === 0) return
  const more = foreign.length > NAMED ? ` and ${foreign.length - NAMED} more` : ''
  throw new UnusableBackup(`it holds what pimlet does not make: ${foreign.slice(0, NAMED).join(', ')}${more}`)
}

function readFacts(db: Connection): BackupFacts {
  const rows = db.prepare<[], { name: string; value: string }>('SELECT name, value FROM backup_fact').all()
  const facts = new Map(rows.map(({ name, value }) => [name, value]))
  const keys = db.prepare<[], { name: string; content: Buffer }>('SELECT name, content FROM backup_key').all()
  if (Number(facts.get('format')) !== FORMAT) throw new UnusableBackup('a newer pimlet made it')
  return {
    createdAt: facts.get('createdAt') ?? '',
    madeBy: facts.get('madeBy') ?? '',
    counts: JSON.parse(facts.get('counts') ?? '{}') as RowCounts,
    keys: new Map(keys.map(({ name, content }) => [name, content])),
  }
}

function assertWhole(db: Connection, counts: RowCounts): void {
  const [damage] = findDamage(db)
  if (damage !== undefined) throw new UnusableBackup(`it is damaged (${damage})`)
  const [fault] = findForeignKeyFaults(db)
  if (fault !== undefined) throw new UnusableBackup(`rows in it refer to rows that are missing (${fault})`)
  const found = countRows(db)
  const wrong = Object.keys(counts).find((table) => own(found, table) !== counts[table])
  if (wrong !== undefined)
    throw new UnusableBackup(`it holds ${own(found, wrong) ?? 'no'} of ${counts[wrong]} rows of the table ${wrong}`)
}

/** Turns a copy of a backup into a workspace database, without any trace of the keys. */
export function removeFacts(file: string): void {
  const db = openAlone(file)
  try {
    db.transaction(() => {
      db.exec(DROP_TABLES)
      // A search index from before the restore becomes unusable.
      db.exec("UPDATE counter SET value = abs(random() % 2147483647) WHERE name = 'workspace'")
      db.pragma('application_id = 0')
    })()
  } finally {
    db.close()
  }
}
