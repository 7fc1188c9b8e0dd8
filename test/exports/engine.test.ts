// What befalls a run or a schedule that no client could bring about: storage that fails for a moment, a run that takes
// too long, a machine that was suspended.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it, mock, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExportJob } from '../../src/exports/rules/export-job.ts'
import { type ExportRun, NOTHING_YET } from '../../src/exports/rules/export-run.ts'
import type { Destination } from '../../src/kernel/destination.ts'
import { createExportEngine, type EngineDeps } from '../../src/exports/engine/engine.ts'
import { createNetwork } from '../../src/kernel/egress/network.ts'
import { createRenderer } from '../../src/exports/rendering/render-client.ts'
import { PimletError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import type { Store } from '../../src/store/port.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { HOUR, makeClock, MINUTE } from '../helpers/clock.ts'
import { everything, NO_ADDRESSES, openExportStore } from '../helpers/export-store.ts'
import { OWNER, PLAIN_JOB } from '../helpers/plain-job.ts'
import { over } from '../helpers/over.ts'
import { eventually } from '../helpers/puppet.ts'

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const

const job: ExportJob = {
  ...everything,
  ...PLAIN_JOB,
  id: 'job-1',
  name: 'Job',
  description: '',
  destinationType: 'stage',
  destinationConfig: {},
  secrets: {},
  schedule: '0 * * * *',
  timezone: 'UTC',
  missedRunPolicy: 'skip',
  compress: false,
  filenameTemplate: '{time}.jsonl',
  maxAttempts: 1,
  active: true,
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
  createdBy: 'usr-1',
  handledUntil: '2030-01-01T00:00:00.000Z',
}

/** An engine on a store with these jobs, and the names of the files that were delivered. */
async function open(
  test: TestContext,
  options: {
    jobs?: readonly ExportJob[]
    deliver?: Destination['deliver']
    deps?: Partial<EngineDeps>
    /** Whether storage refuses what it is to write. */
    isFull?: () => boolean
  } = {},
) {
  const { jobs = [job], isFull = () => false, deps = {} } = options
  const { store, directory, closeFirst } = await openExportStore(test)
  await store.transaction(async (tx) => {
    await tx.users.insert(OWNER)
    for (const one of jobs) await tx.exportJobs.insert(one)
  })
  const delivered: string[] = []
  const deliver: Destination['deliver'] = async (file, _config, context) => {
    delivered.push(`${context.jobId} ${file.name}`)
    return { destinationPath: file.name }
  }
  const stage: Destination = { type: 'stage', config: anything, deliver: options.deliver ?? deliver }
  const renderer = closeFirst(createRenderer({ location: store.location, onFault: assert.fail }))
  let refused = 0
  const transaction: Store['transaction'] = (work) => {
    if (!isFull()) return store.transaction(work)
    refused += 1
    return Promise.reject(new PimletError('UNAVAILABLE', 'The storage is full'))
  }
  const engine = createExportEngine({
    store: over(store, { transaction }),
    system,
    log: createLog({ level: 'info', format: 'json', system, write: () => undefined }),
    destinations: new Map([['stage', stage]]),
    network: createNetwork({ allow: [] }),
    renderer,
    spoolDirectory: path.join(directory, 'spool'),
    encryptionKey: Buffer.alloc(32),
    addresses: NO_ADDRESSES,
    fileMaker: { make: () => Promise.reject(new Error('there are no files')) },
    keepRuns: 0,
    ...deps,
  })
  await engine.recover()
  closeFirst({ close: () => engine.stop() })
  const runOf = (id: string) => store.read.exportRuns.get(id)
  const whenEnded = (id: string) =>
    eventually(async () => {
      const run = await runOf(id)
      return run?.status !== 'running' && run
    })
  return { engine, store, delivered, runOf, whenEnded, refused: () => refused }
}

describe('A run', { concurrency: true }, () => {
  it('that takes longer than a run may take has failed and says so', async (test) => {
    const hang: Destination['deliver'] = (_file, _config, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    const { engine, whenEnded } = await open(test, { deliver: hang, deps: { limits: { runTime: 1000 } } })
    const run = await whenEnded((await engine.trigger(job.id)).id)
    assert.deepEqual([run.status, run.error], ['failed', 'the run took longer than 0 minutes'])
  })

  it('whose end cannot be stored is told of as soon as storage takes it, and the job runs again', async (test) => {
    let isFull = false
    let deliveries = 0
    const deliver: Destination['deliver'] = async (file) => {
      isFull = deliveries === 0
      deliveries += 1
      return { destinationPath: file.name }
    }
    const { engine, runOf, whenEnded, refused } = await open(test, { deliver, isFull: () => isFull })
    const run = await engine.trigger(job.id)
    await eventually(() => refused() > 0)
    assert.equal((await runOf(run.id))?.status, 'running')
    isFull = false
    assert.equal((await whenEnded(run.id)).status, 'success')
    assert.equal((await whenEnded((await engine.trigger(job.id)).id)).status, 'success')
  })
})

describe('A check', () => {
  it('of a destination whose plugin has none says so, and no more', async (test) => {
    const { engine } = await open(test)
    const { ok, message } = await engine.check(job, new AbortController().signal)
    assert.ok(ok)
    assert.match(message, /^The settings fit\. Its plugin has no check: /)
    const gone = await engine.check({ ...job, destinationType: 'gone' }, new AbortController().signal)
    assert.deepEqual(gone, { ok: false, message: "the plugin of the destination type 'gone' is not installed" })
  })
})

describe('A server that is stopping', () => {
  it('begins no run, and one whose row is on its way at that moment ends as interrupted', async (test) => {
    const { engine, delivered, runOf } = await open(test)
    const beginning = engine.trigger(job.id)
    const stopped = engine.stop()
    await assert.rejects(engine.trigger(job.id), { code: 'UNAVAILABLE' })
    await stopped
    const run = await runOf((await beginning).id)
    assert.deepEqual([run?.status, run?.error], ['failed', 'interrupted: the server stopped during this run'])
    assert.deepEqual(delivered, [])
  })
})

describe('A run that another runner tells of as running', () => {
  const told: ExportRun = {
    ...NOTHING_YET,
    id: 'run-told',
    jobId: job.id,
    status: 'running',
    startedAt: '2030-01-01T00:00:00.000Z',
    recordCount: 7,
  }
  const NO_NEWS = 'there was no news of this run for 24 hours'

  it('has failed when nothing was heard of it for 24 hours, which the server looks for by itself', async (test) => {
    const clock = makeClock()
    const deps = { system: clock, limits: { silenceCheck: 10 } }
    const { engine, store, runOf, whenEnded } = await open(test, { jobs: [{ ...job, active: false }], deps })
    await engine.start()
    const present = clock.now().toISOString()
    await store.transaction(async (tx) => {
      await tx.exportRuns.insert({ ...told, startedAt: present }, present)
      // One of this server is heard of as long as it lives.
      await tx.exportRuns.insert({ ...told, id: 'run-own', startedAt: present })
    })
    clock.advance(23 * HOUR)
    await store.transaction((tx) =>
      tx.exportRuns.update({ ...told, startedAt: present, recordCount: 8 }, clock.now().toISOString()),
    )
    clock.advance(24 * HOUR)
    await sleep(50)
    assert.equal((await runOf(told.id))?.status, 'running')
    clock.advance(1)
    const ended = await whenEnded(told.id)
    assert.deepEqual([ended.status, ended.error, ended.recordCount], ['failed', NO_NEWS, 8])
    assert.equal(ended.completedAt, clock.now().toISOString())
    assert.equal((await runOf('run-own'))?.status, 'running')
  })

  it('blocks a run of this server, but not when it is silent', async (test) => {
    const clock = makeClock()
    const { engine, store, runOf, whenEnded } = await open(test, { deps: { system: clock } })
    await store.transaction((tx) => tx.exportRuns.insert(told, clock.now().toISOString()))
    await assert.rejects(engine.trigger(job.id), { code: 'CONFLICT', message: /'job-1'.*'run-told'/ })
    clock.advance(24 * HOUR + 1)
    assert.equal((await whenEnded((await engine.trigger(job.id)).id)).status, 'success')
    assert.deepEqual([(await runOf(told.id))?.status, (await runOf(told.id))?.error], ['failed', NO_NEWS])
  })

  it('lets a match of the schedule pass, which counts as handled', async (test) => {
    const clock = makeClock()
    clock.advance(Date.parse('2030-03-05T22:59:30Z') - clock.now().getTime())
    const { engine, store, delivered } = await open(test, { deps: { system: clock } })
    await store.transaction((tx) => tx.exportRuns.insert(told, clock.now().toISOString()))
    mock.timers.enable({ apis: ['setTimeout'] })
    await engine.start()
    clock.advance(MINUTE)
    mock.timers.tick(30_000)
    mock.timers.reset()
    const handled = await eventually(async () => {
      const { handledUntil } = (await store.read.exportJobs.get(job.id))!
      return handledUntil !== job.handledUntil && handledUntil
    })
    assert.equal(handled, '2030-03-05T23:00:00.000Z')
    assert.deepEqual(delivered, [])
    assert.deepEqual(
      (await store.read.exportRuns.listOf(job.id, 5)).map(({ id }) => id),
      [told.id],
    )
  })
})

describe('A machine that was suspended over matches', () => {
  it('runs a job once or not at all, by its policy, and at its next match as usual', async (test) => {
    const clock = makeClock()
    clock.advance(Date.parse('2030-03-05T22:10:00Z') - clock.now().getTime())
    const once: ExportJob = { ...job, id: 'job-once', missedRunPolicy: 'once', handledUntil: clock.now().toISOString() }
    const skip: ExportJob = { ...once, id: 'job-skip', missedRunPolicy: 'skip' }
    const { engine, delivered } = await open(test, { jobs: [once, skip], deps: { system: clock } })
    mock.timers.enable({ apis: ['setTimeout'] })
    await engine.start()
    clock.advance(3 * HOUR + 30 * MINUTE)
    mock.timers.tick(30_000)
    mock.timers.reset()
    await eventually(() => delivered.length > 0)
    assert.deepEqual(delivered, ['job-once 010000.jsonl'])
    for (const one of [once, skip])
      assert.equal(engine.nextRunAt(one)?.toISOString(), '2030-03-06T02:00:00.000Z', one.id)
  })
})

describe('A job that another server deleted', () => {
  it('is skipped at its next match, without a fault in the log', async (test) => {
    const clock = makeClock()
    clock.advance(Date.parse('2030-03-05T22:59:30Z') - clock.now().getTime())
    const logged: { level: number; msg: string }[] = []
    const log = createLog({ level: 'info', format: 'json', system, write: (line) => logged.push(JSON.parse(line)) })
    const { engine, store } = await open(test, { deps: { system: clock, log } })
    mock.timers.enable({ apis: ['setTimeout'] })
    await engine.start()
    await store.transaction((tx) => tx.exportJobs.delete(job.id))
    clock.advance(MINUTE)
    mock.timers.tick(30_000)
    mock.timers.reset()
    const skipped = "a scheduled export is skipped: Export job 'job-1' does not exist"
    await eventually(() => logged.some(({ msg }) => msg === skipped || msg.includes('could not begin')))
    assert.deepEqual(
      logged.filter(({ level }) => level >= 50),
      [],
    )
  })
})
