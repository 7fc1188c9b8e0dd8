// Runs from beginning to end, with a destination from outside that misbehaves in every way.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { system } from '../../src/kernel/machine/system.ts'
import { assertRefused, send } from '../helpers/answers.ts'
import { makeClock, HOUR, MINUTE } from '../helpers/clock.ts'
import {
  cancel,
  getJob,
  jobFor,
  litterIn,
  listRuns,
  makeJob,
  type RunBody,
  runOnce,
  trigger,
  TOKEN,
  whenEnded,
} from '../helpers/export-jobs.ts'
import { eventually, installPuppet, type Puppet, puppetIn } from '../helpers/puppet.ts'
import { startServer, type ServerOptions, type TestServer, amongServers } from '../helpers/server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { renewEncryptionKey, storedIn } from '../helpers/tested-database.ts'

const PATH = '/api/v1/export-jobs'

/** Retries follow at once. */
const eager = { ...system, randomBytes: (count: number) => (count === 4 ? Buffer.alloc(4) : system.randomBytes(count)) }

interface Stage {
  readonly server: TestServer
  readonly puppet: Puppet
}

async function open(options: ServerOptions = {}): Promise<Stage> {
  const dataDir = options.dataDir ?? makeTempDirectory()
  const puppet = installPuppet(path.join(dataDir, 'plugins'))
  const testing = { system: eager, exportLimits: { attemptTime: () => 800, checkTime: 400, grace: 150 } }
  const server = await startServer({ testing, ...options, dataDir })
  return { server, puppet }
}

async function makeRecords(server: TestServer): Promise<void> {
  await make(server.admin, '/api/v1/schemas', {
    id: 'sch-x',
    name: 'X',
    attributes: [{ alias: 'title', dataType: 'text' }],
  })
  for (const title of ['one', 'two', 'three'])
    await make(server.admin, '/api/v1/records', { schemaId: 'sch-x', values: { title: everywhere(title) } })
}

/** Files in the spools of all servers: one of them runs the exports. */
const spoolOf = ({ dataDirs }: TestServer): string[] =>
  dataDirs.flatMap((directory) => {
    const spool = path.join(directory, 'spool')
    return readdirSync(spool).map((name) => path.join(spool, name))
  })

const isSpooled = (server: TestServer, { id }: { readonly id: string }): boolean =>
  spoolOf(server).some((file) => path.basename(file) === id)

