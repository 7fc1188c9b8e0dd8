// How transactions share commits: few round trips, what is run again, and what is said when an answer is lost.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { underLease } from '../../src/store/leading.ts'
import type { Transaction } from '../../src/store/port.ts'
import { postgresAt } from '../../src/postgres/location.ts'
import { IdleSearchers } from '../../src/postgres/readers/idle-searchers.ts'
import { openPostgresStore, type PostgresStore } from '../../src/postgres/store.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { openProxy } from '../helpers/postgres-proxy.ts'
import { eventually } from '../helpers/puppet.ts'
import type { Lifetime } from '../helpers/shared-in-suite.ts'
import { hasCode } from '../store/contract/backend.ts'
import { appendEntry, entryOf, insertModel, insertRecord, insertRecords, recordOf } from '../store/contract/fixtures.ts'
import { openStore } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

/** Several servers of one workspace. */
async function openServers(test: Lifetime, count: number, url?: string, threadsUrl?: string): Promise<PostgresStore[]> {
  const database = url ?? (await makeDatabase()).url
  const stores = await Promise.all(Array.from({ length: count }, () => openStore(database, { threadsUrl })))
  test.after(async () => void (await Promise.all(stores.map((store) => store.close()))))
  await stores[0]!.transaction(insertModel)
  return stores
}

async function openThroughProxy(test: Lifetime) {
  const { url } = await makeDatabase()
  const proxy = await openProxy(url, test)
  const [store] = await openServers(test, 1, proxy.url, url)
  proxy.takeRoundTrips()
  return { store: store!, proxy }
}

const sequencesOf = async (store: PostgresStore): Promise<number[]> =>
  (await store.read.audit.listAfter(0, 1000)).map(({ sequence }) => sequence)

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** As the services do it: looks at what it refers to, claims a unique value, and tells. */
async function create(tx: Transaction, id: string, references: readonly string[] = []): Promise<void> {
  await tx.model()
  await tx.records.existing(references)
  await tx.records.reserve(1000)
  await insertRecord(tx, recordOf(id))
  await tx.records.setUniqueKeys(recordOf(id), [], [{ alias: 'sku', scope: '', key: id }])
}

