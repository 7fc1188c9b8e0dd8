// A server that is killed (`kill -9`) while it delivers events to receivers that fail in every way: nothing is lost, all comes in order, and
// what comes twice has the ID that it had. `TEST_EVENT_WRITES=2000` for many.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { type Answering, type EventReceiver, PATIENCE, startReceiver } from '../helpers/event-receiver.ts'
import { eventually } from '../helpers/puppet.ts'
import { type ServerProcess, startServerProcess } from '../helpers/server-process.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const WRITES = Number(process.env['TEST_EVENT_WRITES'] ?? 160)
const KILLS = Math.max(3, Math.floor(WRITES / 200))
const WRITERS = 3
const FAULTS: Answering[] = [500, 'hangs', 'resets', 'drips', 'slow']
/** Bytes that a server may take more than when it had just begun, whatever waits for the dead one: its threads come first then. */
const MEMORY = 128 * 1024 ** 2

/** Now and then a fault, each receiver in its own order. */
function answersOf(offset: number, every: number): Answering[] {
  return Array.from({ length: 2 * WRITES }, (_, n) =>
    n % every === every - 1 ? FAULTS[(Math.floor(n / every) + offset) % FAULTS.length]! : 200,
  )
}

const isTaken = (answering: Answering) => answering === 200 || answering === 'slow'

/** Creates and changes records until so many writes are done, or the server is gone. */
async function write({ admin }: ServerProcess, count: number, onWritten: () => void): Promise<void> {
  let left = count
  const writing = async (): Promise<void> => {
    while (left-- > 0) {
      const values = { text: everywhere(`text ${left}`) }
      const { body } = await send<{ id: string }>(admin, 'POST', '/api/v1/records', { schemaId: 'sch-kill', values })
      onWritten()
      if (left-- <= 0) return
      await send(admin, 'PATCH', `/api/v1/records/${body.id}`, { values: { text: everywhere('changed') } })
      onWritten()
    }
  }
  await Promise.allSettled(Array.from({ length: WRITERS }, writing))
}

/**
 * Fails where something came twice without a fault or a kill between, or came back as something else.
 * @param kills after how many requests the server was killed
 * @returns the IDs of the entries in the order in which they were taken first
 */
function judge({ requests }: EventReceiver, kills: readonly number[]): string[] {
  const last = new Map<string, { readonly at: number; readonly arrived: number; readonly body: string }>()
  const taken = new Set<string>()
  const entries: string[] = []
  for (const [at, { id, answering, events, arrived }] of requests.entries()) {
    const body = JSON.stringify(events)
    const before = last.get(id)
    if (before !== undefined) {
      assert.equal(before.body, body, 'a delivery keeps its events')
      const wasKilled = kills.some((kill) => before.at < kill && kill <= at)
      // On a busy machine an answer may come too late.
      const wasLate = arrived - before.arrived >= PATIENCE
      const wasFault = wasKilled || wasLate || !isTaken(requests[before.at]!.answering)
      assert.ok(wasFault, 'what was taken does not come again')
    }
    last.set(id, { at, arrived, body })
    if (!isTaken(answering) || taken.has(id)) continue
    taken.add(id)
    entries.push(...events.map(({ data }) => data.entry!.id))
  }
  return entries
}

/** Until so many entries are there; fails where a minute brings none. */
async function untilTaken({ accepted }: EventReceiver, count: number): Promise<void> {
  const seen = new Set<string>()
  for (let at = 0; seen.size < count;) {
    await eventually(() => accepted.length > at)
    for (; at < accepted.length; at += 1) seen.add(accepted[at]!.data.entry!.id)
  }
}

async function entriesAfter({ admin }: ServerProcess, first: string): Promise<string[]> {
  const found: string[] = []
  for (let after = first; ;) {
    const path = `/api/v1/changes?limit=1000&after=${after}`
    const { body } = await send<{ items: { id: string }[]; cursor: string }>(admin, 'GET', path)
    if (body.items.length === 0) return found
    found.push(...body.items.map(({ id }) => id))
    after = body.cursor
  }
}

/** Bytes that are resident; undefined where the system does not tell. */
function memoryOf({ pid }: ServerProcess): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kibibytes) * 1024
}

it('events come in order and none is lost, however receivers fail and often the server is killed', async (test) => {
  const dataDir = makeTempDirectory()
  const receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver(), startReceiver()])
  test.after(() => Promise.all(receivers.map((receiver) => receiver.close())))
  const [single, some, many, dead] = receivers
  const living = [single, some, many]
  const start = () => startServerProcess(dataDir, [], 'test/helpers/impatient-server.ts')
  let server = await start()
  test.after(() => server.kill())
  await make(server.admin, '/api/v1/schemas', {
    id: 'sch-kill',
    name: 'K',
    attributes: [{ alias: 'text', dataType: 'text' }],
  })
  single.answers = answersOf(0, 23)
  some.answers = answersOf(1, 5)
  many.answers = answersOf(2, 2)
  dead.answers = ['hangs']
  const events = ['record.created', 'record.updated']
  const cursors: string[] = []
  for (const [receiver, batchSize] of [
    [single, 1] as const,
    [some, 7] as const,
    [many, 100] as const,
    [dead, 3] as const,
  ]) {
    const body = { name: 'S', url: receiver.url, events, batchSize }
    cursors.push((await make<{ cursor: string }>(server.admin, '/api/v1/subscriptions', body)).cursor)
  }
  const kills = new Map(living.map((receiver): [EventReceiver, number[]] => [receiver, []]))
  let written = 0
  const count = (): void => void (written += 1)
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const goal = Math.floor((kill * WRITES) / (KILLS + 1))
    const writing = write(server, WRITES, count)
    await eventually(() => written >= goal)
    await server.kill()
    await writing
    for (const receiver of living) kills.get(receiver)!.push(receiver.requests.length)
    server = await start()
  }
  const before = memoryOf(server)
  await write(server, WRITES - written, count)
  const expected = await entriesAfter(server, cursors[3]!)
  assert.ok(expected.length >= WRITES)
  for (const receiver of living) {
    await untilTaken(receiver, expected.length)
    assert.deepEqual(judge(receiver, kills.get(receiver)!), expected)
  }
  assert.equal(dead.accepted.length, 0)
  const grown = before === undefined ? 0 : memoryOf(server)! - before
  test.diagnostic(`${expected.length} entries, ${KILLS} kills, ${Math.round(grown / 1024 ** 2)} MB more`)
  assert.ok(grown < MEMORY, `${grown} bytes more`)
})
