// A store behind pgbouncer, which lends a process of the database for each transaction, to whoever begins one next.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { Connection } from '../../src/postgres/connection.ts'
import { isCancelled } from '../../src/postgres/postgres-errors.ts'
import type { SearchQuery } from '../../src/store/search-port.ts'
import { startPgbouncer, withoutPgbouncer } from '../helpers/pgbouncer.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { insertModel, insertRecords } from '../store/contract/fixtures.ts'
import { openStore } from './backend.ts'

const SIZE = 3
/** What servers set for themselves. */
const OWN = [
  'lock_timeout',
  'statement_timeout',
  'default_transaction_read_only',
  'plan_cache_mode',
  'tcp_user_timeout',
]
const ALL: SearchQuery = { find: { kind: 'text', text: 'a' }, role: BUILT_IN_ROLES[0]!, offset: 0, limit: null }

describe('PostgreSQL behind pgbouncer', { skip: withoutPgbouncer }, () => {
  it('a store writes, reads and searches, and leaves nothing of its own in what others are lent', async (test) => {
    const { url } = await makeDatabase()
    const pooled = await startPgbouncer(url, { after: (work) => test.after(work) }, { size: SIZE })
    const stores = await Promise.all([openStore(pooled.url), openStore(pooled.url)])
    await stores[0].transaction(insertModel)
    await Promise.all(
      stores.map(async (store, which) => {
        const ids = Array.from({ length: 40 }, (_, n) => `ent-${which}-${n}`)
        await Promise.all(ids.map((id) => insertRecords(store, [id])))
        await store.whenIndexed()
        await store.snapshot((reads) => reads.records.count({}))
        await Promise.all(ids.map(async (id) => assert.equal((await store.read.records.get(id))?.id, id)))
        await store.read.search(ALL, AbortSignal.timeout(20_000)).then(({ batches }) => Array.fromAsync(batches))
      }),
    )
    await Promise.all(stores.map(async (store) => assert.equal(await store.read.records.count({}), 80)))
    await Promise.all(stores.map((store) => store.close()))
    const guests = await Promise.all(Array.from({ length: SIZE }, () => Connection.open({ url: pooled.url })))
    test.after(async () => void (await Promise.all(guests.map((guest) => guest.close()))))
    await Promise.all(guests.map((guest) => guest.begin()))
    assert.equal(new Set(guests.map(({ processId }) => processId)).size, SIZE)
    for (const guest of guests) {
      const sql = `SELECT name FROM pg_settings WHERE source = 'session' AND name = ANY ($1)
        UNION ALL SELECT name FROM pg_prepared_statements`
      assert.deepEqual(await guest.rows(sql, [OWN]), [])
    }
  })

  it('settings hold in transactions, and what these wait for is ended from elsewhere', async (test) => {
    const { url } = await makeDatabase()
    const pooled = await startPgbouncer(url, { after: (work) => test.after(work) })
    const connection = await Connection.open({ url: pooled.url, isPipelined: true, settings: { lock_timeout: '7s' } })
    const other = await Connection.open({ url: pooled.url })
    test.after(async () => void (await Promise.all([connection.close(), other.close()])))
    const present = async (): Promise<string> =>
      (await connection.rows<{ value: string }>(`SELECT current_setting('lock_timeout') AS value`))[0]!.value
    assert.deepEqual([await present(), connection.processId], ['0', undefined])
    await connection.begin()
    assert.equal(await present(), '7s')
    const asleep = assert.rejects(connection.run('SELECT pg_sleep(600)'), isCancelled)
    await other.run('SELECT pg_cancel_backend($1)', [connection.processId])
    await asleep
    await connection.script('ROLLBACK')
    assert.deepEqual([await present(), connection.processId], ['0', undefined])
  })

  it('is refused at the start where it lends a process for no more than a statement', async (test) => {
    const { url } = await makeDatabase()
    const pooled = await startPgbouncer(url, { after: (work) => test.after(work) }, { mode: 'statement' })
    await assert.rejects(openStore(pooled.url), /pool_mode/)
  })
})
