// The search index of the PostgreSQL store: when it knows of what is written, and what ends a search that waits for the database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import { Connection } from '../../src/postgres/connection.ts'
import type { PostgresLocation } from '../../src/postgres/location.ts'
import { maintainPostgres } from '../../src/postgres/maintenance/maintenance.ts'
import { Indexer } from '../../src/postgres/search-index/indexer.ts'
import { beginRenewal } from '../../src/postgres/search-index/renewal.ts'
import { readKey, writeKey } from '../../src/postgres/search-index/stored-keys.ts'
import type { Store, StoreLocation, Transaction } from '../../src/store/port.ts'
import { attribute } from '../helpers/domain-model.ts'
import { hasCode, openWithModel } from '../store/contract/backend.ts'
import { insertRecord, recordOf } from '../store/contract/fixtures.ts'
import { postgresBackend } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const schema = {
  id: 'sch-a',
  name: 'A',
  workflowId: DEFAULT_WORKFLOW.id,
  combinations: null,
  createdAt: '',
  updatedAt: '',
}

async function insertModel(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  await tx.schemas.insert({ ...schema, attributes: [attribute('name')] })
}

const named = (id: string, name: string) =>
  recordOf(id, { valuesJson: JSON.stringify({ name: [{ scope: {}, value: name }] }) })

async function connectTo(location: StoreLocation): Promise<Connection> {
  return Connection.open({ url: (location as StoreLocation & { url: string }).url })
}

const search = (store: Store, text: string, signal: AbortSignal) =>
  store.read
    .search({ find: { kind: 'text', text }, role: BUILT_IN_ROLES[0]!, offset: 0, limit: 10 }, signal)
    .then(async ({ batches }) => (await Array.fromAsync(batches)).flat().map(({ id }) => id))

