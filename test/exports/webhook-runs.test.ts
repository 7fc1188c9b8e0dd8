// Whole runs to a webhook: from the schedule and the records to what the receiver gets.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { assertRefused, send } from '../helpers/answers.ts'
import { type JobBody, getJob, listRuns, makeJob, runOnce, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { eventually } from '../helpers/puppet.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { startWebhookSink, type WebhookSink } from '../helpers/webhook-sink.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoaXMgdGVzdA=='

let server: TestServer
let sink: WebhookSink
before(async () => {
  sink = await startWebhookSink({ secret: SECRET })
  server = await startServer({ allowDestinations: ['127.0.0.1'] })
  const attributes = [{ alias: 'title', dataType: 'text' }]
  await make(server.admin, '/api/v1/schemas', { id: 'sch-w', name: 'W', attributes })
  for (const title of ['Grüße', '<b>&amp;'])
    await make(server.admin, '/api/v1/records', { schemaId: 'sch-w', values: { title: everywhere(title) } })
})
after(async () => {
  await server.stop()
  await sink.close()
})

const body = (more: object = {}) => ({
  name: 'Hook',
  format: 'jsonl',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: true,
  filenameTemplate: '{date} {runId}.{format}',
  destinationType: 'webhook',
  destinationConfig: {
    url: `http://127.0.0.1:${sink.port}${sink.path}?key=in-the-query`,
    headers: { 'X-Token': sink.token },
    signingSecret: SECRET,
  },
  ...more,
})

describe('A run to a webhook', () => {
  it('brings the signed file with what it says of it, and the run tells where it went', async () => {
    sink.behaviour = 'good'
    const run = await runOnce(server.admin, body())
    assert.equal(run.status, 'success', run.error ?? '')
    const name = `${run.startedAt.slice(0, 10)} ${run.id}.jsonl.gz`
    const file = sink.files.get(name)!
    assert.deepEqual([file.length, run.recordCount], [run.fileSize, 2])
    const lines = gunzipSync(file).toString().trimEnd().split('\n')
    const titles = lines.map(
      (line) => (JSON.parse(line) as { values: { title: { value: string }[] } }).values.title[0]!,
    )
    assert.deepEqual(
      titles.map(({ value }) => value),
      ['Grüße', '<b>&amp;'],
    )
    const { headers } = sink.requests.at(-1)!
    assert.deepEqual(
      [headers['x-pimlet-job'], headers['x-pimlet-run'], headers['webhook-id'], headers['content-type']],
      [run.jobId, run.id, run.id, 'application/gzip'],
    )
    assert.equal(run.destinationPath, `http://127.0.0.1:${sink.port}${sink.path}`)
  })

  it('is followed by its checksum, a message with an id of its own', async () => {
    const run = await runOnce(server.admin, body({ checksum: 'sha256' }))
    assert.equal(run.status, 'success', run.error ?? '')
    const requests = sink.requests.filter(({ headers }) => headers['x-pimlet-run'] === run.id)
    assert.deepEqual(
      requests.map(({ headers }) => [headers['webhook-id'], headers['content-type']]),
      [
        [run.id, 'application/gzip'],
        [`${run.id}-sha256`, 'text/plain; charset=utf-8'],
      ],
    )
    const name = `${run.startedAt.slice(0, 10)} ${run.id}.jsonl.gz`
    assert.equal(sink.files.get(`${name}.sha256`)!.toString(), `${run.sha256}  ${name}\n`)
  })

  it('comes by itself when its schedule says so', async () => {
    sink.behaviour = 'good'
    const job = await makeJob(server.admin, body({ schedule: '* * * * * *' }))
    const run = await eventually(async () =>
      (await listRuns(server.admin, job.id)).find((one) => one.status !== 'running'),
    )
    assert.equal(run.status, 'success', run.error ?? '')
    const paused = { ...body(), active: false }
    await fetch(`${server.url}/export-jobs/${job.id}`, {
      method: 'PUT',
      headers: { ...server.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify(paused),
    })
  })

  it('is brought again under the same id while the receiver is busy', async () => {
    sink.behaviour = { status: 503 }
    const job = await makeJob(server.admin, body())
    const run = await trigger(server.admin, job.id)
    const requests = () => sink.requests.filter(({ headers }) => headers['x-pimlet-run'] === run.id)
    await eventually(() => requests().length > 0)
    sink.behaviour = 'good'
    assert.equal((await whenEnded(server.admin, run)).status, 'success')
    assert.ok(requests().length >= 2)
    assert.deepEqual([...new Set(requests().map(({ headers }) => headers['webhook-id']))], [run.id])
  })

  it('ends at once where the receiver refuses it', async () => {
    const wrong = { ...body().destinationConfig, headers: { 'X-Token': 'not-the-token' } }
    sink.behaviour = 'good'
    const before = sink.requests.length
    const run = await runOnce(server.admin, body({ destinationConfig: wrong }))
    assert.equal(run.status, 'failed')
    assert.match(run.error!, /403/)
    assert.equal(sink.requests.length, before + 1)
    assert.doesNotMatch(run.error!, /not-the-token|in-the-query/)
  })

  it('pauses its job where the receiver is gone for good', async () => {
    sink.behaviour = { status: 410 }
    const job = await makeJob(server.admin, body())
    await whenEnded(server.admin, await trigger(server.admin, job.id))
    const after: JobBody = await getJob(server.admin, job.id)
    assert.deepEqual([after.active, after.nextRunAt, after.lastRun?.status], [false, null, 'failed'])
  })

  it('does not reach an address that the server was not told to allow', async () => {
    const open = await startServer({ allowDestinations: ['127.0.0.1'] })
    const job = await makeJob(open.admin, body())
    await open.stop()
    const guarded = await startServer({ dataDir: open.dataDir })
    const refused = await send(guarded.admin, 'POST', '/api/v1/export-jobs', body())
    assertRefused(refused, 'VALIDATION_ERROR', 'destinationConfig.url', '127.0.0.1 is refused', '--allow-destination')
    const run = await whenEnded(guarded.admin, await trigger(guarded.admin, job.id))
    await guarded.stop()
    assert.equal(run.status, 'failed')
    assert.match(run.error!, /127\.0\.0\.1 is refused .*--allow-destination/)
  })
})
