// Connections to PostgreSQL: what is stored comes back as it was, and what is refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Connection } from '../../../src/storage/postgres/connection.ts'
import { isUniqueViolation } from '../../../src/storage/postgres/faults.ts'
import { assertUsable, migrate, versionOf } from '../../../src/storage/postgres/migrate.ts'
import { makeDatabase } from '../../helpers/postgres.ts'
import { hasCode } from '../contract/backend.ts'

describe('PostgreSQL: connections', () => {
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
    await assert.rejects(connection.run('INSERT INTO kept VALUES ($1)', ['a\0']), isUniqueViolation)
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
