// An answered write survives the death of the server at any moment, together with its audit entry.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './helpers/answers.ts'
import type { Client } from './helpers/client.ts'
import { killServerProcess, startServerProcess } from './helpers/measured-process.ts'
import { everywhere, make, readAudit, readRecord } from './helpers/shirts.ts'
import { makeTempDirectory } from './helpers/temp-directory.ts'

const WRITERS = 24

/** The last update of each record that the server answered; 0: its creation. */
type Acknowledged = Map<string, number>

/** Creates a record and updates it some times, then the next, until the server is gone. */
async function write(client: Client, acknowledged: Acknowledged): Promise<void> {
  try {
    for (;;) {
      const body = { schemaId: 'sch-d', values: { n: everywhere(0) } }
      const { id } = await make<{ id: string }>(client, '/api/v1/records', body)
      acknowledged.set(id, 0)
      for (let n = 1; n <= 3; n += 1) {
        const answer = await send(client, 'PATCH', `/api/v1/records/${id}/values/n`, { scopedValues: everywhere(n) })
        assert.equal(answer.status, 200)
        acknowledged.set(id, n)
      }
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
  }
}

/** What was answered is there, with its audit entries; at most one update more, which the death left unanswered. */
async function assertKept(client: Client, id: string, n: number): Promise<void> {
  const record = await readRecord(client, id)
  const now = record.values['n']![0]!.value as number
  assert.ok(now === n || now === n + 1, `${id}: ${n} was answered, ${now} is stored`)
  const entries = (await readAudit(client, id)).toReversed()
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.changes[0]!.oldValue, entry.changes[0]!.newValue]),
    Array.from({ length: now + 1 }, (_, k) => (k === 0 ? ['create', null, 0] : ['update', k - 1, k])),
  )
}

describe('A server that is killed', () => {
  it('has lost nothing that it answered, twice in a row', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    const acknowledged: Acknowledged = new Map()
    let server = await startServerProcess(dataDir)
    t.after(() => killServerProcess(server))
    await make(server.client, '/api/v1/schemas', {
      id: 'sch-d',
      name: 'Durable',
      attributes: [{ alias: 'n', dataType: 'number' }],
    })
    for (const round of [1, 2]) {
      const before = acknowledged.size
      const writers = Array.from({ length: WRITERS }, () => write(server.client, acknowledged))
      while (acknowledged.size <= before + WRITERS) await sleep(20)
      await sleep(Math.random() * 700)
      await killServerProcess(server)
      await Promise.all(writers)
      server = await startServerProcess(dataDir)
      assert.ok(acknowledged.size > before + WRITERS, `round ${round} was loaded`)
      for (const [id, n] of acknowledged) await assertKept(server.client, id, n)
      const page = await send<{ total: number }>(server.client, 'GET', '/api/v1/records?limit=1')
      assert.ok(page.body.total >= acknowledged.size && page.body.total <= acknowledged.size + WRITERS * round)
      t.diagnostic(`round ${round}: ${acknowledged.size} records answered, ${page.body.total} stored`)
    }
  })
})
