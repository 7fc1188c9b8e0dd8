// Threads of the server, whatever runs in them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { startThread } from '../../src/kernel/executable/assets.ts'

const MIB = 1024 ** 2

describe('A thread', () => {
  before(() => setFlagsFromString('--max-semi-space-size=64'))
  after(() => setFlagsFromString('--max-semi-space-size=0'))

  it('has the limits that it was started with, whatever Node was told for the main thread', async (t) => {
    const idle = { role: 'reader', databaseFile: '', indexFile: '', timeout: 1 }
    const worker = startThread(idle, { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 12 })
    t.after(() => worker.terminate())
    await once(worker, 'online')
    const { heap_size_limit: limit } = await worker.getHeapStatistics()
    assert.ok(limit >= 64 * MIB && limit <= (64 + 24) * MIB, `${Math.round(limit / MIB)} MiB`)
  })
})