describe('A run', () => {
  let server: TestServer
  let puppet: Puppet
  before(async () => {
    ;({ server, puppet } = await open())
    await makeRecords(server)
  })
  after(() => server.stop())

  const attemptsOf = (run: RunBody): number => puppet.log().filter((line) => line.includes(run.id)).length

  it('delivers the compressed file under the name that the template makes', async () => {
    const more = { compress: true, format: 'jsonl', filenameTemplate: '{date}_{jobId}_{runId}.{format}' }
    const run = await runOnce(server.admin, jobFor(puppet, 'deliver', more))
    assert.equal(run.status, 'success', run.error ?? '')
    const name = `${run.startedAt.slice(0, 10)}_${run.jobId}_${run.id}.jsonl.gz`
    const bytes = puppet.read(name)
    assert.deepEqual([run.fileSize, run.recordCount], [bytes.length, 3])
    assert.equal(gunzipSync(bytes).toString().trimEnd().split('\n').length, 3)
    assert.ok(puppet.log().includes(`deliver 1 ${name} ${bytes.length} application/gzip`))
  })

  it('an empty result is a whole file with no record', async () => {
    const body = jobFor(puppet, 'deliver', { includeLifecycleStateIds: ['state-review'], format: 'json' })
    const run = await runOnce(server.admin, body)
    assert.deepEqual([run.status, run.recordCount], ['success', 0])
    assert.deepEqual(JSON.parse(puppet.read(`export-${run.id}.csv`).toString()), [])
  })

  it('is tried again after a fault that can pass, under the same name', async () => {
    const run = await runOnce(server.admin, jobFor(puppet, 'thirdTime'))
    assert.deepEqual([run.status, run.error, attemptsOf(run)], ['success', null, 3])
    assert.ok(puppet.files().includes(`export-${run.id}.csv`))
  })

  const failing: [behaviour: string, attempts: number, error: RegExp][] = [
    ['throws', 2, /^the puppet throws, token \*\*\* \(after 2 attempts\)$/],
    ['rejects', 2, /^the puppet rejects, token \*\*\* \(after 2 attempts\)$/],
    ['throwsNothing', 2, /undefined \(after 2 attempts\)$/],
    ['permanent', 1, /^no such bucket$/],
    ['saysNothing', 1, /did not say where it put the file/],
    ['hangs', 2, /^it took longer than 1 seconds \(after 2 attempts\)$/],
  ]
  for (const [behaviour, attempts, error] of failing)
    it(`fails where its destination ${behaviour}, and says so`, async () => {
      const run = await runOnce(server.admin, jobFor(puppet, behaviour, { maxAttempts: 2 }))
      assert.equal(run.status, 'failed')
      assert.match(run.error!, error)
      // Of an attempt that is given up before its thread has begun the puppet knows nothing.
      if (behaviour === 'hangs') assert.ok(attemptsOf(run) <= attempts)
      else assert.equal(attemptsOf(run), attempts)
      assert.deepEqual([run.recordCount, run.fileSize, run.destinationPath], [null, null, null])
      assert.deepEqual(await litterIn(path.join(server.dataDir, 'spool'), server.admin), [])
      assert.ok(run.keptUntil! > run.completedAt!)
      assert.equal(run.attempts, attempts)
    })

  it('does not wait for a retry past the next match of its schedule', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'asksPatience', { schedule: '* * * * * *' }))
    const failed = await eventually(async () =>
      (await listRuns(server.admin, job.id)).find((run) => run.status === 'failed'),
    )
    assert.match(failed.error!, /^busy \(after 1 attempt; no time was left for another\)$/)
    assert.ok(Date.parse(failed.completedAt!) - Date.parse(failed.startedAt) < 30_000)
    await send(server.admin, 'DELETE', `${PATH}/${job.id}`)
  })

  it('a destination that is gone for good pauses the job', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'pauses'))
    const run = await whenEnded(server.admin, await trigger(server.admin, job.id))
    assert.equal(run.error, 'gone for good')
    const after = await getJob(server.admin, job.id)
    assert.deepEqual([after.active, after.nextRunAt], [false, null])
  })

  it('but not one that was given another destination meanwhile', async () => {
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(server.admin, jobFor(stage, 'pausesLater'))
    const run = await trigger(server.admin, job.id)
    await eventually(() => stage.log().length > 0)
    await send(server.admin, 'PUT', `${PATH}/${job.id}`, { ...job, ...jobFor(puppet, 'deliver') })
    stage.go()
    assert.equal((await whenEnded(server.admin, run)).error, 'gone for good')
    assert.equal((await getJob(server.admin, job.id)).active, true)
  })

  it('a path that a destination tells is free of secrets', async () => {
    const run = await runOnce(server.admin, jobFor(puppet, 'tellsSecret'))
    assert.equal(run.status, 'success')
    assert.equal(run.destinationPath, 'puppet://***@host/x?sig=***')
  })

  it('a destination that rejects after it was given up does no harm', async () => {
    const body = jobFor(puppet, 'rejectsLate', { maxAttempts: 1 })
    body.destinationConfig = Object.assign(body.destinationConfig, { delay: 400 })
    const run = await runOnce(server.admin, body)
    assert.match(run.error!, /took longer/)
    const line = await eventually(() => server.logged.find(({ msg }) => msg?.includes('too late')))
    assert.match(line.msg!, /after its time: too late, token \*\*\*$/)
    assert.equal((await send(server.anonymous, 'GET', '/healthz')).status, 200)
  })

  it('is cancelled though its destination takes no notice', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'rejectsLate', { maxAttempts: 3 }))
    const run = await trigger(server.admin, job.id)
    await eventually(() => attemptsOf(run) > 0)
    await cancel(server.admin, run)
    assert.equal((await whenEnded(server.admin, run)).error, 'cancelled')
    assert.equal(attemptsOf(run), 1)
  })

  it('its spool file can be read by nobody else, and is gone afterwards', async () => {
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(server.admin, jobFor(stage, 'waits'))
    const run = await trigger(server.admin, job.id)
    await eventually(() => stage.log().length > 0)
    const file = spoolOf(server).find((name) => path.basename(name) === run.id)!
    assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    stage.go()
    await whenEnded(server.admin, run)
    assert.ok(!isSpooled(server, run))
  })

  it('goes with its job: a deleted job ends it first', async () => {
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(server.admin, jobFor(stage, 'waits'))
    const run = await trigger(server.admin, job.id)
    await eventually(() => stage.log().length > 0)
    assert.equal((await send(server.admin, 'DELETE', `${PATH}/${job.id}`)).status, 204)
    stage.go()
    await sleep(100)
    assert.deepEqual([stage.files(), isSpooled(server, run)], [[], false])
    assertRefused(await send(server.admin, 'GET', `${PATH}/${job.id}`), 'NOT_FOUND', job.id)
  })

  it('goes on as it began when its job is changed meanwhile', async () => {
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(server.admin, jobFor(stage, 'waits'))
    const run = await trigger(server.admin, job.id)
    await send(server.admin, 'PUT', `${PATH}/${job.id}`, { ...job, name: 'Renamed', filenameTemplate: 'other' })
    stage.go()
    assert.equal((await whenEnded(server.admin, run)).status, 'success')
    assert.deepEqual(stage.files(), [`export-${run.id}.csv`])
    assert.equal((await getJob(server.admin, job.id)).name, 'Renamed')
  })

  it('four go on at the same time, others wait for their turn', async () => {
    const stages = Array.from({ length: 6 }, () => puppetIn(makeTempDirectory()))
    const runs: RunBody[] = []
    for (const stage of stages)
      runs.push(
        await trigger(server.admin, (await makeJob(server.admin, jobFor(stage, 'waits', { maxAttempts: 10 }))).id),
      )
    const begun = (): number => stages.filter((stage) => stage.log().length > 0).length
    await eventually(() => begun() === 4)
    await sleep(100)
    assert.equal(begun(), 4)
    await cancel(server.admin, runs[5]!)
    assert.equal((await whenEnded(server.admin, runs[5]!)).error, 'cancelled')
    for (const stage of stages) stage.go()
    for (const run of runs.slice(0, 5)) assert.equal((await whenEnded(server.admin, run)).status, 'success')
  })

  it('a check of a destination that hangs ends', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'hangs'))
    const { body } = await send<{ ok: boolean; message: string }>(server.admin, 'POST', `${PATH}/${job.id}/check`)
    assert.deepEqual(body, { ok: false, message: 'it took longer than 0 seconds' })
  })
})

