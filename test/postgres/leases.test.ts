// Leases in PostgreSQL: what a server that ends leaves behind of those that it has.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { leaseOfServer, nameOwner } from '../../src/postgres/lease-rows.ts'
import { DatabaseLeases } from '../../src/postgres/leases.ts'
import type { StoreLocation } from '../../src/store/port.ts'
import { hasCode, openWithModel } from '../store/contract/backend.ts'
import { postgresBackend } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

describe('PostgreSQL: leases of a server that ends', { skip: withoutPostgres() }, () => {
  it('are forgotten when another one starts, those of servers that live and of what they lead are not', async (test) => {
    const { store } = await openWithModel(postgresBackend, test, async () => undefined)
    const { url } = store.location as StoreLocation & { url: string }
    const connect = () => Connection.open({ url, isPipelined: true })
    const asking = await connect()
    test.after(() => asking.close())
    const gone = `INSERT INTO lease (name, holder, term, until) VALUES
      ('server ended', '', 1, '-infinity'),
      ('server long gone', 'long gone', 1, clock_timestamp() - interval '2 days'),
      ('server cut off', 'cut off', 1, clock_timestamp() - interval '1 hour'),
      ('what it led', '', 7, '-infinity')`
    await asking.run(gone, [])
    const owner = nameOwner(undefined)
    const leases = new DatabaseLeases({ connect, owner, onFault: assert.ifError })
    await leases.begin()
    test.after(() => leases.close())
    const rows = await asking.rows<{ name: string }>('SELECT name FROM lease', [])
    const names = new Set(rows.map(({ name }) => name))
    assert.deepEqual(
      ['server ended', 'server long gone', 'server cut off', 'what it led', leaseOfServer(owner)].filter((name) =>
        names.has(name),
      ),
      ['server cut off', 'what it led', leaseOfServer(owner)],
    )
  })

  it('are given up, and no connection is opened for that, whenever those who have them let go', async (test) => {
    const { store } = await openWithModel(postgresBackend, test, async () => undefined)
    const { url } = store.location as StoreLocation & { url: string }
    const opened: Promise<Connection>[] = []
    test.after(async () => {
      for (const connection of await Promise.all(opened)) await connection.close()
    })
    const connect = (): Promise<Connection> => {
      const opening = Connection.open({ url, isPipelined: true })
      opened.push(opening)
      return opening
    }
    const leases = new DatabaseLeases({ connect, owner: nameOwner(undefined), onFault: assert.ifError })
    await leases.begin()
    const [before, early, late] = await Promise.all(['before', 'early', 'late'].map((name) => leases.hold(name)))
    early!.signal.addEventListener('abort', () => early!.release())
    before!.release()
    const taking = leases.hold('under way')
    // It asks the database from then on.
    for (let step = 0; step < 5; step += 1) await Promise.resolve()
    await leases.close()
    await taking
    late!.release()
    await nextTurn()
    await assert.rejects(leases.hold('too late'), hasCode('UNAVAILABLE'))
    assert.equal(opened.length, 1)
    assert.equal((await opened[0]!).closed.aborted, true)
    const asking = await connect()
    const rows = await asking.rows<{ name: string; holder: string }>('SELECT name, holder FROM lease ORDER BY name')
    const left = rows.filter(({ name }) => ['before', 'early', 'late', 'under way'].includes(name))
    assert.deepEqual(
      left.map(({ name, holder }) => [name, holder]),
      ['before', 'early', 'late', 'under way'].map((name) => [name, '']),
    )
  })
})
