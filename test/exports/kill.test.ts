// A server that is killed (`kill -9`) in the middle of exports: afterwards every run row says what happened, and every
// destination holds a whole file or none. One death meets several runs, each at another point.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import { startAzurite, listBlobs, readBlob } from '../helpers/azurite.ts'
import type { Client } from '../helpers/client.ts'
import {
  cancel,
  type JobBody,
  jobFor,
  listRuns,
  makeJob,
  type RunBody,
  trigger,
  whenEnded,
} from '../helpers/export-jobs.ts'
import { eventually, installPuppet, puppetIn } from '../helpers/puppet.ts'
import { startS3Fixture } from '../helpers/s3-fixture.ts'
import { listObjects, listUploads, readObject } from '../helpers/s3-onlooker.ts'
import { type ServerProcess, startServerProcess } from '../helpers/server-process.ts'
import { startSftpServer } from '../helpers/sftp-server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { startWebhookSink } from '../helpers/webhook-sink.ts'

const INTERRUPTED = 'interrupted: the server stopped during this run'
const SAMPLE = path.join(import.meta.dirname, '../plugins/sample/file.mjs')

/** Enough for several parts of an upload: 60 records of 110 KB. */
async function makeRecords(client: Client): Promise<void> {
  const attributes = [{ alias: 'text', dataType: 'text' }]
  await make(client, '/api/v1/schemas', { id: 'sch-k', name: 'K', attributes })
  const words = Array.from({ length: 10_000 }, (_, index) => `word${(index * 7919) % 10_007}`).join(' ')
  for (let index = 0; index < 60; index += 1)
    await make(client, '/api/v1/records', {
      id: `ent-${index}`,
      schemaId: 'sch-k',
      values: { text: everywhere(words) },
    })
}

async function assertInterrupted(client: Client, runs: readonly RunBody[]): Promise<void> {
  for (const { jobId, id } of runs) {
    const run = (await listRuns(client, jobId)).find((candidate) => candidate.id === id)!
    assert.deepEqual([run.status, run.error, run.destinationPath], ['failed', INTERRUPTED, null], jobId)
    assert.ok(run.completedAt! >= run.startedAt)
  }
}

describe('A server that is killed during exports of a destination that stops at known points', () => {
  it('leaves rows that say so, and whole files or none', { timeout: 120_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    installPuppet(path.join(dataDir, 'plugins'))
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    await makeRecords(server.admin)
    const stage = () => puppetIn(makeTempDirectory())
    const spool = path.join(dataDir, 'spool')
    const again = async (): Promise<void> => {
      await server.kill()
      server = await startServerProcess(dataDir)
      assert.deepEqual(readdirSync(spool), [])
    }
    const whole = stage()
    const model = await makeJob(server.admin, jobFor(whole, 'deliver', { filenameTemplate: 'x.csv' }))
    const { fileSize } = await whenEnded(server.admin, await trigger(server.admin, model.id))

    await t.test('before the file, halfway, after it, between attempts, while waiting for a turn', async () => {
      const points = ['stopsBefore', 'stopsHalfway', 'stopsAfter', 'asksPatience', 'deliver']
      const stages = points.map(() => stage())
      const runs: RunBody[] = []
      for (const [index, point] of points.entries()) {
        const job = await makeJob(server.admin, jobFor(stages[index]!, point, { filenameTemplate: 'x.csv' }))
        runs.push(await trigger(server.admin, job.id))
      }
      await eventually(() => stages.slice(0, 3).every((one) => one.log().includes('stopped')))
      await eventually(() => stages[3]!.log().length > 0)
      await again()
      await assertInterrupted(server.admin, runs)
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
      for (const [index, behaviour] of ['deliver', 'deliver', 'stopsBefore'].entries())
        jobs.push(await makeJob(server.admin, jobFor(stages[index]!, behaviour, { filenameTemplate: 'x.csv' })))
      const first = await trigger(server.admin, jobs[0]!.id)
      await again()
      await assertInterrupted(server.admin, [first])
      const second = await trigger(server.admin, jobs[1]!.id)
      await eventually(() => readdirSync(spool).includes(second.id))
      await again()
      await assertInterrupted(server.admin, [second])
      const third = await trigger(server.admin, jobs[2]!.id)
      await eventually(() => stages[2]!.log().includes('stopped'))
      await cancel(server.admin, third)
      await again()
      await assertInterrupted(server.admin, [third])
      assert.deepEqual(
        stages.map((one) => one.files()),
        [[], [], []],
      )
    })

    await t.test('after a run has ended: its row stays, and its job runs again', async () => {
      const own = stage()
      const job = await makeJob(server.admin, jobFor(own, 'deliver', { filenameTemplate: 'x.csv' }))
      const run = await whenEnded(server.admin, await trigger(server.admin, job.id))
      await again()
      assert.deepEqual(await listRuns(server.admin, job.id), [run])
      assert.deepEqual([run.status, run.fileSize, own.read('x.csv').length], ['success', fileSize, fileSize])
      assert.equal((await whenEnded(server.admin, await trigger(server.admin, job.id))).status, 'success')
    })
  })
})