describe('PostgreSQL: commits', { skip: withoutPostgres() }, () => {
  it('a batch takes no more round trips than the longest chain of reads in it and two', async (test) => {
    const { store, proxy } = await openThroughProxy(test)
    const insertAll = async (name: string, references?: readonly string[]): Promise<number> => {
      proxy.takeRoundTrips()
      const ids = upTo(16).map((n) => `${name}-${n}`)
      await Promise.all(ids.map((id) => store.transaction((tx) => create(tx, id, references))))
      return proxy.takeRoundTrips()
    }
    assert.ok((await insertAll('ent')) <= 3)
    assert.ok((await insertAll('ent-with', ['ent-1'])) <= 4)
    // The server's own duties may come between: one of several records is created alone.
    const trips: number[] = []
    for (const n of upTo(4)) {
      await store.transaction((tx) => create(tx, `ent-alone-${n}`))
      trips.push(proxy.takeRoundTrips())
    }
    assert.ok(Math.min(...trips) <= 3, trips.join(' '))
    assert.equal(await store.read.records.count({}), 36)
    assert.deepEqual(await sequencesOf(store), upTo(36))
  })

  it('a long transaction that says what it reads next takes no round trip for each', async (test) => {
    const { store, proxy } = await openThroughProxy(test)
    const ids = upTo(40).map((n) => `ent-${n}`)
    await insertRecords(store, ids)
    await insertRecords(store, ['ent-warm'])
    proxy.takeRoundTrips()
    await store.longTransaction(async (tx) => {
      await tx.readAhead(() => ids, { withTrail: true })
      for (const id of ids)
        await tx.attempt(async () => {
          const before = (await tx.records.get(id))!
          const { entries } = await tx.audit.readTrail(id, { limit: 2 })
          assert.equal(entries.length, 1)
          const version = appendEntry(tx, entryOf(id, { id: `aud-${id}-2`, action: 'update' }))
          await tx.records.update(before, { ...before, version })
          await tx.bulkJobs.noteChanged('b-1', version, null)
        })
    })
    assert.ok(proxy.takeRoundTrips() <= 4)
    assert.equal((await store.read.audit.listAfter(0, 1000)).length, 81)
  })

  it('what one changes others of its batch read, in the order of their calls, whatever else is in it', async (test) => {
    const [store] = await openServers(test, 1)
    await store!.transaction((tx) => tx.catalogs.insert({ id: 'cat-1', name: '' }))
    const runs = new Map<number, number>()
    const outcomes = await Promise.allSettled(
      upTo(30).map((n) =>
        store!.transaction(async (tx) => {
          runs.set(n, (runs.get(n) ?? 0) + 1)
          await insertRecord(tx, recordOf(`ent-${n}`))
          if (n % 4 === 0) await tx.records.count({})
          const { name } = (await tx.catalogs.get('cat-1'))!
          await tx.catalogs.update({ id: 'cat-1', name: `${name} ${n}` })
          if (n % 7 === 0) throw new Error('undone')
        }),
      ),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 4)
    const done = upTo(30).filter((n) => n % 7 !== 0)
    assert.equal((await store!.read.catalogs.get('cat-1'))!.name, done.map((n) => ` ${n}`).join(''))
    assert.deepEqual(await sequencesOf(store!), upTo(done.length))
    assert.equal(await store!.read.records.count({}), done.length)
    assert.ok(
      [...runs.values()].some((count) => count > 1),
      'some were run again',
    )
  })

  it('a transaction that fails beside others leaves no gap between their numbers', async (test) => {
    const [store] = await openServers(test, 1)
    const outcomes = await Promise.allSettled(
      upTo(20).map((n) =>
        store!.transaction(async (tx) => {
          await tx.records.existing(['none'])
          await insertRecord(tx, recordOf(`ent-${n}`))
          if (n % 3 === 0) throw new Error('undone')
        }),
      ),
    )
    const made = outcomes.filter(({ status }) => status === 'fulfilled').length
    assert.equal(made, 14)
    assert.deepEqual(await sequencesOf(store!), upTo(made))
  })

  it('an answer to a commit that is lost is looked up: what was done is told as done, once', async (test) => {
    const { store, proxy } = await openThroughProxy(test)
    let runs = 0
    await store.transaction(async (tx) => {
      runs += 1
      await insertRecord(tx, recordOf('ent-1'))
      proxy.loseNextCommit()
    })
    assert.equal(runs, 1)
    assert.deepEqual(await sequencesOf(store), [1])
    await insertRecords(store, ['ent-2'])
    assert.deepEqual(await sequencesOf(store), [1, 2])
    // A last word in its place says no more than none.
    proxy.loseNextCommitTelling()
    await Promise.all([insertRecords(store, ['ent-3']), insertRecords(store, ['ent-4'])])
    assert.deepEqual(await sequencesOf(store), [1, 2, 3, 4])
  })

  it('a commit that did not arrive is UNAVAILABLE, wrote nothing, and the next one finds another connection', async (test) => {
    const { store, proxy } = await openThroughProxy(test)
    const lost = store.transaction(async (tx) => {
      await insertRecord(tx, recordOf('ent-1'))
      proxy.loseNextQuestion()
    })
    await assert.rejects(lost, hasCode('UNAVAILABLE'))
    await insertRecords(store, ['ent-1'])
    assert.deepEqual(await sequencesOf(store), [1])
    // What the index asks when it has caught up is not what shall be lost; it is asked before what comes behind it.
    await store.whenIndexed()
    await sequencesOf(store)
    proxy.loseNextQuestion()
    await insertRecords(store, ['ent-2'])
    assert.deepEqual(await sequencesOf(store), [1, 2])
  })
})

