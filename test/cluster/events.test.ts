// Events of three servers, of which the one that delivers them is killed, or stopped until another one has taken over: a receiver gets
// each in order and, but for repeats with the ID that they had, once. TEST_KILL_ROUNDS says how often; where it is given, leases end when they end.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Connection } from '../../src/postgres/connection.ts'
import { startReceiver, withoutRepeats } from '../helpers/event-receiver.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { eventually } from '../helpers/puppet.ts'
import type { ServerProcess } from '../helpers/server-process.ts'
import { assertKept, type Ledger, makeModel, makeShared, severalOn, Writers } from '../helpers/several-servers.ts'
import { make } from '../helpers/shirts.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const IS_LONG = process.env['TEST_KILL_ROUNDS'] !== undefined
const ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 2)
const LEASE = 'subscriptions'

interface Held {
  readonly holder: string
  readonly term: number
}

it(
  'a receiver of three servers gets each event once and in order',
  { timeout: 600_000 + ROUNDS * 60_000, skip: withoutPostgres() },
  async (t) => {
    const { url } = await makeDatabase()
    const receivers = await Promise.all([startReceiver(), startReceiver()])
    t.after(() => Promise.all(receivers.map((receiver) => receiver.close())))
    const onlooker = await Connection.open({ url })
    t.after(() => onlooker.close())
    const several = severalOn(url, { after: (work) => t.after(work) }, ['--allow-destination', '127.0.0.1'])
    /** By how they call themselves in the database. */
    const servers = new Map<string, ServerProcess>()
    /** Also of those that were killed: the database knows them for a while. */
    const seen = new Set<string>()

    /** One after another, so that it is seen who is who. */
    async function start(): Promise<void> {
      const server = await several.start()
      const owner = (await owners()).find((known) => !seen.has(known))!
      seen.add(owner)
      servers.set(owner, server)
    }

    async function owners(): Promise<string[]> {
      const rows = await onlooker.planned<{ holder: string }>(
        `SELECT holder FROM lease WHERE starts_with(name, 'server ') AND holder <> ''`,
      )
      return rows.map(({ holder }) => holder)
    }

    async function held(): Promise<Held> {
      return eventually(async () => {
        const [row] = await onlooker.planned<Held>('SELECT holder, term FROM lease WHERE name = $1', [LEASE])
        return row !== undefined && servers.get(row.holder)?.isRunning() === true && row
      })
    }

    /** What would happen in a quarter of a minute. */
    async function endLease(): Promise<void> {
      if (!IS_LONG) await onlooker.run(`UPDATE lease SET until = '-infinity' WHERE name = $1`, [LEASE])
    }

    for (const _ of [1, 2, 3]) await start()
    const { admin } = [...servers.values()][0]!
    await makeModel(admin)
    for (const [n, batchSize] of [1, 20].entries()) {
      const events = ['record.created', 'record.updated']
      await make(admin, '/api/v1/subscriptions', { name: 'S', url: receivers[n]!.url, events, batchSize })
    }
    await makeShared(admin)
    const ledger: Ledger = new Map()
    let longest = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const busy = [...servers].map(([owner, server], n) => ({
        owner,
        writers: new Writers(server, `w-${round}-${n}`, 1),
      }))
      await Promise.all(busy.map(({ writers }) => writers.more(5 + Math.floor(Math.random() * 20))))
      const leader = await held()
      const server = servers.get(leader.holder)!
      if (round % 2 === 0) await server.kill()
      else server.signal('SIGSTOP')
      await endLease()
      const began = performance.now()
      const next = await eventually(async () => {
        const now = await held()
        return now.term > leader.term && now
      })
      longest = Math.max(longest, performance.now() - began)
      assert.notEqual(next.holder, leader.holder)
      // It writes on what it has begun, if it can.
      if (round % 2 === 1) server.signal('SIGCONT')
      else servers.delete(leader.holder)
      await busy.find(({ owner }) => owner !== leader.holder)!.writers.more(5)
      await Promise.all(busy.map(({ writers }) => writers.stop()))
      for (const { writers } of busy) for (const [id, became] of writers.ledger) ledger.set(id, became)
      if (round % 2 === 0) await start()
    }
    await assertKept(url, ledger)
    const entries = await onlooker.rows<{ id: string }>('SELECT id FROM audit ORDER BY sequence')
    for (const receiver of receivers) {
      // As long as more of them come. To look at all of them takes the receiver's time: it is done now and then.
      const missing = (): number => entries.length - withoutRepeats(receiver).length
      for (let left = missing(); left > 0; left = missing())
        await receiver.untilAccepted(receiver.accepted.length + Math.min(left, 100))
      assert.deepEqual(
        withoutRepeats(receiver).map(({ data }) => data.entry!.id),
        entries.map(({ id }) => id),
      )
    }
    const requests = receivers.flatMap((receiver) => receiver.requests)
    const repeats = requests.length - new Set(requests.map(({ id }) => id)).size
    t.diagnostic(`${entries.length} events, ${repeats} repeated, taken over after ${Math.round(longest)} ms at most`)
  },
)
