// Presence in PostgreSQL: what one server puts, another finds.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Connection } from '../../src/postgres/connection.ts'
import { DatabasePresences } from '../../src/postgres/presences.ts'
import type { StoreLocation } from '../../src/store/port.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'
import { openWithModel } from '../store/contract/backend.ts'
import { postgresBackend } from './backend.ts'

describe('PostgreSQL: presence', { skip: withoutPostgres() }, () => {
  it('is known to every server, moves, ends, and is over in time', async (test) => {
    const { store } = await openWithModel(postgresBackend, test, async () => undefined)
    const { url } = store.location as StoreLocation & { url: string }
    const connection = await Connection.open({ url, isPipelined: true })
    test.after(() => connection.close())
    const [one, other] = [new DatabasePresences(async () => connection), store.presences!]
    const at = (userId: string, recordId: string, attributeAlias: string | null = null) => ({
      userId,
      recordId,
      attributeAlias,
    })
    await one.put(at('anna', 'assam', 'constructor'))
    await other.put(at('ben', 'ceylon'))
    assert.deepEqual(await other.among(['assam', 'none'], 10), [at('anna', 'assam', 'constructor')])
    await other.put(at('anna', 'ceylon'))
    assert.deepEqual(await one.among(['assam'], 10), [])
    assert.equal((await one.among(['ceylon'], 10)).length, 2)
    assert.equal((await one.among(['ceylon'], 1)).length, 1)
    await other.leave('ben')
    assert.deepEqual(await one.among(['ceylon'], 10), [at('anna', 'ceylon')])
    await connection.run(`UPDATE presence SET until = clock_timestamp()`, [])
    assert.deepEqual(await one.among(['ceylon'], 10), [])
    // A server forgets who has gone when its next person comes.
    const third = new DatabasePresences(async () => connection)
    await third.put(at('eve', 'assam'))
    assert.deepEqual(await connection.rows('SELECT user_id AS id FROM presence', []), [{ id: 'eve' }])
  })
})