describe('What a fault has left at a destination', () => {
  let server: TestServer
  let puppet: Puppet
  before(async () => {
    ;({ server, puppet } = await open())
  })
  after(() => server.stop())
  const swept = (run: RunBody): boolean => puppet.log().includes(`sweep part of ${run.id}`)

  it('is removed before the next delivery', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'litters'))
    const first = await whenEnded(server.admin, await trigger(server.admin, job.id))
    assert.deepEqual([first.error, swept(first)], ['left something behind', false])
    const second = await whenEnded(server.admin, await trigger(server.admin, job.id))
    const lines = puppet.log()
    assert.ok(
      lines.indexOf(`sweep part of ${first.id}`) < lines.findIndex((line) => line.includes(`export-${second.id}`)),
    )
  })

  it('is removed before the job goes elsewhere, or goes', async () => {
    const job = await makeJob(server.admin, jobFor(puppet, 'litters'))
    const first = await whenEnded(server.admin, await trigger(server.admin, job.id))
    const settings = { ...job.destinationConfig, token: TOKEN }
    const elsewhere = { ...job, destinationConfig: { ...settings, behaviour: 'permanent' } }
    assert.equal((await send(server.admin, 'PUT', `${PATH}/${job.id}`, elsewhere)).status, 200)
    assert.ok(swept(first))
    const back = { ...job, destinationConfig: settings }
    assert.equal((await send(server.admin, 'PUT', `${PATH}/${job.id}`, back)).status, 200)
    const second = await whenEnded(server.admin, await trigger(server.admin, job.id))
    await send(server.admin, 'DELETE', `${PATH}/${job.id}`)
    assert.ok(swept(second))
  })

  it('is removed when the server starts', async () => {
    const run = await runOnce(server.admin, jobFor(puppet, 'litters'))
    assert.equal(swept(run), false)
    server = await server.restart()
    await eventually(() => swept(run))
  })
})

