// A server that is killed (`kill -9`) in the middle of exports: afterwards every run row says what happened, and every
// destination holds a whole file or none. One death meets several runs, each at another point.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { Client } from '../helpers/client.ts'
import {
  litterIn,
  cancel,
  type JobBody,
  jobFor,
  listRuns,
  makeJob,
  type RunBody,
  trigger,
  whenEnded,
} from '../helpers/export-jobs.ts'
import { assertInterrupted, makeWorkspaces } from '../helpers/export-workspace.ts'
import { eventually, installPuppet, puppetIn } from '../helpers/puppet.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

describe('A server that is killed during exports of a destination that stops at known points', () => {
  it('leaves rows that say so, and whole files or none', { timeout: 600_000 }, async (t) => {
    const openWorkspace = await makeWorkspaces()
    const workspace = await openWorkspace((dataDir) => void installPuppet(path.join(dataDir, 'plugins')))
    t.after(() => workspace.stop())
    const admin = (): Client => workspace.server.admin
    const stage = () => puppetIn(makeTempDirectory())
    const spool = path.join(workspace.dataDir, 'spool')
    const again = async (): Promise<void> => {
      await workspace.killAndRestart()
      assert.deepEqual(await litterIn(spool, admin()), [])
    }
    const whole = stage()
    const model = await makeJob(admin(), jobFor(whole, 'deliver', { filenameTemplate: 'x.csv' }))
    const { fileSize } = await whenEnded(admin(), await trigger(admin(), model.id))

    await t.test('before the file, halfway, after it, between attempts, while waiting for a turn', async () => {
      const points = ['stopsBefore', 'stopsHalfway', 'stopsAfter', 'asksPatience', 'deliver']
      const stages = points.map(() => stage())
      const runs: RunBody[] = []
      for (const [index, point] of points.entries()) {
        const job = await makeJob(admin(), jobFor(stages[index]!, point, { filenameTemplate: 'x.csv' }))
        runs.push(await trigger(admin(), job.id))
      }
      await eventually(() => stages.slice(0, 3).every((one) => one.log().includes('stopped')))
      await eventually(() => stages[3]!.log().length > 0)
      await again()
      await assertInterrupted(workspace, runs)
      assert.deepEqual(
        stages.map((one) => one.files()),
        [[], ['x.csv.part'], ['x.csv'], [], []],
      )
      assert.ok(stages[2]!.read('x.csv').equals(whole.read('x.csv')))
      assert.equal(stages[4]!.log().length, 0)
    })

    await t.test('as soon as the run is answered, while it is rendered, while it is being cancelled', async () => {
      const stages = [stage(), stage(), stage()]
      const jobs: JobBody[] = []
      // None ends by itself, however late the death comes.
      for (const one of stages)
        jobs.push(await makeJob(admin(), jobFor(one, 'stopsBefore', { filenameTemplate: 'x.csv' })))
      const first = await trigger(admin(), jobs[0]!.id)
      await again()
      await assertInterrupted(workspace, [first])
      const second = await trigger(admin(), jobs[1]!.id)
      await eventually(() => readdirSync(spool).includes(second.id))
      await again()
      await assertInterrupted(workspace, [second])
      const third = await trigger(admin(), jobs[2]!.id)
      await eventually(() => stages[2]!.log().includes('stopped'))
      await cancel(admin(), third)
      await again()
      await assertInterrupted(workspace, [third])
      for (const one of stages) one.go()
      assert.deepEqual(
        stages.map((one) => one.files()),
        [[], [], []],
      )
    })

    await t.test('after a run has ended: its row stays, and its job runs again', async () => {
      const own = stage()
      const job = await makeJob(admin(), jobFor(own, 'deliver', { filenameTemplate: 'x.csv' }))
      const run = await whenEnded(admin(), await trigger(admin(), job.id))
      await again()
      assert.deepEqual(await listRuns(admin(), job.id), [run])
      assert.deepEqual([run.status, run.fileSize, own.read('x.csv').length], ['success', fileSize, fileSize])
      assert.equal((await whenEnded(admin(), await trigger(admin(), job.id))).status, 'success')
    })
  })
})

describe('A plugin that throws where nobody can catch it', () => {
  it('fails its run and never the server', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    const puppet = installPuppet(path.join(dataDir, 'plugins'))
    const server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    for (const [behaviour, maxAttempts, error] of [
      ['throwsFromTimer', 2, 'from a timer (after 2 attempts)'],
      ['floatingRejection', 1, 'nobody waits for this (after 1 attempt)'],
    ] as const) {
      const job = await makeJob(server.admin, jobFor(puppet, behaviour, { maxAttempts }))
      const run = await whenEnded(server.admin, await trigger(server.admin, job.id))
      assert.deepEqual([run.status, run.error], ['failed', error])
    }
    const job = await makeJob(server.admin, jobFor(puppet, 'throwsAfterwards'))
    assert.equal((await whenEnded(server.admin, await trigger(server.admin, job.id))).status, 'success')
    await eventually(() => server.errors().includes('after its time: after the delivery'))
    assert.ok(server.isRunning())
    await server.kill('SIGTERM')
    assert.ok(!server.errors().includes('unexpected fault'), server.errors())
  })

  it('so it is where that comes from what the module did when it was loaded', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    const plugins = path.join(dataDir, 'plugins')
    installPuppet(plugins)
    const late = `setTimeout(() => { throw new Error('long after it was loaded') }, 500)`
    writeFileSync(path.join(plugins, 'es.mjs'), `${late}\nexport default ${emptyPlugin('es')}`)
    writeFileSync(path.join(plugins, 'common.cjs'), `${late}\nmodule.exports = ${emptyPlugin('common')}`)
    const server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    for (const file of ['es.mjs', 'common.cjs'])
      await eventually(() => server.errors().includes(`${file} failed outside of a run: Error: long after`))
    assert.ok(server.isRunning())
    await server.kill('SIGTERM')
    const floating = `void Promise.reject(new Error('nobody waits for this'))`
    writeFileSync(path.join(plugins, 'es.mjs'), `${floating}; await new Promise(() => setInterval(() => {}, 1000))`)
    await assert.rejects(startServerProcess(dataDir), /pimlet: plugin .*es\.mjs: it does not load: Error: nobody waits/)
  })
})

function emptyPlugin(type: string): string {
  const config = `{ '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }`
  return `{ type: '${type}', config: ${config}, async deliver() { return { destinationPath: '' } } }`
}