describe('PostgreSQL: the search index', { skip: withoutPostgres() }, () => {
  it('has new records when they are committed, and whatever else changes soon after', async (test) => {
    const { store, whenSettled } = await openWithModel(postgresBackend, test, insertModel)
    const database = await connectTo(store.location)
    test.after(() => database.close())
    const count = async (table: string) =>
      (await database.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n
    await store.transaction((tx) => insertRecord(tx, named('ent-1', 'one')))
    assert.equal(await count('index_pending'), 1, 'nobody knows the attribute yet')
    await whenSettled()
    // The answer of the index thread and what is learned from it come one after another.
    for (let n = 2; (await count('index_pending')) > 0 || n === 2; n += 1) {
      await whenSettled()
      await store.transaction((tx) => insertRecord(tx, named(`ent-${n}`, 'more')))
    }
    const before = await count('record_cells')
    await Promise.all(
      ['x', 'y', 'z'].map((id) => store.transaction((tx) => insertRecord(tx, named(`ent-${id}`, `new ${id}`)))),
    )
    assert.equal(await count('record_cells'), before + 3)
    assert.equal(await count('index_pending'), 0)
    await store.transaction(async (tx) => {
      const stored = (await tx.records.get('ent-x'))!
      await tx.records.update(stored, { ...stored, ...named('ent-x', 'changed'), version: tx.newVersion() })
    })
    assert.deepEqual(await search(store, 'new ', AbortSignal.timeout(20_000)), ['ent-y', 'ent-z'])
    await whenSettled()
    assert.equal(await count('index_pending'), 0)
    assert.deepEqual(await search(store, 'new ', AbortSignal.timeout(20_000)), ['ent-y', 'ent-z'])
    assert.deepEqual(await search(store, 'changed', AbortSignal.timeout(20_000)), ['ent-x'])
  })

  it('that is rebuilt keeps what is written with new records meanwhile, and finds the others again', async (test) => {
    const { store, whenSettled } = await openWithModel(postgresBackend, test, insertModel)
    const database = await connectTo(store.location)
    test.after(() => database.close())
    const cells = async () => (await database.rows<{ n: number }>('SELECT count(*) AS n FROM record_cells'))[0]!.n
    let known = 0
    // From when on the store knows the numbers of attributes, records are indexed with their commit.
    for (let n = 1; known === (await cells()); n += 1) {
      await store.transaction((tx) => insertRecord(tx, named(`ent-${n}`, 'old')))
      await whenSettled()
      known = await cells()
      await store.transaction((tx) => insertRecord(tx, named(`ent-${n}-more`, 'old')))
    }
    await whenSettled()
    const old = (await search(store, 'old', AbortSignal.timeout(20_000))).toSorted()
    await database.script('DELETE FROM record_text')
    await beginRenewal(database)
    const indexer = new Indexer(database)
    const step = async (): Promise<boolean> => {
      if ((await indexer.countPending()) === 0) return false
      await indexer.step()
      return true
    }
    await step()
    await store.transaction((tx) => insertRecord(tx, named('ent-new', 'new')))
    // The store's own index thread may take the next steps before this test does.
    const cellsOfNew = 'SELECT count(*) AS n FROM record_cells WHERE record = (SELECT n FROM record WHERE id = $1)'
    assert.equal((await database.rows<{ n: number }>(cellsOfNew, ['ent-new']))[0]!.n, 1)
    while (await step()) assert.deepEqual(await search(store, 'new', AbortSignal.timeout(20_000)), ['ent-new'])
    const inspection = await maintainPostgres(store.location as PostgresLocation).inspect()
    const faults = await Array.fromAsync((await inspection.inspectIndex()).compare())
    await inspection.close()
    assert.deepEqual(new Set(faults), new Set([undefined]))
    assert.deepEqual((await search(store, 'old', AbortSignal.timeout(20_000))).toSorted(), old)
  })

  it('keeps the order of keys and what they begin with, whatever characters they have', () => {
    const unit = fc.constantFrom('\0', '\u0001', '\u0002', '\u0003', '\ufdd0', 'a', 'b', '0', 'd', 'é', '😀')
    const key = fc.string({ unit, maxLength: 5 })
    fc.assert(
      fc.property(key, key, (one, other) => {
        assert.equal(readKey(writeKey(one)), one)
        assert.equal(writeKey(one + other).startsWith(writeKey(one)), true)
        assert.equal(writeKey(one) === writeKey(other), one === other)
      }),
    )
    const digest = Buffer.from('00ff', 'hex')
    assert.deepEqual(readKey(writeKey(digest)), digest)
  })

  it('of a search that waits for the database nothing is left when it is given up, or takes longer than it may', async (test) => {
    const { store, whenSettled } = await openWithModel(postgresBackend, test, insertModel)
    await store.transaction((tx) => insertRecord(tx, named('ent-1', 'here')))
    await whenSettled()
    const database = await connectTo(store.location)
    // Within a transaction the same would be seen again and again.
    const watcher = await connectTo(store.location)
    test.after(() => Promise.all([database.close(), watcher.close()]))
    await database.script('BEGIN; LOCK TABLE record_text')
    const waiting = async () => {
      const sql = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM record_text%'`
      return (await watcher.rows<{ n: number }>(sql))[0]!.n
    }
    const controller = new AbortController()
    const given = search(store, 'here', controller.signal)
    given.catch(() => undefined)
    while ((await waiting()) === 0) await sleep(5)
    controller.abort(new Error('gone'))
    await assert.rejects(given, /gone/)
    while ((await waiting()) > 0) await sleep(5)
    await database.script('ROLLBACK')
    assert.deepEqual(await search(store, 'here', AbortSignal.timeout(20_000)), ['ent-1'])
    const hasty = await postgresBackend.open(test, { queryTimeout: 300 })
    await hasty.store.transaction(insertModel)
    const its = await connectTo(hasty.store.location)
    test.after(() => its.close())
    await its.script('BEGIN; LOCK TABLE record_text')
    await assert.rejects(search(hasty.store, 'here', AbortSignal.timeout(20_000)), hasCode('UNAVAILABLE'))
    await its.script('ROLLBACK')
  })

  it('is not refused as too long for the time in which other searches hold all its connections', async (test) => {
    const { store } = await postgresBackend.open(test, { queryTimeout: 3000 })
    await store.transaction(insertModel)
    await store.transaction(async (tx) => {
      for (let n = 0; n < 500; n += 1) await insertRecord(tx, named(`ent-${n}`, `held ${'x'.repeat(5000)}`))
    })
    const query = { find: { kind: 'text', text: 'held' }, role: BUILT_IN_ROLES[0]!, offset: 0, limit: 500 } as const
    const begin = () => store.read.search({ ...query, callerId: 'usr-1' }, AbortSignal.timeout(30_000))
    const held: AsyncIterator<object[]>[] = []
    let waiting = begin()
    for (let found = await waiting; found !== undefined;) {
      const batches = found.batches[Symbol.asyncIterator]()
      // A generator that has not begun has nothing to give back.
      await batches.next()
      held.push(batches)
      waiting = begin()
      found = (await Promise.race([waiting, sleep(1000)]))!
    }
    assert.ok(held.length < 20, `${held.length} searches run`)
    await sleep(3500)
    for (const batches of held) await batches.return!()
    assert.equal((await Array.fromAsync((await waiting).batches)).flat().length, 500)
  })
})