describe('A server that stops', () => {
  it('ends its runs: they have failed as interrupted, and the next start finds nothing of them', async () => {
    const { server, puppet } = await open()
    const job = await makeJob(server.admin, jobFor(puppet, 'waits', { maxAttempts: 10 }))
    const hanging = await makeJob(server.admin, jobFor(puppet, 'hangs', { maxAttempts: 10 }))
    const runs = [await trigger(server.admin, job.id), await trigger(server.admin, hanging.id)]
    await eventually(() => puppet.log().length >= 2)
    const begin = Date.now()
    const next = await server.restart()
    assert.ok(Date.now() - begin < 30_000)
    for (const run of runs) {
      const ended = await whenEnded(next.admin, run)
      assert.deepEqual([ended.status, ended.error], ['failed', 'interrupted: the server stopped during this run'])
    }
    assert.deepEqual([await litterIn(path.join(server.dataDir, 'spool'), next.admin), puppet.files()], [[], []])
    await next.stop()
  })

  it('runs that it finds running at its start have failed as interrupted', async () => {
    const { server, puppet } = await open()
    const job = await makeJob(server.admin, jobFor(puppet, 'deliver'))
    await send(server.admin, 'POST', `${PATH}/${job.id}/runs`, { status: 'running', id: 'run-old' })
    writeFileSync(path.join(server.dataDir, 'spool', 'run-old'), 'half')
    const next = await server.restart()
    const [run] = await listRuns(next.admin, job.id)
    assert.deepEqual(
      [run!.id, run!.status, run!.error],
      ['run-old', 'failed', 'interrupted: the server stopped during this run'],
    )
    assert.ok(run!.completedAt! >= run!.startedAt)
    assert.deepEqual(spoolOf(next), [])
    await next.stop()
  })
})

