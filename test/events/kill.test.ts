// A server that is killed (`kill -9`) while it delivers events: nothing is lost, and what comes twice has the ID that it had.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { startReceiver, withoutRepeats } from '../helpers/event-receiver.ts'
import { type ServerProcess, startServerProcess } from '../helpers/server-process.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const KILLS = 3
const WRITES_PER_LINE = 40
const ALLOWED = ['--allow-destination', '127.0.0.1']

/** Writes while the server is there, but no more than is soon delivered one by one. */
async function write({ admin }: ServerProcess, round: number): Promise<void> {
  const writing = async (line: number): Promise<void> => {
    for (let n = 0; n < WRITES_PER_LINE; n += 1)
      await send(admin, 'POST', '/api/v1/records', {
        schemaId: 'sch-kill',
        values: { text: everywhere(`${round}-${line}-${n}`) },
      })
  }
  await Promise.allSettled([1, 2, 3].map(writing))
}

it('events are delivered in order and none is lost, however often the server is killed', async (test) => {
  const dataDir = makeTempDirectory()
  const receivers = await Promise.all([startReceiver(), startReceiver(), startReceiver()])
  test.after(() => Promise.all(receivers.map((receiver) => receiver.close())))
  let server = await startServerProcess(dataDir, ALLOWED)
  test.after(() => server.kill())
  const attributes = [{ alias: 'text', dataType: 'text' }]
  await make(server.admin, '/api/v1/schemas', { id: 'sch-kill', name: 'K', attributes })
  const [one, many, slow] = receivers
  let first = ''
  for (const [receiver, batchSize] of [
    [one, 1],
    [many, 100],
    [slow, 5],
  ] as const) {
    const body = { name: 'S', url: receiver.url, events: ['record.created'], batchSize }
    const made = await make<{ cursor: string }>(server.admin, '/api/v1/subscriptions', body)
    first ||= made.cursor
  }
  slow.answers = ['slow']
  for (let round = 1; round <= KILLS; round += 1) {
    const writing = write(server, round)
    await one.untilAccepted(round * 25)
    await server.kill()
    await writing
    server = await startServerProcess(dataDir, ALLOWED)
  }
  const expected: string[] = []
  for (let after = first; ;) {
    const page = await send<{ items: { id: string }[]; cursor: string }>(
      server.admin,
      'GET',
      `/api/v1/changes?limit=1000&after=${after}`,
    )
    if (page.body.items.length === 0) break
    expected.push(...page.body.items.map(({ id }) => id))
    after = page.body.cursor
  }
  slow.answers = [200]
  for (const receiver of receivers) {
    for (let tries = 0; tries < 6000 && withoutRepeats(receiver).length < expected.length; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(
      withoutRepeats(receiver).map(({ data }) => data.entry!.id),
      expected,
    )
  }
})
