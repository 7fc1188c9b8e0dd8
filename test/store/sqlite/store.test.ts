// The SQLite store keeps the storage contract, and what is its own.
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { openReader, openWriter } from '../../../src/store/sqlite/connection.ts'
import { readMigrations } from '../../../src/kernel/executable/assets.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { FORMER_CHANGE, FORMER_RECORDS, FORMER_SCHEMAS, NOTED } from '../../helpers/former-references.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { unpackFixture } from '../../upgrade/fixture.ts'
import { describeStorage } from '../contract/describe-storage.ts'
import { insertModel, insertRecord, recordOf } from '../contract/fixtures.ts'
import { openStore as open, sqliteBackend } from './backend.ts'

describeStorage(sqliteBackend)

describe('SQLite: files', () => {
  it('a durable connection commits with synchronous=FULL, in a write-ahead log, with foreign keys on', (test) => {
    const db = openWriter(path.join(makeTempDirectory(), 'a.db'), { durable: true })
    test.after(() => db.close())
    assert.equal(db.pragma('synchronous', { simple: true }), 2)
    assert.equal(db.pragma('journal_mode', { simple: true }), 'wal')
    assert.equal(db.pragma('foreign_keys', { simple: true }), 1)
  })

  it('what was committed is in the file while the store is still open: a process that dies loses nothing', async (test) => {
    const directory = makeTempDirectory()
    const store = await open(path.join(directory, 'pimlet.db'), test)
    await store.transaction(insertModel)
    await store.transaction((tx) => insertRecord(tx, recordOf('ent-1')))
    const copy = makeTempDirectory()
    cpSync(directory, copy, { recursive: true })
    const db = openReader(path.join(copy, 'pimlet.db'))
    test.after(() => db.close())
    assert.equal(db.prepare('SELECT count(*) FROM record').pluck().get(), 1)
    assert.equal(db.prepare('SELECT count(*) FROM audit').pluck().get(), 1)
  })

  it('a database of a newer version is refused and left as it is', async (test) => {
    const file = path.join(makeTempDirectory(), 'pimlet.db')
    const db = openWriter(file, { durable: true })
    migrate(db)
    db.pragma('user_version = 1000')
    db.close()
    await assert.rejects(open(file, test), /newer pimlet/)
  })

  it('a file that is no pimlet database is refused', async (test) => {
    const directory = makeTempDirectory()
    const foreign = openWriter(path.join(directory, 'foreign.db'), { durable: true })
    foreign.exec('CREATE TABLE something (a)')
    foreign.close()
    await assert.rejects(open(path.join(directory, 'foreign.db'), test), /not pimlet/)
    writeFileSync(path.join(directory, 'text.db'), 'This is not a database. '.repeat(100))
    await assert.rejects(open(path.join(directory, 'text.db'), test), /not a database/)
  })

  it('an upgrade makes those who made jobs and subscriptions their owners', (test) => {
    const directory = makeTempDirectory()
    unpackFixture('0.2.0', directory)
    const db = openWriter(path.join(directory, 'pimlet.db'), { durable: true })
    test.after(() => db.close())
    const migrations = readMigrations()
    migrate(
      db,
      migrations.filter(({ version }) => version < 9),
    )
    db.exec('DELETE FROM export_job')
    const job = (id: string, createdBy: string) => ({ id, name: 'a\0', createdBy, roleId: 'r' })
    const user = db.prepare('INSERT INTO user (id, username, document) VALUES (?, ?, ?)')
    user.run('both', 'both', '{}')
    const key = db.prepare('INSERT INTO api_key (id, hash, document) VALUES (?, ?, ?)')
    for (const id of ['both', 'key']) key.run(id, id, '{}')
    const insertJob = db.prepare('INSERT INTO export_job (id, document) VALUES (?, ?)')
    for (const by of ['key', 'both', 'gone']) insertJob.run(by, JSON.stringify(job(by, by)))
    const state = { cursor: 1, pausedReason: 'the receiver said "no\\"', failingSince: null }
    const subscribe = db.prepare('INSERT INTO subscription (id, document, state) VALUES (?, ?, ?)')
    subscribe.run('sub', JSON.stringify(job('sub', 'key')), JSON.stringify(state))
    subscribe.run('calm', JSON.stringify(job('calm', 'key')), JSON.stringify({ ...state, pausedReason: null }))
    const insertImport = db.prepare(
      'INSERT INTO import (id, created_by, expires_at, document, details) VALUES (?,?,?,?,?)',
    )
    insertImport.run('imp', 'key', '', JSON.stringify({ id: 'imp' }), '')
    const bulk = { id: 'bulk', name: 'a\0"callerKind":"', createdBy: 'key' }
    const none = Array.from({ length: 6 }, () => '0').join(', ')
    const columns = 'created_by, caller_kind, is_selected, selected, done, changed, unchanged, failed'
    db.exec('DELETE FROM bulk_job')
    db.exec(`INSERT INTO bulk_job (id, kind, status, dry_run, created_at, ${columns}, task)
      VALUES ('bulk', 'bulk', 'interrupted', 0, '', 'key', 'apiKey', ${none}, '{}')`)
    db.exec("DELETE FROM event WHERE kind = 'bulk'")
    const tell = db.prepare("INSERT INTO event (sequence, kind, timestamp, content) VALUES (9999, 'bulk', '', ?)")
    tell.run(JSON.stringify({ ...bulk, callerKind: 'apiKey', status: 'succeeded' }))
    migrate(db, migrations)
    const read = (from: string) =>
      db
        .prepare(`SELECT ${from} ORDER BY n`)
        .pluck()
        .all()
        .map((text) => JSON.parse(text as string) as object)
    const owned = (id: string, by: string, ownerKind: string) => ({ ...job(id, by), ownerId: by, ownerKind })
    const unpaused = { pausedReason: null, resumesWithOwner: false }
    assert.deepEqual(read('document FROM export_job'), [
      { ...owned('key', 'key', 'apiKey'), ...unpaused, files: null },
      { ...owned('both', 'both', 'user'), ...unpaused, files: null },
      { ...owned('gone', 'gone', 'user'), ...unpaused, files: null },
    ])
    assert.deepEqual(read('document FROM subscription'), [
      owned('sub', 'key', 'apiKey'),
      owned('calm', 'key', 'apiKey'),
    ])
    assert.deepEqual(read('state FROM subscription'), [
      { ...state, pausedReason: { code: 'RECEIVER', message: state.pausedReason } },
      { ...state, pausedReason: null },
    ])
    assert.deepEqual(read('document FROM import'), [{ id: 'imp', ownerId: 'key' }])
    const ownedByKey = { ownerId: 'key', ownerKind: 'apiKey', pausedReason: null }
    assert.equal(db.prepare('SELECT owner_id FROM bulk_job').pluck().get(), 'key')
    const [ofJob] = read('document FROM bulk_job') as [Record<string, unknown>]
    const { createdBy, ownerId, ownerKind, pausedReason } = ofJob
    assert.deepEqual({ createdBy, ownerId, ownerKind, pausedReason }, { createdBy: 'key', ...ownedByKey })
    const told = db.prepare("SELECT content FROM event WHERE kind = 'bulk'").pluck().get() as string
    assert.deepEqual(JSON.parse(told), { ...bulk, status: 'succeeded', ...ownedByKey })
  })

  it('an upgrade keeps bulk jobs, what became of their records, and deliveries', (test) => {
    const directory = makeTempDirectory()
    unpackFixture('0.2.0', directory)
    const db = openWriter(path.join(directory, 'pimlet.db'), { durable: true })
    test.after(() => db.close())
    const migrations = readMigrations()
    migrate(
      db,
      migrations.filter(({ version }) => version < 14),
    )
    const pausedReason = { code: 'OWNER', message: 'a "role"\0' }
    const jobOf = (id: string) => ({
      id,
      name: 'Ä "1"\0',
      kind: 'bulk',
      status: 'queued',
      dry_run: 1,
      created_at: '1',
      created_by: 'u',
      owner_id: 'o',
      owner_kind: 'user',
      paused_reason: id === 'a' ? JSON.stringify(pausedReason) : null,
      is_selected: 0,
      selected: 3,
      done: 2,
      changed: 1,
      unchanged: 0,
      failed: 1,
      import_id: 'imp',
      round: 1,
      position: 7,
      task: '{"kind":"undo"}',
      samples: '{"changed":1}',
    })
    const insert = (table: string, row: object): void => {
      const names = Object.keys(row)
      db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
        ...Object.values(row),
      )
    }
    for (const id of ['b', 'a']) insert('bulk_job', jobOf(id))
    const n = db.prepare<[], number>("SELECT n FROM bulk_job WHERE id = 'a'").pluck().get()!
    insert('bulk_item', { job_n: n, place: 1, record_id: 'r', is_changed: 1, arrangement: '[]' })
    insert('bulk_error', { job_n: n, place: 2, error: 'CONFLICT', message: 'm', line: 4 })
    insert('bulk_sample', { job_n: n, outcome: 'changed', place: 1, record_id: 'r', schema_id: 's', changes: '[]' })
    insert('bulk_waiting', { job_n: n, position: 5, names_id: 'x' })
    insert('subscription', { n: 70, id: 'sub', document: '{}', state: '{}' })
    insert('subscription_delivery', { n: 4, subscription_n: 70, id: 'd', document: '{"id":"d"}' })
    migrate(db, migrations)
    const read = (sql: string) => db.prepare(sql).raw().all()
    const [document] = db.prepare<[], string>("SELECT document FROM bulk_job WHERE id = 'a'").pluck().all()
    assert.deepEqual(JSON.parse(document!), {
      id: 'a',
      name: 'Ä "1"\0',
      kind: 'bulk',
      status: 'queued',
      dryRun: true,
      createdAt: '1',
      startedAt: null,
      completedAt: null,
      createdBy: 'u',
      undoes: null,
      undoneBy: null,
      isSelected: false,
      ownerId: 'o',
      ownerKind: 'user',
      pausedReason,
      firstVersion: null,
      selected: 3,
      done: 2,
      changed: 1,
      unchanged: 0,
      failed: 1,
      created: 0,
      updated: 0,
      importId: 'imp',
      round: 1,
      position: 7,
      recordsAfter: null,
    })
    assert.deepEqual(
      read(
        `SELECT id, owner_id, is_queued, completed_at, document ->> '$.pausedReason.code', task, samples
          FROM bulk_job WHERE id IN ('a', 'b') ORDER BY n`,
      ),
      [
        ['b', 'o', 1, null, null, '{"kind":"undo"}', '{"changed":1}'],
        ['a', 'o', 1, null, 'OWNER', '{"kind":"undo"}', '{"changed":1}'],
      ],
    )
    assert.deepEqual(read("SELECT * FROM bulk_item WHERE job_id = 'a'"), [['a', 1, 'r', 1, '[]']])
    assert.deepEqual(read("SELECT * FROM bulk_error WHERE job_id = 'a'"), [['a', 2, null, 'CONFLICT', 'm', 4, null]])
    assert.deepEqual(read("SELECT * FROM bulk_sample WHERE job_id = 'a'"), [
      ['a', 'changed', 1, 'r', 's', '[]', null, null, null],
    ])
    assert.deepEqual(read("SELECT * FROM bulk_waiting WHERE job_id = 'a'"), [['a', 5, 'x', null, null]])
    assert.deepEqual(read("SELECT * FROM subscription_delivery WHERE id = 'd'"), [[4, 'sub', 'd', '{"id":"d"}']])
    assert.deepEqual(db.pragma('foreign_key_check'), [])
  })

  it('an upgrade notes the references of all records', (test) => {
    const db = openWriter(path.join(makeTempDirectory(), 'pimlet.db'), { durable: true })
    test.after(() => db.close())
    migrate(db)
    // As it was before: nothing is noted.
    db.exec('DROP TABLE record_reference; PRAGMA user_version = 14')
    const schema = db.prepare('INSERT INTO schema (id, document) VALUES (?, ?)')
    for (const { id, document } of FORMER_SCHEMAS) schema.run(id, document)
    const { id: changeId, document: change } = FORMER_CHANGE
    db.prepare('INSERT INTO model_change (id, document) VALUES (?, ?)').run(changeId, change)
    const record = db.prepare(`INSERT INTO record
      (id, schema_id, state_id, version, created_at, updated_at, created_by, updated_by, "values")
      VALUES (?, ?, '', 1, '', '', '', '', ?)`)
    for (const { id, schemaId, document } of FORMER_RECORDS) record.run(id, schemaId, document)
    migrate(
      db,
      readMigrations().filter(({ version }) => version <= 15),
    )
    const noted = `SELECT concat_ws(' ', target_id, schema_id, alias, record_id, scope) FROM record_reference ORDER BY 1`
    assert.deepEqual(db.prepare(noted).pluck().all(), NOTED)
  })

  it('an upgrade leads to the same tables as a new database, to the letter', (test) => {
    const directory = makeTempDirectory()
    unpackFixture('0.2.0', directory)
    const tables = (file: string, migrations?: Parameters<typeof migrate>[1]): unknown => {
      const db = openWriter(file, { durable: true })
      test.after(() => db.close())
      migrate(db, migrations)
      return db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
    }
    const fresh = tables(path.join(directory, 'fresh.db'))
    assert.deepEqual(tables(path.join(directory, 'pimlet.db')), fresh)
    const added = [{ version: 100, sql: 'CREATE TABLE added (a TEXT) STRICT;' }]
    assert.ok(JSON.stringify(tables(path.join(directory, 'fresh.db'), added)).includes('added'))
  })
})