describe('A schedule', { concurrency: true }, () => {
  it('begins runs by itself, skips matches while one goes on, and ends with its job’s pause', async () => {
    const { server, puppet } = await open({ testing: { system } })
    const job = await makeJob(server.admin, jobFor(puppet, 'waits', { schedule: '* * * * * *' }))
    await eventually(() => puppet.log().length > 0)
    await eventually(() => server.logged.find(({ msg }) => msg?.includes('skipped')))
    assert.equal((await listRuns(server.admin, job.id)).length, 1)
    puppet.go()
    await eventually(async () => (await listRuns(server.admin, job.id)).length > 1)
    await send(server.admin, 'POST', `${PATH}/${job.id}/pause`)
    await eventually(async () => (await listRuns(server.admin, job.id)).every(({ status }) => status === 'success'))
    const { length } = await listRuns(server.admin, job.id)
    await sleep(1200)
    assert.equal((await listRuns(server.admin, job.id)).length, length)
    await server.stop()
  })

  it('missed while the server was down: by the job’s policy one run or none, and the next match is the right one', async () => {
    const clock = { ...makeClock(), randomBytes: eager.randomBytes }
    clock.advance(Date.parse('2030-03-05T22:10:00Z') - clock.now().getTime())
    const { server, puppet } = await open({ testing: { system: clock } })
    const more = { schedule: '0 * * * *', filenameTemplate: '{date}-{time}.csv', timezone: 'Europe/Berlin' }
    const once = await makeJob(server.admin, jobFor(puppet, 'deliver', { ...more, missedRunPolicy: 'once' }))
    const skip = await makeJob(server.admin, jobFor(puppet, 'deliver', more))
    const paused = await makeJob(
      server.admin,
      jobFor(puppet, 'deliver', { ...more, missedRunPolicy: 'once', active: false }),
    )
    assert.equal(once.nextRunAt, '2030-03-05T23:00:00.000Z')
    let next = await server.restart()
    assert.deepEqual(await listRuns(next.admin, once.id), [], 'nothing was missed')
    await next.stop()
    clock.advance(3 * HOUR + 30 * MINUTE)
    next = await startServer({ dataDir: server.dataDir, testing: { system: clock } })
    await eventually(async () => (await getJob(next.admin, once.id)).lastRun?.status === 'success')
    assert.deepEqual(puppet.files(), ['2030-03-06-020000.csv'])
    assert.deepEqual([await listRuns(next.admin, skip.id), await listRuns(next.admin, paused.id)], [[], []])
    for (const id of [once.id, skip.id])
      assert.equal((await getJob(next.admin, id)).nextRunAt, '2030-03-06T02:00:00.000Z')
    next = await next.restart()
    assert.equal((await listRuns(next.admin, once.id)).length, 1, 'it was made up for already')
    await next.stop()
  })
})

describe('A job that the server can no longer serve', () => {
  it('because its plugin is gone: it is listed, and its runs fail saying so', async () => {
    const { server, puppet } = await open()
    const job = await makeJob(server.admin, jobFor(puppet, 'deliver'))
    await server.stop()
    rmSync(path.join(server.dataDir, 'plugins', 'puppet.mjs'))
    const next = await startServer({ dataDir: server.dataDir })
    assert.deepEqual(await getJob(next.admin, job.id), job)
    const run = await whenEnded(next.admin, await trigger(next.admin, job.id))
    assert.deepEqual(
      [run.status, run.error],
      ['failed', "the plugin of the destination type 'puppet' is not installed"],
    )
    const check = await send<{ ok: boolean }>(next.admin, 'POST', `${PATH}/${job.id}/check`)
    assert.equal(check.body.ok, false)
    assertRefused(await send(next.admin, 'PUT', `${PATH}/${job.id}`, job), 'VALIDATION_ERROR', 'destinationType', 's3')
    assert.equal((await send(next.admin, 'DELETE', `${PATH}/${job.id}`)).status, 204)
    await next.stop()
  })

  it(
    'because the key of its secrets was lost and created again: its runs fail saying so, until the secret is sent again',
    { skip: amongServers },
    async () => {
      const { server, puppet } = await open()
      const job = await makeJob(server.admin, jobFor(puppet, 'deliver'))
      await server.stop()
      await renewEncryptionKey(server.dataDir)
      const next = await startServer({ dataDir: server.dataDir })
      const run = await whenEnded(next.admin, await trigger(next.admin, job.id))
      assert.match(run.error!, /the stored secret 'token' cannot be read/)
      assertRefused(
        await send(next.admin, 'PUT', `${PATH}/${job.id}`, job),
        'VALIDATION_ERROR',
        'destinationConfig.token',
      )
      const destinationConfig = { ...job.destinationConfig, token: TOKEN }
      assert.equal((await send(next.admin, 'PUT', `${PATH}/${job.id}`, { ...job, destinationConfig })).status, 200)
      assert.equal((await whenEnded(next.admin, await trigger(next.admin, job.id))).status, 'success')
      await next.stop()
    },
  )
})