/** A real destination as somebody else sees it, and the settings that reach it at an address. */
interface Place {
  readonly address: { readonly host: string; readonly port: number }
  config(at: { host: string; port: number }): Record<string, unknown>
  read(name: string): Promise<Buffer | undefined>
  /** Names that readers see. */
  visible(): Promise<readonly string[]>
  /** What readers do not see and a start must remove; undefined where the destination does that by itself. */
  hidden?(): Promise<readonly string[]>
  close(): Promise<void>
}

async function openS3(): Promise<Place> {
  const account = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-of-this-test', region: 'eu-central-1' }
  const server = await startS3Fixture({ account, buckets: ['exports'] })
  return {
    address: server,
    config: ({ host, port }) => ({ bucket: 'exports', endpoint: `http://${host}:${port}`, ...account }),
    read: (name) => readObject(server, 'exports', name),
    visible: () => listObjects(server, 'exports'),
    hidden: () => listUploads(server, 'exports'),
    close: () => server.close(),
  }
}

async function openAzure(): Promise<Place> {
  const azurite = await startAzurite()
  await azurite.service.getContainerClient('exports').create()
  const { accountName, accountKey } = azurite
  return {
    address: azurite,
    config: ({ host, port }) => ({
      container: 'exports',
      accountName,
      accountKey,
      endpoint: `http://${host}:${port}/${accountName}`,
    }),
    read: (name) => readBlob(azurite, 'exports', name),
    visible: () => listBlobs(azurite, 'exports'),
    close: () => azurite.close(),
  }
}

async function openSftp(): Promise<Place> {
  const server = await startSftpServer()
  mkdirSync(path.join(server.root, 'in'))
  const isTemporary = (name: string): boolean => name.startsWith('.pimlet-')
  return {
    address: { host: server.host, port: server.port },
    config: ({ host, port }) => ({
      host,
      port,
      username: server.username,
      password: server.password,
      path: 'in',
      hostKeySha256: server.fingerprint,
    }),
    read: (name) => server.read(name, 'in'),
    visible: async () => (await server.names('in')).filter((name) => !isTemporary(name)),
    hidden: async () => (await server.names('in')).filter(isTemporary),
    close: () => server.close(),
  }
}

async function openWebhook(): Promise<Place> {
  const sink = await startWebhookSink()
  return {
    address: { host: sink.host, port: sink.port },
    config: ({ host, port }) => ({ url: `http://${host}:${port}${sink.path}`, headers: { 'X-Token': sink.token } }),
    read: async (name) => sink.files.get(name),
    visible: async () => [...sink.files.keys()],
    close: () => sink.close(),
  }
}

const PLACES: Record<string, () => Promise<Place>> = {
  s3: openS3,
  'azure-blob': openAzure,
  sftp: openSftp,
  webhook: openWebhook,
}

/** Where the link dies, as a part of what a whole delivery sends; `mute`: all arrives, and no answer comes back. */
const POINTS: readonly (readonly [part: number, isMute?: true])[] = [
  [0],
  [0.02],
  [0.1],
  [0.3],
  [0.5],
  [0.7],
  [0.9],
  [0.999],
  [0.5, true],
  [0.9999, true],
]
const AT_ONCE = 4

/** Until nothing more comes through, because the link is dead. */
async function whenStalled(proxy: TcpProxy): Promise<void> {
  await eventually(async () => {
    const before = proxy.received
    await sleep(250)
    return proxy.received > 0 && proxy.received === before
  })
}

