// What goes on in the background of a workspace that several servers have: each thing is done once, by one of them, and by another one
// when that is gone.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, send } from '../helpers/answers.ts'
import { type BulkJobBody, byIds, postJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { type Cluster, directoryLike, expireLeases, startCluster } from '../helpers/cluster.ts'
import {
  cancel,
  jobFor,
  type JobBody,
  listRuns,
  makeJob,
  type RunBody,
  trigger,
  whenEnded,
} from '../helpers/export-jobs.ts'
import { keyClient } from '../helpers/client.ts'
import { startReceiver } from '../helpers/event-receiver.ts'
import { over } from '../helpers/over.ts'
import { socketOf } from '../helpers/postgres.ts'
import { eventually, installPuppet, puppetIn } from '../helpers/puppet.ts'
import type { ServerOptions, TestServer } from '../helpers/server.ts'
import { overTcp } from '../helpers/several-servers.ts'
import { everywhere, fillWorkspace, make, makeShirt, readAudit } from '../helpers/shirts.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

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

describe('A workspace with two servers', { skip: withoutPostgres() }, () => {
  let cluster: Cluster
  let one: TestServer
  let other: TestServer
  before(async () => {
    const pluginsDir = makeTempDirectory()
    installPuppet(pluginsDir)
    cluster = await startCluster(0, { pluginsDir, maxRecords: 0, allowDestinations: ['127.0.0.1'] })
    one = await cluster.start({ ...behindGate(0), allowFaults: true })
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

  const SUBSCRIPTIONS = '/api/v1/subscriptions'
  const weigh = (weight: number, ...ids: string[]) => ({
    selection: byIds(...ids),
    actions: [{ setValues: { weight: everywhere(weight) } }],
  })
  const readJob = async (server: TestServer, id: string): Promise<BulkJobBody> =>
    (await send<BulkJobBody>(server.admin, 'GET', `/api/v1/bulk-jobs/${id}`)).body
  const holderOf = async (name: string): Promise<string> =>
    (await cluster.ask<{ holder: string }>('SELECT holder FROM lease WHERE name = $1', [name]))[0]!.holder
  /** Another server has the lease from now on; the one before need not know so yet. */
  async function takeAway(name: string): Promise<void> {
    const holder = await holderOf(name)
    await eventually(async () => {
      if ((await holderOf(name)) !== holder) return true
      await expireLeases(cluster, name, holder)
      return false
    })
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

    it('continues under its new owner, whichever server is asked to take it over', async () => {
      for (const server of [one, other]) {
        const closed = [closeGate(0), closeGate(1)]
        const owner = { name: 'Weigher', roleId: 'role-admin' }
        const key = await make<{ id: string; key: string }>(one.admin, '/api/v1/api-keys', owner)
        const { body } = await postJob(keyClient(one.url, key.key), weigh(65, 's-0', 's-1', 's-2'))
        assert.equal((await send(one.admin, 'DELETE', `/api/v1/api-keys/${key.id}`)).status, 204)
        for (const gate of closed) gate.open()
        await eventually(async () => (await readJob(server, body.id)).pausedReason !== null)
        // By then the server that carries jobs out has looked for others.
        await sleep(300)
        assert.equal((await send(server.admin, 'POST', `/api/v1/bulk-jobs/${body.id}/take-over`)).status, 200)
        await eventually(async () => (await readJob(server, body.id)).completedAt !== null)
        assert.equal((await readJob(server, body.id)).status, 'succeeded')
      }
    })

    it('is taken over from a server that is not heard of, which writes nothing more when it wakes up', async () => {
      const before = await countUpdates('s-1')
      const gate = closeGate(0)
      const { body } = await postJob(other.admin, weigh(70, 's-0', 's-1', 's-2'))
      await eventually(async () => (await readJob(one, body.id)).status === 'running')
      await takeAway('bulk-jobs')
      assert.equal((await untilEnded(other.admin, body.id)).changed, 3)
      gate.open()
      assert.equal(await countUpdates('s-1'), before + 1)
    })
  })

  describe('performs an export job, which', () => {
    const pathOf = ({ jobId, id }: RunBody) => `/api/v1/export-jobs/${jobId}/runs/${id}/redeliver`
    async function redeliver({ admin }: TestServer, run: RunBody): Promise<RunBody> {
      const answer = await send<RunBody>(admin, 'POST', pathOf(run))
      assert.deepEqual([answer.status, answer.body.redelivers], [202, run.id], answer.text)
      return answer.body
    }
    /** By a secret, which leaves the address as it is. */
    async function mend(job: JobBody): Promise<void> {
      const destinationConfig = { ...job.destinationConfig, token: 'mended' }
      const path = `/api/v1/export-jobs/${job.id}`
      assert.equal((await send(other.admin, 'PUT', path, { ...job, destinationConfig })).status, 200)
    }
    async function whenDelivering({ admin }: TestServer, { jobId, id }: RunBody): Promise<void> {
      const path = `/api/v1/export-jobs/${jobId}/runs/${id}`
      await eventually(async () => (await send<RunBody>(admin, 'GET', path)).body.progress?.phase === 'delivering')
    }

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
      await whenDelivering(third, run)
      const fourth = await cluster.start()
      assert.equal((await listRuns(fourth.admin, job.id))[0]!.status, 'running')
      await fourth.stop()
      // As if it had been stopped in its tracks: nobody renews what says that it lives.
      const [row] = await cluster.ask<{ owner: string }>('SELECT owner FROM export_run WHERE id = $1', [run.id])
      const ended = await eventually(async () => {
        await expireLeases(cluster, `server ${row!.owner}`)
        const [found] = await listRuns(one.admin, job.id)
        return found!.status !== 'running' && found!
      })
      assert.equal(ended.error, 'interrupted: the server stopped during this run')
      assert.ok(ended.sha256 !== null && ended.keptUntil !== null, 'its server has the file, and comes back')
      stage.go()
      await third.stop()
      assert.deepEqual(await whenEnded(one.admin, run), ended)
      assert.equal((await listRuns(one.admin, job.id)).length, 1)
    })

    it('has its file delivered again by the server that has it, also a new one there, whichever is asked', async () => {
      const stage = puppetIn(makeTempDirectory())
      const third = await cluster.start()
      const job = await makeJob(one.admin, jobFor(stage, 'failsUntilGo'))
      const failed = await whenEnded(one.admin, await trigger(third.admin, job.id))
      const still = await redeliver(one, failed)
      assert.equal((await whenEnded(other.admin, still)).error, failed.error)
      stage.go()
      const delivered = await whenEnded(other.admin, await redeliver(one, failed))
      assert.deepEqual([delivered.status, delivered.sha256, delivered.attempts], ['success', failed.sha256, 1])

      await third.stop()
      const again = await send(one.admin, 'POST', pathOf(still))
      assertRefused(again, 'CONFLICT', `'${still.id}' is at a server that is not running`)
      const fourth = await cluster.start({ dataDir: third.dataDir })
      assert.equal((await whenEnded(other.admin, await redeliver(one, still))).sha256, failed.sha256)
      await fourth.stop()
    })

    it('has a file that a killed server had made delivered by that one when it is there again', async () => {
      const stage = puppetIn(makeTempDirectory())
      const line = await startTcpProxy({ path: await socketOf() })
      const killed = await cluster.start({ databaseUrl: overTcp(cluster.databaseUrl, line.port), allowFaults: true })
      const job = await makeJob(one.admin, jobFor(stage, 'waitsUntilMended'))
      const run = await trigger(killed.admin, job.id)
      await whenDelivering(killed, run)
      const [row] = await cluster.ask<{ owner: string }>('SELECT owner FROM export_run WHERE id = $1', [run.id])
      // Others hear as little of it as of one whose process is gone.
      await line.kill()
      const dataDir = directoryLike(cluster.dataDir)
      cpSync(killed.dataDir, dataDir, { recursive: true, filter: (name) => !path.basename(name).startsWith('lock') })
      // It may be there again before others know that it was gone: its file is that of a run which goes on.
      const again = await cluster.start({ dataDir })
      await eventually(async () => {
        await expireLeases(cluster, `server ${row!.owner}`)
        return (await listRuns(one.admin, job.id))[0]!.status === 'failed'
      })
      await mend(job)
      assert.equal((await whenEnded(one.admin, await redeliver(one, run))).status, 'success')
      assert.ok(stage.files().length === 1)
      await Promise.all([killed.stop(), again.stop()])
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
      await takeAway('export-schedules')
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

  describe('tells, whichever server is asked,', () => {
    it('who waits for changes of what another one has committed', async () => {
      const read = (server: TestServer, query: string) =>
        send<{ items: { entityId: string }[]; cursor: string }>(server.admin, 'GET', `/api/v1/changes?${query}`)
      const { cursor } = (await read(other, 'after=latest')).body
      const waiting = read(other, `after=${cursor}&wait=25`)
      const began = performance.now()
      const { id } = await makeShirt(one.admin, {})
      assert.deepEqual(
        (await waiting).body.items.map(({ entityId }) => entityId),
        [id],
      )
      assert.ok(performance.now() - began < 20_000, 'it was not told, but looked when its time was over')
    })

    it('subscribers of all events, each under one ID, in their order, also after another one delivers', async () => {
      const receiver = await startReceiver()
      const body = { name: 'S', url: receiver.url, events: ['record.created'] }
      const made = await Promise.all([one, other].map(({ admin }) => make<{ id: string }>(admin, SUBSCRIPTIONS, body)))
      const ids: string[] = []
      const makeSome = async (): Promise<void> => {
        for (const server of [one, other, one, other]) ids.push((await makeShirt(server.admin, {})).id)
        await receiver.untilAccepted(ids.length * made.length)
      }
      await makeSome()
      await takeAway('subscriptions')
      await makeSome()
      // What was under way when another server took over may come twice, under the same webhook-id.
      for (const { id } of made) {
        const seen = new Map<string, string>()
        const entities = (): string[] => {
          for (const [index, request] of receiver.requests.entries())
            if (receiver.headers[index]!['x-pimlet-subscription'] === id)
              seen.set(request.id, request.events[0]!.data.entry!.entityId)
          return [...seen.values()]
        }
        await eventually(() => entities().length >= ids.length)
        assert.deepEqual(entities(), ids)
      }
      // Of one that is gone nobody is told any more, whoever delivers.
      for (const { id } of made) assert.equal((await send(other.admin, 'DELETE', `${SUBSCRIPTIONS}/${id}`)).status, 204)
      await receiver.close()
    })
  })

  describe('changes its model', () => {
    const isUnderWay = async (): Promise<boolean> => (await cluster.ask('SELECT 1 FROM model_change')).length > 0
    const attributes = (unique: boolean) => ({
      name: 'Things',
      attributes: [{ alias: 'code', dataType: 'text', unique }],
    })

    it('undisturbed by a server that starts, and as if nothing had been where the one that does is gone', async () => {
      const { id } = await make<{ id: string }>(one.admin, '/api/v1/schemas', attributes(false))
      await make(one.admin, '/api/v1/records', { schemaId: id, values: { code: everywhere('C-1') } })
      const change = (unique: boolean) => send(one.admin, 'PUT', `/api/v1/schemas/${id}`, attributes(unique))

      const gate = closeGate(0)
      const changing = change(true)
      await eventually(isUnderWay)
      const third = await cluster.start()
      await third.stop()
      assert.ok(await isUnderWay())
      gate.open()
      assert.equal((await changing).status, 200)

      assert.equal((await change(false)).status, 200)
      const again = closeGate(0)
      const abandoned = change(true)
      await eventually(isUnderWay)
      const [found] = await cluster.ask<{ owner: string }>('SELECT owner FROM model_change')
      await eventually(async () => {
        await expireLeases(cluster, `server ${found!.owner}`)
        return !(await isUnderWay())
      })
      again.open()
      assertRefused(await abandoned, 'UNAVAILABLE')
      const { body } = await send<{ attributes: { unique: boolean }[] }>(one.admin, 'GET', `/api/v1/schemas/${id}`)
      assert.equal(body.attributes[0]!.unique, false)
    })
  })
})