describe('A secret', () => {
  it('is nowhere: no answer, log line, file of the data directory or row of a database has it', async () => {
    const { server, puppet } = await open()
    await makeRecords(server)
    const texts: string[] = []
    const ask = async (method: string, at: string, body?: object): Promise<unknown> => {
      const answer = await send(server.admin, method, at, body)
      texts.push(answer.text, JSON.stringify([...answer.headers]))
      return answer.body
    }
    for (const behaviour of ['deliver', 'throws', 'rejects', 'tellsSecret', 'rejectsLate', 'litters']) {
      const body = jobFor(puppet, behaviour, { maxAttempts: 2 })
      const headers = { Authorization: `Bearer ${TOKEN}` }
      const job = (await ask('POST', PATH, { ...body, destinationConfig: { ...body.destinationConfig, headers } })) as {
        id: string
      }
      await ask('PUT', `${PATH}/${job.id}`, job)
      await ask('POST', `${PATH}/${job.id}/check`)
      await whenEnded(server.admin, await trigger(server.admin, job.id))
      for (const at of ['', '/runs']) await ask('GET', `${PATH}/${job.id}${at}`)
      await ask('POST', PATH, { ...body, destinationConfig: { behaviour: TOKEN, token: TOKEN } })
      await ask('POST', PATH, { ...body, destinationConfig: { validation: 'throws', token: TOKEN } })
    }
    await ask('GET', PATH)
    await server.stop()
    texts.push(...(await storedIn(server.dataDir)), JSON.stringify(server.logged))
    for (const told of ['********', 'the puppet logs', 'puppet failed to check settings: Error: a bug, token ***'])
      assert.ok(
        texts.some((text) => text.includes(told)),
        told,
      )
    const forms = [
      TOKEN,
      encodeURIComponent(TOKEN),
      Buffer.from(TOKEN).toString('base64').slice(0, 20),
      TOKEN.slice(0, 15),
    ]
    for (const form of forms)
      assert.deepEqual(
        texts.filter((text) => text.includes(form)).map((text) => text.slice(0, 300)),
        [],
      )
  })
})

describe('A start', () => {
  it('ends with a clear line where a plugin or an allowed destination is wrong', async () => {
    const dataDir = makeTempDirectory()
    installPuppet(path.join(dataDir, 'plugins'))
    writeFileSync(path.join(dataDir, 'plugins', 'broken.mjs'), 'export default { type: "broken" }')
    await assert.rejects(startServer({ dataDir }), /StartError: plugin .*broken\.mjs: "config" must be/)
    rmSync(path.join(dataDir, 'plugins', 'broken.mjs'))
    await assert.rejects(startServer({ dataDir, allowDestinations: ['10.0.0.0/99'] }), /UsageError: .*10\.0\.0\.0\/99/)
    await (await startServer({ dataDir })).stop()
  })

  it('empties no directory that the spool is only a link to', async () => {
    const [dataDir, elsewhere] = [makeTempDirectory(), makeTempDirectory()]
    writeFileSync(path.join(elsewhere, 'precious'), '')
    symlinkSync(elsewhere, path.join(dataDir, 'spool'))
    await assert.rejects(startServer({ dataDir }), /StartError: .*spool must be a directory/)
    assert.deepEqual(readdirSync(elsewhere), ['precious'])
    rmSync(path.join(dataDir, 'spool'))
    const server = await startServer({ dataDir })
    await server.stop()
    symlinkSync(elsewhere, path.join(dataDir, 'spool', 'link'))
    await (await startServer({ dataDir })).stop()
    assert.deepEqual([readdirSync(elsewhere), spoolOf(server)], [['precious'], []])
  })
})