describe('PostgreSQL: several servers', { skip: withoutPostgres() }, () => {
  it('write one after another: numbers have no gaps, room is exact, and values stay unique', async (test) => {
    const servers = await openServers(test, 3)
    const outcomes = await Promise.allSettled(
      upTo(90).map((n) =>
        servers[n % 3]!.transaction(async (tx) => {
          await tx.records.reserve(50)
          await insertRecord(tx, recordOf(`ent-${n}`))
          await tx.records.setUniqueKeys(recordOf(`ent-${n}`), [], [{ alias: 'sku', scope: '', key: String(n % 60) }])
        }),
      ),
    )
    const made = outcomes.filter(({ status }) => status === 'fulfilled').length
    const codes = outcomes.map((one) => (one.status === 'rejected' ? (one.reason as { code?: string }).code : 'made'))
    assert.deepEqual(new Set(codes), new Set(['made', 'CONFLICT', 'LIMIT_EXCEEDED']))
    assert.equal(made, 50)
    for (const server of servers) assert.equal(await server.read.records.count({}), 50)
    assert.deepEqual(await sequencesOf(servers[0]!), upTo(50))
  })

  it('know of each other’s changes of the model once they are fresh, by one read for all who ask at once', async (test) => {
    const { url } = await makeDatabase()
    const [writer] = await openServers(test, 1, url)
    const proxy = await openProxy(url, test)
    const reader = await openStore(proxy.url)
    test.after(() => reader.close())
    await reader.read.model()
    for (const name of ['One', 'Two', 'Three']) {
      await writer!.transaction((tx) => tx.dimensions.insert({ id: name, name, segments: [] }))
      await Promise.all(upTo(20).map(() => reader.fresh()))
      assert.ok((await reader.read.model()).dimensions.has(name))
    }
    proxy.takeRoundTrips()
    await Promise.all(upTo(20).map(() => reader.fresh()))
    assert.equal(proxy.takeRoundTrips(), 1)
    const changed = { id: 'One', name: 'Changed', segments: [] }
    await reader.transaction((tx) => tx.dimensions.update(changed))
    await writer!.transaction(async (tx) => assert.deepEqual((await tx.model()).dimensions.get('One'), changed))
  })

  it('of two that want a lease one has it, and the other when it lets go, with a greater term', async (test) => {
    const [one, other] = await openServers(test, 2)
    const first = await one!.leases.hold('leader')
    const second = other!.leases.hold('leader')
    first.release()
    assert.ok((await second).term > first.term)
    assert.equal(first.signal.aborted, false)
  })

  it('one whose lease another has taken writes nothing under it, whether it knows or not', async (test) => {
    const [one, other] = await openServers(test, 2)
    const lease = await one!.leases.hold('leader')
    const insert = (id: string) => (tx: Transaction) => tx.dimensions.insert({ id, name: id, segments: [] })
    await underLease(one!, lease).transaction(insert('before'))
    lease.release()
    const taken = await other!.leases.hold('leader')
    await assert.rejects(underLease(one!, lease).transaction(insert('after')), { code: 'UNAVAILABLE' })
    await assert.rejects(underLease(one!, lease).longTransaction(insert('later')), { code: 'UNAVAILABLE' })
    await underLease(other!, taken).transaction(insert('now'))
    const ids = (await other!.read.dimensions.list()).map(({ id }) => id)
    const isThere = ['before', 'after', 'later', 'now'].map((id) => ids.includes(id))
    assert.deepEqual(isThere, [true, false, false, true])
  })

  it('a run of one that lives is not abandoned, and to be ended by it', async (test) => {
    const [one, other] = await openServers(test, 2)
    const { jobOf, runOf } = await import('../store/contract/fixtures.ts')
    await one!.transaction(async (tx) => {
      await tx.exportJobs.insert(jobOf('job-1'))
      await tx.exportRuns.begin(runOf('run-1', 'job-1'), 1)
    })
    assert.deepEqual(await other!.read.exportRuns.listAbandoned(), [])
    assert.equal(await other!.transaction((tx) => tx.exportRuns.requestCancel('run-1')), true)
    assert.deepEqual(await one!.transaction((tx) => tx.exportRuns.beat('2030-01-01T00:00:00.000Z')), ['run-1'])
    await one!.close()
    assert.deepEqual(
      (await other!.read.exportRuns.listAbandoned()).map(({ id }) => id),
      ['run-1'],
    )
  })
})

describe('PostgreSQL: a store that is closed', { skip: withoutPostgres() }, () => {
  it('leaves no connection, though it wrote nothing, and however many read at its first moment', async () => {
    const { url } = await makeDatabase()
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((name) => /^(Pipe|TCPSocket)Wrap$/.test(name)).length
    const before = sockets()
    const store = await openPostgresStore({ url, onNews: () => undefined, onFault: assert.fail })
    await Promise.all(upTo(8).map(() => store.ping()))
    await store.close()
    await eventually(() => sockets() <= before)
  })
})

describe('PostgreSQL: a thread of readers that ends', { skip: withoutPostgres() }, () => {
  it('leaves no connection, also of tasks that end later, and gives none to who waited', async () => {
    const { url } = await makeDatabase()
    const searchers = new IdleSearchers(postgresAt(url), 1000)
    const taken = await searchers.take('one')
    await searchers.close()
    await searchers.giveBack(taken, 'one')
    assert.equal(taken.connection.closed.aborted, true)
    await assert.rejects(searchers.take('one'), hasCode('UNAVAILABLE'))
  })
})

describe('PostgreSQL: short reads', { skip: withoutPostgres() }, () => {
  it('of requests that have arrived together are as many questions as those of one', async (test) => {
    const { store, proxy } = await openThroughProxy(test)
    const ids = upTo(16).map((n) => `ent-${n}`)
    await insertRecords(store, ids)
    await store.read.records.get('ent-1')
    proxy.takeRoundTrips()
    const asked = [...ids, 'none'].map(async (id) => {
      // As requests are served: each in a callback of its own.
      await new Promise((resolve) => setImmediate(resolve))
      await store.fresh()
      return (await store.read.records.get(id))?.id
    })
    assert.deepEqual(await Promise.all(asked), [...ids, undefined])
    assert.equal(proxy.takeRoundTrips(), 2)
  })
})
