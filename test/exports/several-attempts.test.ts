// Attempts at delivering several files of one run. Contract 2 §6, 4 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDelivery, type SeveralFiles } from '../../src/exports/engine/delivery.ts'
import type { Destination, ExportFile } from '../../src/kernel/destination.ts'
import { PimletError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { system } from '../../src/kernel/machine/system.ts'
import type { Store } from '../../src/store/port.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { makeNetwork } from '../helpers/run-context.ts'

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const
const log = createLog({ level: 'error', format: 'json', system, write: () => undefined })

/** Files as a run has them: confirmed ones do not come again. `fault` is thrown before the file of that number, once. */
async function filesOf(count: number, fault?: { readonly at: number; readonly error: Error }) {
  const all: ExportFile[] = []
  for (let index = 0; index < count; index += 1) all.push(await makeExportFile(`${index}.jpg`, 10))
  const confirmed = new Set<string>()
  let left = fault
  let drops = 0
  const several: SeveralFiles = {
    async *pending() {
      for (const [index, file] of all.entries()) {
        if (confirmed.has(file.name)) continue
        if (left?.at === index) {
          const { error } = left
          left = undefined
          throw error
        }
        yield file
      }
    },
    delivered: async ({ name }) => void confirmed.add(name),
    drop: async () => void (drops += 1),
  }
  return { several, confirmed, drops: () => drops }
}

/** Delivers at once, with three attempts. @returns the numbers of the attempts */
async function deliver(part: Partial<Destination>, several: SeveralFiles, limits = {}): Promise<number[]> {
  const network = makeNetwork()
  const base = { network, log, now: () => new Date(), random: () => 0 }
  const delivery = createDelivery({ ...base, store: {} as Store, limits })
  const destination: Destination = {
    type: 'test',
    config: anything,
    deliver: async ({ name }) => ({ destinationPath: name }),
    ...part,
  }
  const attempts: number[] = []
  const signal = new AbortController().signal
  const target = { jobId: 'job-1', destination, config: {}, redact: (text: string) => text }
  await delivery.deliverAll(target, several, {
    runId: 'run-1',
    maxAttempts: 3,
    retryUntil: Date.now() + 60_000,
    signal,
    onAttempt: (attempt) => attempts.push(attempt),
  })
  return attempts
}

const roads: Record<string, Partial<Destination>> = {
  'by deliver': {},
  'by deliverAll': {
    async deliverAll(files, _config, context) {
      for await (const file of files) await context.delivered(file)
    },
  },
}

describe('Several files of one run', () => {
  for (const [road, part] of Object.entries(roads)) {
    it(`are tried again where one cannot be made for the moment, ${road}, and none comes twice`, async () => {
      const error = new PimletError('UNAVAILABLE', 'Too many pictures wait')
      const { several, confirmed, drops } = await filesOf(5, { at: 2, error })
      assert.deepEqual(await deliver(part, several), [1, 2])
      assert.deepEqual([...confirmed], ['0.jpg', '1.jpg', '2.jpg', '3.jpg', '4.jpg'])
      assert.equal(drops(), 2)
    })
  }

  it('have further attempts as long as each delivers some', async () => {
    const { several, confirmed } = await filesOf(6)
    const one: Partial<Destination> = {
      async deliverAll(files, _config, context) {
        for await (const file of files) {
          await context.delivered(file)
          throw new Error('the line is bad')
        }
      },
    }
    assert.equal((await deliver(one, several)).length, 7)
    assert.equal(confirmed.size, 6)
  })

  it('are given up after the attempts of the job without a further file', async () => {
    const { several } = await filesOf(2)
    const none: Partial<Destination> = { deliverAll: () => Promise.reject(new Error('the line is bad')) }
    await assert.rejects(deliver(none, several), /the line is bad \(after 3 attempts\)/)
  })

  it('have a limit of time that begins again with each file', async () => {
    const { several, confirmed } = await filesOf(6)
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const slow: Partial<Destination> = {
      async deliverAll(files, _config, context) {
        for await (const file of files) {
          await wait(300)
          await context.delivered(file)
        }
      },
    }
    await deliver(slow, several, { attemptTime: () => 1500 })
    assert.equal(confirmed.size, 6)
    const stuck: Partial<Destination> = {
      deliverAll: (_files, _config, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    }
    const other = await filesOf(1)
    await assert.rejects(deliver(stuck, other.several, { attemptTime: () => 100 }), /took longer/)
  })
})
