// Copying a database that others write: nobody waits, and the copy is of one moment.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Connection, openReader, openWriter } from '../../../src/store/sqlite/connection.ts'
import {
  addFacts,
  copySnapshot,
  readBackup,
  removeFacts,
  UnusableBackup,
} from '../../../src/store/sqlite/maintenance/backup-file.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

function makeDatabase(t: TestContext): { db: Connection; file: string; target: string } {
  const directory = makeTempDirectory()
  const file = path.join(directory, 'pimlet.db')
  const db = openWriter(file, { durable: true })
  t.after(() => db.close())
  migrate(db)
  const target = path.join(directory, 'copy')
  writeFileSync(target, '')
  return { db, file, target }
}

const insert = (db: Connection, id: string, size: number): unknown =>
  db.prepare('INSERT INTO catalog (id, document) VALUES (?, ?)').run(id, 'x'.repeat(size))

describe('Copying a database', () => {
  it('never makes a writer wait, and has what was committed when it began', async (t) => {
    const { db, file, target } = makeDatabase(t)
    for (let n = 0; n < 40; n += 1) insert(db, `before-${n}`, 200_000)
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.pragma('busy_timeout = 0')
    let commits = 0
    const counts = await copySnapshot(file, target, () => {
      if (commits === 50) return
      insert(db, `meanwhile-${commits}`, 10_000)
      db.exec("DELETE FROM catalog WHERE id = 'before-39'")
      commits += 1
    })
    assert.ok(commits >= 4, `${commits} commits while it copied`)
    assert.equal(counts['catalog'], 40)
    addFacts(target, { createdAt: '', madeBy: '', counts, keys: new Map() })
    assert.deepEqual(readBackup(target).counts, counts)
    const copy = openReader(target)
    const ids = copy.prepare<[], string>('SELECT id FROM catalog ORDER BY n').pluck().all()
    copy.close()
    assert.deepEqual(
      ids,
      Array.from({ length: 40 }, (_, n) => `before-${n}`),
    )
    assert.equal(db.prepare('SELECT count(*) FROM catalog').pluck().get(), 39 + commits)
  })

  it('keys come back from a backup as they were, and leave no trace in the restored database', async (t) => {
    const { db, file, target } = makeDatabase(t)
    insert(db, 'one', 10)
    const keys = new Map([['signing.key', Buffer.from('the key that nobody may find')]])
    const counts = await copySnapshot(file, target, () => undefined)
    addFacts(target, { createdAt: 'now', madeBy: '1.2.3', counts, keys })
    assert.deepEqual(readBackup(target), { createdAt: 'now', madeBy: '1.2.3', counts, keys })
    removeFacts(target)
    assert.ok(!readFileSync(target).includes('the key that nobody may find'))
    const reader = openReader(target)
    t.after(() => reader.close())
    assert.deepEqual(reader.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'backup%'").all(), [])
  })

  it('a backup of a restored backup has the new keys alone', async (t) => {
    const { db, file, target } = makeDatabase(t)
    db.exec(
      "CREATE TABLE backup_key (name TEXT PRIMARY KEY, content BLOB); INSERT INTO backup_key VALUES ('old', x'00')",
    )
    const counts = await copySnapshot(file, target, () => undefined)
    const keys = new Map([['encryption.key', Buffer.from('new')]])
    addFacts(target, { createdAt: '', madeBy: '', counts, keys })
    assert.deepEqual([...readBackup(target).keys.keys()], ['encryption.key'])
  })

  it('rows that are missing, or that refer to missing ones, make a backup unusable', async (t) => {
    const { db, file, target } = makeDatabase(t)
    insert(db, 'one', 10)
    const counts = await copySnapshot(file, target, () => undefined)
    addFacts(target, { createdAt: '', madeBy: '', counts: { ...counts, catalog: 2 }, keys: new Map() })
    assert.throws(() => readBackup(target), {
      name: 'UnusableBackup',
      message: /holds 1 of 2 rows of the table catalog/,
    })
    addFacts(target, { createdAt: '', madeBy: '', counts, keys: new Map() })
    const broken = openWriter(target, { durable: false })
    broken.pragma('foreign_keys = OFF')
    broken.exec("INSERT INTO export_leftover (job_id, name) VALUES ('gone', 'x')")
    broken.close()
    assert.throws(
      () => readBackup(target),
      (error: unknown) => error instanceof UnusableBackup && /export_leftover → export_job/.test(error.message),
    )
  })
})
