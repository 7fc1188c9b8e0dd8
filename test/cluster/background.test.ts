// What goes on in the background of a workspace that several servers have: each thing is done once, by one of them, and by another one
// when that is gone.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { type BulkJobBody, byIds, postJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { type Cluster, expireLeases, startCluster } from '../helpers/cluster.ts'
import { cancel, jobFor, listRuns, makeJob, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { over } from '../helpers/over.ts'
import { eventually, installPuppet, puppetIn } from '../helpers/puppet.ts'
import type { ServerOptions, TestServer } from '../helpers/server.ts'
import { everywhere, fillWorkspace, makeShirt, readAudit } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

/** Background work of a server stands still before each step while its gate is closed. */
interface Gate {
  readonly passed: Promise<void>
  readonly open: () => void
}
const gates = new Map<number, Gate>()
function closeGate(server: number): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  const gate = { passed: promise, open: resolve }
  gates.set(server, gate)
  return gate
}

const behindGate = (server: number): ServerOptions => ({
  testing: { wrapStore: (store) => over(store, { whenCalm: () => gates.get(server)?.passed ?? Promise.resolve() }) },
})

describe('A workspace with two servers', () => {
  let cluster: Cluster
  let one: TestServer
  let other: TestServer
  before(async () => {
    const pluginsDir = makeTempDirectory()
    installPuppet(pluginsDir)
    cluster = await startCluster(0, { pluginsDir })
    one = await cluster.start(behindGate(0))
    await fillWorkspace(one)
    for (let n = 0; n < 3; n += 1) await makeShirt(one.admin, { sku: everywhere(`S-${n}`) }, { id: `s-${n}` })
    other = await cluster.start(behindGate(1))
  })
  beforeEach(() => {
    for (const gate of gates.values()) gate.open()
    gates.clear()
  })
  after(async () => {
    for (const gate of gates.values()) gate.open()
    await cluster.stop()
  })

  const weigh = (weight: number, ...ids: string[]) => ({
    selection: byIds(...ids),
    actions: [{ setValues: { weight: everywhere(weight) } }],
  })
  const readJob = async (server: TestServer, id: string): Promise<BulkJobBody> =>
    (await send<BulkJobBody>(server.admin, 'GET', `/api/v1/bulk-jobs/${id}`)).body
  /** Which server carries bulk jobs out. */
  async function leaderOf(name: string): Promise<string> {
    const [row] = await cluster.ask<{ holder: string }>('SELECT holder FROM lease WHERE name = $1', [name])
    return row!.holder
  }
  async function countUpdates(id: string): Promise<number> {
    return (await readAudit(one.admin, id)).filter(({ action }) => action === 'update').length
  }

  describe('carries out a bulk job, which', () => {
    it('is carried out by one of them, whoever was asked, and both tell of it', async () => {
      const begun = await countUpdates('s-0')
      for (const [index, server] of [one, other, one, other].entries()) {
        const posted = await postJob(server.admin, weigh(index + 1, 's-0'))
        assert.equal(posted.status, 202, posted.text)
        const ended = await untilEnded((server === one ? other : one).admin, posted.body.id)
        assert.equal(ended.changed, 1)
        assert.deepEqual(await readJob(server, ended.id), ended)
      }
      assert.equal(await countUpdates('s-0'), begun + 4)
    })

    it('goes on when another server starts', async () => {
      const gate = closeGate(0)
      const { body } = await postJob(one.admin, weigh(50, 's-0', 's-1', 's-2'))
      await eventually(async () => (await readJob(one, body.id)).status === 'running')
      const third = await cluster.start()
      assert.equal((await readJob(third, body.id)).status, 'running')
      gate.open()
      assert.equal((await untilEnded(third.admin, body.id)).changed, 3)
      await third.stop()
    })

    it('is ended by whoever is asked to', async () => {
      const gate = closeGate(0)
      const { body } = await postJob(one.admin, weigh(60, 's-0', 's-1', 's-2'))
      await eventually(async () => (await readJob(one, body.id)).status === 'running')
      assert.equal((await send(other.admin, 'POST', `/api/v1/bulk-jobs/${body.id}/cancel`)).status, 202)
      gate.open()
      assert.equal((await untilEnded(one.admin, body.id)).status, 'cancelled')
    })

    it('is taken over from a server that is not heard of, which writes nothing more when it wakes up', async () => {
      const before = await countUpdates('s-1')
      const gate = closeGate(0)
      const leader = await leaderOf('bulk-jobs')
      const { body } = await postJob(other.admin, weigh(70, 's-0', 's-1', 's-2'))
      await eventually(async () => (await readJob(one, body.id)).status === 'running')
      await expireLeases(cluster, 'bulk-jobs')
      assert.equal((await untilEnded(other.admin, body.id)).changed, 3)
      assert.notEqual(await leaderOf('bulk-jobs'), leader)
      gate.open()
      await eventually(async () => (await leaderOf('bulk-jobs')) !== leader)
      assert.equal(await countUpdates('s-1'), before + 1)
    })
  })

  describe('performs an export job, which', () => {
    it('has one run at a time, wherever it is triggered, cancelled and looked at', async () => {
      const stage = puppetIn(makeTempDirectory())
      const job = await makeJob(one.admin, jobFor(stage, 'waits'))
      const run = await trigger(one.admin, job.id)
      assert.equal((await send(other.admin, 'POST', `/api/v1/export-jobs/${job.id}/trigger`)).status, 409)
      assert.equal((await listRuns(other.admin, job.id))[0]!.status, 'running')
      await cancel(other.admin, run)
      assert.equal((await whenEnded(other.admin, run)).error, 'cancelled')
    })

    it('has runs that go on when another server starts, and end when their server is gone', async () => {
      const stage = puppetIn(makeTempDirectory())
      const job = await makeJob(one.admin, jobFor(stage, 'waits'))
      const third = await cluster.start()
      const run = await trigger(third.admin, job.id)
      const fourth = await cluster.start()
      assert.equal((await listRuns(fourth.admin, job.id))[0]!.status, 'running')
      await fourth.stop()
      // As if it had been stopped in its tracks: nobody renews what says that it lives.
      const [row] = await cluster.ask<{ owner: string }>('SELECT owner FROM export_run WHERE id = $1', [run.id])
      await expireLeases(cluster, `server ${row!.owner}`)
      const ended = await whenEnded(one.admin, run)
      assert.equal(ended.error, 'interrupted: the server stopped during this run')
      stage.go()
      await third.stop()
      assert.deepEqual(await whenEnded(one.admin, run), ended)
      assert.equal((await listRuns(one.admin, job.id)).length, 1)
    })

    it('is deleted while another server runs it, which leaves nothing behind', async () => {
      const stage = puppetIn(makeTempDirectory())
      const job = await makeJob(one.admin, jobFor(stage, 'waits'))
      await trigger(one.admin, job.id)
      assert.equal((await send(other.admin, 'DELETE', `/api/v1/export-jobs/${job.id}`)).status, 204)
      assert.equal((await send(one.admin, 'GET', `/api/v1/export-jobs/${job.id}`)).status, 404)
    })

    it('runs once at each match of its schedule, also when another server follows it from now on', async () => {
      const stage = puppetIn(makeTempDirectory())
      const more = { schedule: '* * * * * *', filenameTemplate: '{time}-{runId}.csv' }
      const job = await makeJob(other.admin, jobFor(stage, 'deliver', more))
      const runs = () => listRuns(one.admin, job.id)
      await eventually(async () => (await runs()).length >= 2)
      const leader = await leaderOf('export-schedules')
      await expireLeases(cluster, 'export-schedules')
      await eventually(async () => (await leaderOf('export-schedules')) !== leader)
      const known = (await runs()).length
      await eventually(async () => (await runs()).length >= known + 2)
      // Paused by the one who does not follow it, or does not know so yet.
      for (const server of [one, other])
        assert.equal(
          (await send(server.admin, 'PUT', `/api/v1/export-jobs/${job.id}`, { ...job, active: false })).status,
          200,
        )
      const ended = await eventually(async () => (await runs()).every(({ status }) => status !== 'running') && runs())
      assert.deepEqual([...new Set(ended.map(({ error }) => error))], [null])
      const matches = ended.map(({ destinationPath }) => path.basename(destinationPath!).split('-run-')[0])
      assert.equal(new Set(matches).size, matches.length, matches.join())
    })
  })
})
