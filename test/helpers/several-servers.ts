// Runs servers of one workspace in PostgreSQL, each in its own process, and checks their writes, however the servers
// ended.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { type Answer, send } from './answers.ts'
import type { Client } from './client.ts'
import { directoryLike, directoryWithKeys } from './cluster.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import type { Lifetime } from './shared-in-suite.ts'
import { everywhere, make } from './shirts.ts'

export interface Several {
  /** Starts another server. It reaches the database by `through`, and uses `name` there. */
  start(name?: string, through?: string): Promise<ServerProcess>
}

export function severalOn(url: string, test: Lifetime, args: readonly string[] = []): Several {
  const keys = directoryWithKeys()
  return {
    async start(name = 'pimlet', through = url) {
      const named = `${through}${through.includes('?') ? '&' : '?'}application_name=${name}`
      const server = await startServerProcess(directoryLike(keys), ['--database-url', named, ...args])
      test.after(async () => void (await server.kill()))
      return server
    },
  }
}

/** The result of each request by record ID; undefined: no response. */
export type Ledger = Map<string, 'acknowledged' | 'unavailable' | undefined>

export const SCHEMA = 'sch-several'

export async function makeModel(client: Client): Promise<void> {
  const attributes = [{ alias: 'text', dataType: 'text' }]
  await make(client, '/api/v1/schemas', { id: SCHEMA, name: 'Several', attributes })
}

/**
 * Keeps a server busy with creates, and with changes of a few records that all writers share. Stops on request, or when
 * the server is gone.
 */
export class Writers {
  readonly ledger: Ledger = new Map()
  /** Times of acknowledgements, in milliseconds. */
  readonly moments: number[] = []
  readonly #busy: readonly Promise<void>[]
  #isEnough = false

  /** @param name the beginning of the IDs */
  constructor({ admin }: ServerProcess, name: string, count = 3) {
    this.#busy = Array.from({ length: count }, (_, number) => this.#write(admin, `${name}-${number}`))
  }

  async stop(): Promise<void> {
    this.#isEnough = true
    await Promise.all(this.#busy)
  }

  /** Resolves when this many more requests are acknowledged. */
  async more(count: number): Promise<void> {
    const enough = this.moments.length + count
    while (this.moments.length < enough) await sleep(2)
  }

  async #write(client: Client, name: string): Promise<void> {
    for (let n = 0; !this.#isEnough; n += 1) {
      const id = `${name}-${n}`
      const body = { id, schemaId: SCHEMA, values: { text: everywhere(id) } }
      this.ledger.set(id, undefined)
      const created = await this.#send(send(client, 'POST', '/api/v1/records', body))
      if (created === undefined) return
      this.ledger.set(id, created === 201 ? 'acknowledged' : 'unavailable')
      const changed = await this.#send(
        send(client, 'PUT', `/api/v1/records/shared-${n % 3}`, { values: { text: everywhere(id) } }),
      )
      if (changed === undefined) return
    }
  }

  /** Undefined: the connection broke, as expected after a kill. */
  async #send(sending: Promise<Answer<unknown>>): Promise<number | undefined> {
    const answer = await sending.catch(() => undefined)
    if (answer === undefined) return undefined
    assert.ok([200, 201, 503].includes(answer.status), answer.text)
    if (answer.status === 503) await sleep(20)
    else this.moments.push(performance.now())
    return answer.status
  }
}

/** Creates the records that all `Writers` change. */
export async function makeShared(client: Client): Promise<void> {
  for (const n of [0, 1, 2])
    await make(client, '/api/v1/records', { id: `shared-${n}`, schemaId: SCHEMA, values: { text: everywhere('') } })
}

/** Changes a `url` of a socket in a directory to a local TCP port. */
export function overTcp(url: string, port: number): string {
  return url.replace('@localhost/', `@127.0.0.1:${port}/`).replace(/host=[^&]*&?/, '')
}

interface AuditRow {
  readonly record: string
  readonly action: string
  readonly changes: string
}

/**
 * Checks that acknowledged records exist once, refused ones do not, counts are right, and each change begins where the
 * previous one ended.
 * @param isKnown whether UNAVAILABLE means that nothing was written, instead of an unknown result
 */
export async function assertKept(url: string, ledger: Ledger, { isKnown = true } = {}): Promise<void> {
  const connection = await Connection.open({ url })
  try {
    const there = new Set((await connection.rows<{ id: string }>('SELECT id FROM record')).map(({ id }) => id))
    for (const [id, became] of ledger) {
      if (became === 'acknowledged') assert.ok(there.has(id), `${id} was acknowledged, and is not there`)
      if (became === 'unavailable' && isKnown) assert.ok(!there.has(id), `${id} was refused, and is there`)
    }
    for (const id of there) assert.ok(ledger.has(id) || id.startsWith('shared-'), `${id} was never sent`)
    const [row] = await connection.rows<{ records: number; counted: number; version: number; newest: number }>(
      `SELECT records, (SELECT sum(records)::bigint FROM record_count) AS counted, version,
         (SELECT max(sequence) FROM (SELECT sequence FROM audit UNION ALL SELECT sequence FROM event) AS feed) AS newest
       FROM workspace`,
    )
    assert.deepEqual([row!.records, row!.counted], [there.size, there.size])
    assert.ok(row!.version >= row!.newest, 'no entry is newer than the newest version')
    assertChained(
      await connection.rows<AuditRow>('SELECT record_id AS record, action, changes FROM audit ORDER BY sequence'),
      there.size,
    )
  } finally {
    await connection.close()
  }
}

function assertChained(entries: readonly AuditRow[], records: number): void {
  const texts = new Map<string, unknown>()
  let created = 0
  for (const { record, action, changes } of entries) {
    const [change] = JSON.parse(changes) as { oldValue: unknown; newValue: unknown }[]
    if (action === 'create') {
      assert.ok(!texts.has(record), `${record} was created twice`)
      created += 1
    } else if (change !== undefined) {
      assert.equal(change.oldValue, texts.get(record), `a change of ${record} begins elsewhere`)
    }
    if (change !== undefined) texts.set(record, change.newValue)
  }
  assert.equal(created, records)
}
