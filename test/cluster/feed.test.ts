// Who follows the feed of changes while three servers write it, and are killed, sees each entry once and in the order in which they were
// committed, whichever server is asked. TEST_KILL_ROUNDS says how often one is killed.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { send } from '../helpers/answers.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import type { ServerProcess } from '../helpers/server-process.ts'
import { makeModel, makeShared, severalOn, Writers } from '../helpers/several-servers.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 2)
const NAMES = ['one', 'two', 'three']

interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly cursor: string
}

/** Asks the server of its name, or another one while that is gone. */
class Walker {
  readonly seen: string[] = []
  #cursor: string | undefined
  readonly #servers: ReadonlyMap<string, ServerProcess>
  readonly #name: string

  constructor(servers: ReadonlyMap<string, ServerProcess>, name: string) {
    this.#servers = servers
    this.#name = name
  }

  /** @returns whether there was anything */
  async step(): Promise<boolean> {
    const after = this.#cursor === undefined ? '' : `&after=${this.#cursor}`
    const own = this.#servers.get(this.#name)!
    const { admin } = own.isRunning() ? own : [...this.#servers.values()].find((server) => server.isRunning())!
    const answer = await send<Page>(admin, 'GET', `/api/v1/changes?limit=50${after}`).catch(() => undefined)
    if (answer === undefined) return true
    assert.equal(answer.status, 200, answer.text)
    this.seen.push(...answer.body.items.map(({ id }) => id))
    this.#cursor = answer.body.cursor
    return answer.body.items.length > 0
  }
}

it(
  'the feed of three servers has each change once and in order',
  { timeout: 600_000 + ROUNDS * 60_000, skip: withoutPostgres() },
  async (t) => {
    const { url } = await makeDatabase()
    const several = severalOn(url, { after: (work) => t.after(work) })
    const servers = new Map<string, ServerProcess>([['one', await several.start('one')]])
    await Promise.all(['two', 'three'].map(async (name) => servers.set(name, await several.start(name))))
    const { admin } = servers.get('one')!
    await makeModel(admin)
    await makeShared(admin)

    const walkers = NAMES.map((name) => new Walker(servers, name))
    let isOver = false
    const walking = walkers.map(async (walker) => {
      while (!isOver) if (!(await walker.step())) await sleep(5)
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      const busy = NAMES.map((name) => new Writers(servers.get(name)!, `${name}-${round}`))
      await Promise.all(busy.map((writers) => writers.more(20 + Math.floor(Math.random() * 40))))
      const victim = NAMES[round % NAMES.length]!
      await servers.get(victim)!.kill()
      await Promise.all(busy.filter((_, at) => at !== round % NAMES.length).map((writers) => writers.more(20)))
      await Promise.all(busy.map((writers) => writers.stop()))
      servers.set(victim, await several.start(victim))
    }
    isOver = true
    await Promise.all(walking)
    for (const walker of walkers) while (await walker.step());

    const onlooker = await Connection.open({ url })
    t.after(() => onlooker.close())
    const entries = await onlooker.rows<{ id: string }>('SELECT id FROM audit ORDER BY sequence')
    for (const { seen } of walkers)
      assert.deepEqual(
        seen,
        entries.map(({ id }) => id),
      )
    t.diagnostic(`${entries.length} changes, ${ROUNDS} deaths`)
  },
)
