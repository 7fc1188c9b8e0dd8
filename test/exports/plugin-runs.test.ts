// What a destination from outside cannot do to the server: runs over HTTP, with a plugin that takes its thread with it.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { system } from '../../src/kernel/machine/system.ts'
import { send } from '../helpers/answers.ts'
import { cancel, jobFor, makeJob, runOnce, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { eventually, installPuppet, type Puppet } from '../helpers/puppet.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'

/** Retries follow at once. */
const eager = { ...system, randomBytes: (count: number) => (count === 4 ? Buffer.alloc(4) : system.randomBytes(count)) }

/** Milliseconds. What ends by itself has its time, however busy the machine; what never ends takes that of a processor. */
const PATIENT = 60_000
const HASTY = 3000

describe('A server whose plugin', () => {
  let server: TestServer
  let puppet: Puppet
  let attemptTime = PATIENT
  before(async () => {
    const dataDir = makeTempDirectory()
    puppet = installPuppet(path.join(dataDir, 'plugins'))
    const exportLimits = { attemptTime: () => attemptTime, checkTime: HASTY, grace: 150 }
    server = await startServer({ dataDir, testing: { system: eager, exportLimits } })
  })
  after(() => server.stop())

  const once = { maxAttempts: 1 }
  async function assertAnswers(): Promise<void> {
    const begin = performance.now()
    assert.equal((await send(server.anonymous, 'GET', '/healthz')).status, 200)
    assert.ok(performance.now() - begin < 20_000)
  }

  it('loops for ever in a delivery answers, ends that run, and then delivers again', async () => {
    attemptTime = HASTY
    const job = await makeJob(server.admin, jobFor(puppet, 'loops', once))
    const run = await trigger(server.admin, job.id)
    await eventually(() => puppet.log().some((line) => line.includes(run.id)))
    attemptTime = PATIENT
    await assertAnswers()
    assert.match((await whenEnded(server.admin, run)).error!, /^it took longer than 3 seconds \(after 1 attempt\)$/)
    assert.equal((await runOnce(server.admin, jobFor(puppet, 'deliver', once))).status, 'success')
  })

  it('loops for ever in a check says so, and saves jobs afterwards', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'loops'))
    const checking = send<{ ok: boolean; message: string }>(server.admin, 'POST', `${PATH}/${job.id}/check`)
    await eventually(() => puppet.log().includes('check'))
    await assertAnswers()
    assert.deepEqual((await checking).body, { ok: false, message: 'it took longer than 3 seconds' })
    await makeJob(server.admin, jobFor(puppet, 'deliver'))
  })

  it('ends its process has a run that failed, and goes on', async () => {
    const run = await runOnce(server.admin, jobFor(puppet, 'exits', { maxAttempts: 2 }))
    assert.equal(run.error, 'the plugin ended its thread (process.exit) (after 2 attempts)')
    await assertAnswers()
  })

  it('delivers when its run is cancelled tells it why', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'tellsReason'))
    const run = await trigger(server.admin, job.id)
    await eventually(() => puppet.log().some((line) => line.includes(run.id)))
    await cancel(server.admin, run)
    assert.equal((await whenEnded(server.admin, run)).error, 'cancelled')
    await eventually(() => puppet.log().includes('ended because cancelled'))
  })

  it('fails after its run has ended logs it under that run, without secrets', async () => {
    const run = await runOnce(server.admin, jobFor(puppet, 'throwsAfterwards', once))
    assert.equal(run.status, 'success')
    const line = await eventually(() => server.logged.find(({ msg }) => msg?.includes('after the delivery')))
    assert.deepEqual([line['runId'], line['jobId']], [run.id, run.jobId])
    for (const [behaviour, error] of [
      ['throwsFromTimer', 'from a timer (after 1 attempt)'],
      ['floatingRejection', 'nobody waits for this (after 1 attempt)'],
    ] as const)
      assert.equal((await runOnce(server.admin, jobFor(puppet, behaviour, once))).error, error)
  })

  it('loops for ever stops when it is told to', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'loops', once))
    const run = await trigger(server.admin, job.id)
    await eventually(() => puppet.log().some((line) => line.includes(run.id)))
    server = await server.restart()
    assert.match((await whenEnded(server.admin, run)).error!, /^interrupted/)
  })
})