describe('A server that is killed while it delivers', () => {
  for (const [type, openPlace] of Object.entries(PLACES))
    it(`to ${type}, at ten points of the delivery, leaves a whole file or none`, { timeout: 180_000 }, async (t) => {
      const place = await openPlace()
      t.after(() => place.close())
      const dataDir = makeTempDirectory()
      const args = ['--allow-destination', '127.0.0.1']
      let server: ServerProcess = await startServerProcess(dataDir, args)
      t.after(() => server.kill())
      await makeRecords(server.admin)
      const jobThrough = (proxy: TcpProxy, filenameTemplate: string) =>
        makeJob(server.admin, {
          name: 'Killed',
          format: 'csv',
          schedule: '0 3 1 1 *',
          includeVariants: true,
          compress: false,
          destinationType: type,
          destinationConfig: place.config(proxy),
          filenameTemplate,
        })

      const good = await startTcpProxy(place.address)
      t.after(() => good.kill())
      const model = await whenEnded(server.admin, await trigger(server.admin, (await jobThrough(good, 'whole')).id))
      assert.equal(model.status, 'success', model.error ?? '')
      const bytes = (await place.read('whole'))!
      assert.equal(bytes.length, model.fileSize)
      const sent = good.received

      for (let begin = 0; begin < POINTS.length; begin += AT_ONCE) {
        const runs: RunBody[] = []
        const proxies: TcpProxy[] = []
        for (const [index, [part, isMute]] of POINTS.slice(begin, begin + AT_ONCE).entries()) {
          const proxy = await startTcpProxy(place.address)
          t.after(() => proxy.kill())
          if (isMute) proxy.muteAfter(Math.floor(sent * part))
          else proxy.blackHoleAfter(Math.floor(sent * part))
          proxies.push(proxy)
          runs.push(await trigger(server.admin, (await jobThrough(proxy, `file-${begin + index}`)).id))
        }
        await Promise.all(proxies.map(whenStalled))
        await server.kill()
        for (const proxy of proxies) proxy.pass()
        server = await startServerProcess(dataDir, args)
        await assertInterrupted(server.admin, runs)
      }

      let delivered = 0
      for (const index of POINTS.keys()) {
        const file = await place.read(`file-${index}`)
        if (file === undefined) continue
        delivered += 1
        assert.ok(file.equals(bytes), `file-${index} has ${file.length} of ${bytes.length} bytes`)
      }
      const names = await place.visible()
      assert.equal(names.length, delivered + 1, names.join(' '))
      await eventually(async () => place.hidden === undefined || (await place.hidden()).length === 0)
      t.diagnostic(`${delivered} of ${POINTS.length} files are there, whole; ${sent} bytes make one`)
    })

  it('into a directory, at moments of chance, leaves whole files or none', { timeout: 120_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    mkdirSync(path.join(dataDir, 'plugins'))
    copyFileSync(SAMPLE, path.join(dataDir, 'plugins', 'file.mjs'))
    const directory = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    await makeRecords(server.admin)
    const body = {
      ...jobFor(puppetIn(makeTempDirectory()), ''),
      destinationType: 'file',
      destinationConfig: { directory },
    }
    const jobs: JobBody[] = []
    for (let index = 0; index < 4; index += 1) jobs.push(await makeJob(server.admin, body))
    const first = await whenEnded(server.admin, await trigger(server.admin, jobs[0]!.id))
    const bytes = readFileSync(first.destinationPath!)
    const runs: RunBody[] = [first]
    for (const delay of [0, 60, 120]) {
      for (const job of jobs) runs.push(await trigger(server.admin, job.id))
      await sleep(delay + Math.random() * 100)
      await server.kill()
      server = await startServerProcess(dataDir)
    }
    const files = () => readdirSync(directory).filter((name) => !name.startsWith('.'))
    for (const { jobId, id } of runs) {
      const run = (await send<RunBody>(server.admin, 'GET', `/api/v1/export-jobs/${jobId}/runs/${id}`)).body
      assert.ok(run.status === 'success' || run.error === INTERRUPTED, run.error ?? run.status)
      const name = `export-${id}.csv`
      if (run.status === 'success') assert.ok(files().includes(name))
      if (files().includes(name)) assert.ok(readFileSync(path.join(directory, name)).equals(bytes))
    }
    await eventually(() => readdirSync(directory).every((name) => !name.startsWith('.')))
    t.diagnostic(`${files().length} of ${runs.length} files are there, whole`)
  })
})

describe('A plugin that throws where nobody can catch it', () => {
  it('fails its run and never the server', { timeout: 60_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    const puppet = installPuppet(path.join(dataDir, 'plugins'))
    const server = await startServerProcess(dataDir)
    t.after(() => server.kill())
    for (const [behaviour, error] of [
      ['throwsFromTimer', 'from a timer (after 2 attempts)'],
      ['floatingRejection', 'nobody waits for this (after 2 attempts)'],
    ]) {
      const job = await makeJob(server.admin, jobFor(puppet, behaviour!, { maxAttempts: 2 }))
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
})
