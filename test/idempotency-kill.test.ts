// A request with an Idempotency-Key is done once, though its server dies at any moment: the answer is kept with the write.
// Contract 3 §2 (Idempotency), 3 §10.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './helpers/answers.ts'
import type { Client } from './helpers/client.ts'
import { sizeOf } from './helpers/in-full.ts'
import { killServerProcess, startServerProcess } from './helpers/measured-process.ts'
import { everywhere, make, type RecordBody } from './helpers/shirts.ts'
import { makeTempDirectory } from './helpers/temp-directory.ts'

const CREATES = sizeOf({ full: 1000, short: 400 })
const WRITERS = 16
const KILLS = sizeOf({ full: 5, short: 3 })

/** Sends the request of the key twice at once; resolves to the IDs of the records that were answered. */
async function createTwice(client: Client, key: number): Promise<string[]> {
  const body = { schemaId: 'sch-k', values: { n: everywhere(key) } }
  const sending = [1, 2].map(async () => {
    for (;;) {
      const answer = await send<RecordBody>(client, 'POST', '/api/v1/records', body, { 'idempotency-key': `k-${key}` })
      if (answer.status === 201) return answer.body.id
      assert.equal(answer.status, 409, answer.text)
      await sleep(1)
    }
  })
  const settled = await Promise.allSettled(sending)
  for (const { reason } of settled.filter((one) => one.status === 'rejected'))
    if (reason instanceof assert.AssertionError) throw reason
  return settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
}

it(
  `${CREATES} creates, each sent twice, make as many records, though the server is killed in between`,
  { timeout: 600_000 },
  async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => killServerProcess(server))
    await make(server.client, '/api/v1/schemas', {
      id: 'sch-k',
      name: 'K',
      attributes: [{ alias: 'n', dataType: 'number' }],
    })
    /** Key → the record that it was answered with. */
    const made = new Map<number, string>()
    const open = new Set(Array.from({ length: CREATES }, (_, key) => key))
    let cutOff = 0

    async function write(until: number): Promise<void> {
      for (const key of open) {
        if (open.size <= until) return
        if (!open.delete(key)) continue
        const ids = await createTwice(server.client, key)
        for (const id of ids) assert.equal(id, made.get(key) ?? id)
        if (ids.length > 0) made.set(key, ids[0]!)
        if (ids.length === 2) continue
        open.add(key)
        cutOff += 1
        return
      }
    }

    for (let round = 1; round <= KILLS; round += 1) {
      const writers = Array.from({ length: WRITERS }, () => write(0))
      const enough = CREATES - (CREATES / (KILLS + 1)) * round
      while (open.size > enough) await sleep(2)
      await killServerProcess(server)
      await Promise.all(writers)
      server = await startServerProcess(dataDir)
    }
    await Promise.all(Array.from({ length: WRITERS }, () => write(0)))

    assert.equal(made.size, CREATES)
    const page = await send<{ total: number }>(server.client, 'GET', '/api/v1/records?limit=1')
    assert.equal(page.body.total, CREATES)
    for (let key = 0; key < CREATES; key += 50)
      assert.deepEqual(await createTwice(server.client, key), [made.get(key), made.get(key)])
    assert.ok(cutOff > 0, 'requests were cut off')
    t.diagnostic(`${cutOff} requests were cut off by ${KILLS} kills`)
  },
)
