// Connections to PostgreSQL: what is stored comes back as it was, and what is refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPostgresMigrations } from '../../src/kernel/executable/assets.ts'
import { Connection } from '../../src/postgres/connection.ts'
import { assertUsable, migrate, versionOf } from '../../src/postgres/migrate.ts'
import { FORMER_CHANGE, FORMER_RECORDS, FORMER_SCHEMAS, NOTED } from '../helpers/former-references.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { hasCode } from '../store/contract/backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

describe('PostgreSQL: connections', { skip: withoutPostgres() }, () => {
  it('any text comes back as it was, and is found by itself alone', async (test) => {
    const { url } = await makeDatabase()
    const connection = await Connection.open({ url, isPipelined: true })
    test.after(() => connection.close())
    await connection.script('CREATE TABLE kept (text text COLLATE "C" PRIMARY KEY)')
    const texts = [
      '',
      'a',
      'a\0',
      '\ud800',
      '\ud801',
      '\\',
      '"',
      '{a,b}',
      'NULL',
      '\ufdd0',
      '\ufdd0\\u0000',
      'e\u0301',
      'é',
      '😀',
    ]
    await connection.run('INSERT INTO kept SELECT unnest($1::text[])', [texts])
    for (const text of texts)
      assert.deepEqual(await connection.rows('SELECT text FROM kept WHERE text = $1', [text]), [{ text }])
    await assert.rejects(connection.run('INSERT INTO kept VALUES ($1)', ['a\0']), { code: '23505' })
  })

  it('of servers that start at once on nothing one makes the tables, and newer ones are refused', async (test) => {
    const { url } = await makeDatabase()
    const connections = await Promise.all(Array.from({ length: 6 }, () => Connection.open({ url })))
    test.after(async () => void (await Promise.all(connections.map((connection) => connection.close()))))
    await Promise.all(connections.map((connection) => migrate(connection)))
    const [one] = connections
    assert.ok((await versionOf(one!)) > 0)
    await one!.run('UPDATE workspace SET schema_version = 1000')
    await assert.rejects(migrate(one!), /newer pimlet/)
  })

  it('an upgrade notes the references of all records, whatever text is in them', async (test) => {
    const { url } = await makeDatabase()
    const connection = await Connection.open({ url })
    test.after(() => connection.close())
    const migrations = readPostgresMigrations()
    await migrate(
      connection,
      migrations.filter(({ version }) => version < 8),
    )
    for (const [n, { id, document }] of FORMER_SCHEMAS.entries())
      await connection.run('INSERT INTO schema VALUES ($1, $2, $3)', [n, id, document])
    await connection.run('INSERT INTO model_change VALUES (1, $1, $2)', [FORMER_CHANGE.id, FORMER_CHANGE.document])
    for (const [n, { id, schemaId, document }] of FORMER_RECORDS.entries())
      await connection.run(`INSERT INTO record VALUES ($1, $2, $3, NULL, '', 1, '', '', '', '', $4)`, [
        n,
        id,
        schemaId,
        document,
      ])
    await migrate(
      connection,
      migrations.filter(({ version }) => version <= 8),
    )
    const sql = `SELECT concat_ws(' ', target_id, schema_id, alias, record_id, scope) AS noted FROM record_reference`
    assert.deepEqual((await connection.rows<{ noted: string }>(sql)).map(({ noted }) => noted).sort(), NOTED)
  })

  it('an upgrade makes those who made jobs and subscriptions their owners, whatever text is in them', async (test) => {
    const { url } = await makeDatabase()
    const connection = await Connection.open({ url })
    test.after(() => connection.close())
    const migrations = readPostgresMigrations()
    await migrate(
      connection,
      migrations.filter(({ version }) => version < 3),
    )
    const job = (id: string, createdBy: string) => ({ id, name: 'a\0"createdBy":"x"\\', createdBy, roleId: 'r' })
    await connection.run('INSERT INTO account VALUES (1, $1, $1, $2)', ['both', '{}'])
    for (const [n, id] of ['both', 'key'].entries())
      await connection.run('INSERT INTO api_key VALUES ($1, $2, $2, $3)', [n, id, '{}'])
    for (const [n, by] of ['key', 'both', 'gone'].entries())
      await connection.run('INSERT INTO export_job VALUES ($1, $2, $3)', [n, by, JSON.stringify(job(by, by))])
    const reason = 'the receiver said "no\\"\n'
    const state = { cursor: 1, pausedReason: reason, failingSince: null }
    const subscription = [JSON.stringify(job('sub', 'key')), JSON.stringify(state)]
    await connection.run("INSERT INTO subscription VALUES (1, 'sub', $1, $2)", subscription)
    const calm = [JSON.stringify(job('calm', 'key')), JSON.stringify({ ...state, pausedReason: null })]
    await connection.run("INSERT INTO subscription VALUES (2, 'calm', $1, $2)", calm)
    await connection.run("INSERT INTO import VALUES (1, 'imp', 'key', '', $1, '')", [JSON.stringify({ id: 'imp' })])
    const bulk = { id: 'bulk', name: 'a\0"createdBy":"x","callerKind":"x"\\', createdBy: 'key' }
    const insertJob = "INSERT INTO bulk_job VALUES (1, 'bulk', 'key', false, NULL, $1, '{}')"
    await connection.run(insertJob, [JSON.stringify({ ...bulk, callerKind: 'apiKey' })])
    const tell = "INSERT INTO event VALUES (1, 'bulk', '', $1)"
    await connection.run(tell, [JSON.stringify({ ...bulk, callerKind: 'apiKey' })])
    await migrate(connection, migrations)
    const read = async (from: string) =>
      (await connection.rows<{ text: string }>(`SELECT ${from} ORDER BY n`)).map(
        ({ text }) => JSON.parse(text) as object,
      )
    const owned = (id: string, by: string, ownerKind: string) => ({ ...job(id, by), ownerId: by, ownerKind })
    const unpaused = { pausedReason: null, resumesWithOwner: false }
    assert.deepEqual(await read('document AS text FROM export_job'), [
      { ...owned('key', 'key', 'apiKey'), ...unpaused, files: null },
      { ...owned('both', 'both', 'user'), ...unpaused, files: null },
      { ...owned('gone', 'gone', 'user'), ...unpaused, files: null },
    ])
    assert.deepEqual(await read('document AS text FROM subscription'), [
      owned('sub', 'key', 'apiKey'),
      owned('calm', 'key', 'apiKey'),
    ])
    assert.deepEqual(await read('state AS text FROM subscription'), [
      { ...state, pausedReason: { code: 'RECEIVER', message: reason } },
      { ...state, pausedReason: null },
    ])
    assert.deepEqual(await read('document AS text FROM import'), [{ id: 'imp', ownerId: 'key' }])
    const ownedByKey = [{ ...bulk, ownerKind: 'apiKey', ownerId: 'key', pausedReason: null }]
    assert.deepEqual(await read('document AS text FROM bulk_job'), ownedByKey)
    const told = await connection.rows<{ content: string }>("SELECT content FROM event WHERE kind = 'bulk'")
    assert.deepEqual(JSON.parse(told[0]!.content), ownedByKey[0])
  })

  it('settings under which what was answered for could be lost are refused, and a server that is not there is UNAVAILABLE', async (test) => {
    const { url } = await makeDatabase()
    const connection = await Connection.open({ url, settings: { synchronous_commit: 'off' } })
    test.after(() => connection.close())
    await assert.rejects(assertUsable(connection), /synchronous_commit/)
    await connection.script('SET synchronous_commit = on')
    await assertUsable(connection)
    await assert.rejects(
      Connection.open({ url: 'postgresql://pimlet@localhost/x?host=/nowhere' }),
      hasCode('UNAVAILABLE'),
    )
  })
})
