// Servers of one workspace that are killed, stopped or cut off while all of them write: the others go on within ten seconds, and
// whatever was answered holds. TEST_KILL_ROUNDS says how often.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { sizeOf } from '../helpers/in-full.ts'
import { startPgbouncer, withoutPgbouncer } from '../helpers/pgbouncer.ts'
import { openProxy } from '../helpers/postgres-proxy.ts'
import { makeDatabase, socketOf } from '../helpers/postgres.ts'
import type { ServerProcess } from '../helpers/server-process.ts'
import {
  assertKept,
  type Ledger,
  makeModel,
  makeShared,
  overTcp,
  SCHEMA,
  severalOn,
  Writers,
} from '../helpers/several-servers.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 2)
const MOST_MILLISECONDS = 10_000
const NAMES = ['one', 'two', 'three']

describe('Of three servers on one database', { timeout: 600_000 + ROUNDS * 60_000, skip: withoutPostgres() }, () =>
  survive(ROUNDS, false),
)

describe('Of three servers behind pgbouncer', { timeout: 600_000 + ROUNDS * 60_000, skip: withoutPgbouncer }, () =>
  survive(sizeOf({ full: ROUNDS, short: 1 }), true),
)

function survive(deaths: number, isPooled: boolean): void {
  const shared = sharedInSuite(async (suite) => {
    const { url } = await makeDatabase()
    const several = severalOn(url, suite)
    const servers = new Map<string, ServerProcess>()
    const near = isPooled ? await startPgbouncer(url, suite) : { url, socket: await socketOf() }
    const answers = await openProxy(url, suite, near.socket)
    const line = await startTcpProxy({ path: near.socket })
    suite.after(() => line.kill())
    const ways: Record<string, string> = { one: near.url, two: answers.url, three: overTcp(url, line.port) }
    const start = async (name: string): Promise<void> => void servers.set(name, await several.start(name, ways[name]))
    await start('one')
    await Promise.all([start('two'), start('three')])
    const onlooker = await Connection.open({ url })
    suite.after(() => onlooker.close())
    return { url, start, servers, onlooker, answers, line, ledger: new Map() as Ledger }
  })

  before(async () => {
    const { admin } = shared().servers.get('one')!
    await makeModel(admin)
    await makeShared(admin)
  })

  let rounds = 0
  /** All write while something happens to `victim`. @returns how long others waited at most, in milliseconds */
  async function whileAllWrite(victim: string, disturb: (server: ServerProcess) => Promise<void>): Promise<number> {
    const { servers, ledger, url } = shared()
    rounds += 1
    const busy = NAMES.map((name) => ({ name, writers: new Writers(servers.get(name)!, `${name}-${rounds}`) }))
    await Promise.all(busy.map(({ writers }) => writers.more(5 + Math.floor(Math.random() * 40))))
    const began = performance.now()
    await disturb(servers.get(victim)!)
    const others = busy.filter(({ name }) => name !== victim)
    await Promise.all(others.map(({ writers }) => writers.more(20)))
    const waited = others.map(({ writers }) => longestGap(writers.moments, began))
    await Promise.all(busy.map(({ writers }) => writers.stop()))
    for (const { writers } of busy) for (const [id, became] of writers.ledger) ledger.set(id, became)
    await assertKept(url, ledger)
    return Math.max(...waited)
  }

  it('one that is killed takes nothing along that was acknowledged', async (t) => {
    let longest = 0
    for (let round = 0; round < deaths; round += 1) {
      const victim = NAMES[round % NAMES.length]!
      longest = Math.max(longest, await whileAllWrite(victim, async (server) => void (await server.kill())))
      await shared().start(victim)
    }
    t.diagnostic(`${deaths} deaths, the others waited for ${Math.round(longest)} ms at most`)
    assert.ok(longest < MOST_MILLISECONDS)
  })

  it('one that is stopped while it has the lock of the workspace loses it, and writes nothing of it when it goes on', async (t) => {
    let longest = 0
    for (let round = 0; round < Math.ceil(deaths / 2); round += 1) {
      const waited = await whileAllWrite('two', async (server) => {
        await untilLocked(
          'two',
          () => server.signal('SIGSTOP'),
          () => server.signal('SIGCONT'),
        )
        void untilUnlocked('two').then(() => server.signal('SIGCONT'))
      })
      longest = Math.max(longest, waited)
    }
    t.diagnostic(`the others waited for ${Math.round(longest)} ms at most`)
    assert.ok(longest < MOST_MILLISECONDS)
  })

  it('one that is cut off while it has the lock says so, and writes again when the line is there again', async (t) => {
    const { line, servers } = shared()
    const { admin } = servers.get('three')!
    let again = Promise.resolve(0)
    const waited = await whileAllWrite('three', async () => {
      await untilLocked(
        'three',
        () => line.blackHoleAfter(0),
        () => line.pass(),
        3,
      )
      again = (async () => {
        const answer = await send(admin, 'GET', '/api/v1/records?limit=1')
        assert.equal(answer.status, 503, answer.text)
        line.pass()
        const mended = performance.now()
        const change = { values: {} }
        while ((await send(admin, 'PUT', '/api/v1/records/shared-0', change)).status !== 200) await sleep(20)
        return performance.now() - mended
      })()
    })
    t.diagnostic(`the others waited for ${Math.round(waited)} ms, and it for ${Math.round(await again)} ms`)
    assert.ok(Math.max(waited, await again) < MOST_MILLISECONDS)
  })

  it('one that hears nothing of its COMMIT finds out what became of it', async () => {
    const { answers, servers, url, ledger } = shared()
    const { admin } = servers.get('two')!
    for (let round = 0; round < deaths * 5; round += 1) {
      const id = `lost-${round}`
      ledger.set(id, 'acknowledged')
      const record = { id, schemaId: SCHEMA, values: {} }
      const create = (client: Client) =>
        send(client, 'POST', '/api/v1/records', record, { 'idempotency-key': `key-${id}` })
      answers.loseNextCommit()
      const created = await create(admin)
      assert.equal(created.status, 201, created.text)
      const repeated = await create(servers.get('one')!.admin)
      assert.deepEqual([repeated.status, repeated.text], [201, created.text])
    }
    await assertKept(url, ledger)
  })

  /** Halts a server again and again, but not for ever, until it has the lock of the workspace, and keeps it. */
  async function untilLocked(name: string, halt: () => void, goOn: () => void, tries = 50): Promise<void> {
    for (let left = tries; ; left -= 1) {
      halt()
      // What was sent before has its effect.
      await sleep(50)
      if (left === 0 || (await isLocked(name))) return
      goOn()
      await sleep(Math.random() * 100)
    }
  }

  async function untilUnlocked(name: string): Promise<void> {
    while (await isLocked(name)) await sleep(50)
  }

  async function isLocked(name: string): Promise<boolean> {
    const [row] = await shared().onlooker.planned<{ isLocked: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE application_name = $1
         AND state = 'idle in transaction' AND relation = 'workspace'::regclass AND mode = 'RowShareLock') AS "isLocked"`,
      [name],
    )
    return row!.isLocked
  }
}

/** Between two of `moments`, from `since` on. */
function longestGap(moments: readonly number[], since: number): number {
  const later = moments.filter((moment) => moment > since)
  return Math.max(...later.map((moment, index) => moment - (later[index - 1] ?? since)))
}
