// What a run tells while it goes on and when it has ended, what keeps its file from being delivered, and what is delivered beside it
// or again. Contract 3 §5, 3 §10.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, send } from '../../helpers/answers.ts'
import { jobFor, type JobBody, makeJob, type RunBody, runOnce, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { atOneServer, keyClient } from '../../helpers/client.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { eventually, installPuppet, type Puppet, puppetIn } from '../../helpers/puppet.ts'
import { english, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  for (let index = 0; index < 10; index += 1)
    await makeShirt(shop.admin, { name: [english(`Shirt ${index}`)] }, { id: `shirt-${index}` })
})
after(() => shop.stop())

const body = (more: object = {}) => jobFor(puppet, 'deliver', { filenameTemplate: '{runId}.csv', ...more })
const run = async ({ id }: JobBody, admin = shop.admin): Promise<RunBody> => whenEnded(admin, await trigger(admin, id))
const runPath = ({ jobId, id }: RunBody) => `${PATH}/${jobId}/runs/${id}`

describe('The guards of a job', () => {
  it('keep a file with too few records from being delivered', async () => {
    const few = await runOnce(shop.admin, body({ guards: { minRecords: 11 } }))
    assert.deepEqual([few.status, few.sha256, few.keptUntil, few.attempts], ['failed', null, null, 0])
    assert.match(String(few.error), /10 records, fewer than minRecords, which is 11/)
    assert.ok(!puppet.files().includes(`${few.id}.csv`))
    assert.equal((await runOnce(shop.admin, body({ guards: { minRecords: 10 } }))).status, 'success')
  })

  it('compare with the last full file that was delivered, and let exactly the limit pass', async () => {
    const job = await makeJob(shop.admin, body({ guards: { maxDropPercent: 30 } }))
    assert.equal((await run(job)).recordCount, 10)
    const only = async (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `shirt-${index}`)
      const selection = { criteria: [{ field: 'id', operator: 'in', value: ids }], criteriaOperator: 'and' }
      const { status } = await send(shop.admin, 'PUT', `${PATH}/${job.id}`, { ...job, selection })
      assert.equal(status, 200)
      return run(job)
    }
    const dropped = await only(6)
    assert.match(String(dropped.error), /6 records after 10 .* maxDropPercent, which is 30/)
    assert.equal((await only(7)).status, 'success')
    assert.equal((await only(6)).status, 'success')
  })

  it('are checked when the job is saved', async () => {
    for (const [guards, named] of [
      [{ minRecords: -1 }, 'guards.minRecords'],
      [{ maxDropPercent: 101 }, 'guards.maxDropPercent'],
      [{ minRecord: 1 }, 'minRecords'],
    ] as const)
      assertRefused(await send(shop.admin, 'POST', PATH, body({ guards })), 'VALIDATION_ERROR', named)
  })
})

describe('A checksum', () => {
  it('is delivered beside the file, and told of the run', async () => {
    const { id, sha256, status, recordCount } = await runOnce(shop.admin, body({ checksum: 'sha256' }))
    assert.deepEqual([status, recordCount], ['success', 10])
    const digest = createHash('sha256')
      .update(puppet.read(`${id}.csv`))
      .digest('hex')
    assert.equal(sha256, digest)
    assert.equal(puppet.read(`${id}.csv.sha256`).toString(), `${digest}  ${id}.csv\n`)
  })
})

describe('GET /api/v1/export-jobs/:id/runs/:runId?wait=', () => {
  it('answers when something has changed, with how far the run has come', async () => {
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(shop.admin, jobFor(stage, 'waits'))
    const admin = atOneServer(shop.admin)
    const begun = await trigger(admin, job.id)
    const get = (wait: number) => send<RunBody>(admin, 'GET', `${runPath(begun)}?wait=${wait}`)
    const delivering = await eventually(async () => {
      const { body: seen } = await get(1)
      return seen.progress?.phase === 'delivering' && seen
    })
    assert.deepEqual([delivering.progress!.records, delivering.progress!.attempt], [10, 1])
    assert.deepEqual([delivering.durationMs, delivering.attempts, delivering.kind], [null, null, 'full'])
    const waiting = get(25)
    stage.go()
    const ended = (await waiting).body
    assert.deepEqual([ended.status, ended.progress, ended.attempts], ['success', null, 1])
    assert.equal(ended.durationMs, Date.parse(ended.completedAt!) - Date.parse(ended.startedAt))
    assertRefused(await send(shop.admin, 'GET', `${runPath(begun)}?wait=26`), 'VALIDATION_ERROR', 'wait')
  })

  it('refuses a caller whose role loses the permission during the wait', async () => {
    const role = { name: 'Watches', permissions: ['exportJobs.read'], defaultAttributePermission: 'read' }
    await make(shop.admin, '/api/v1/roles', { id: 'role-watches', ...role })
    const { key } = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', { name: 'W', roleId: 'role-watches' })
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(shop.admin, jobFor(stage, 'waits'))
    const admin = atOneServer(shop.admin)
    const begun = await trigger(admin, job.id)
    const watcher = { ...admin, headers: keyClient(admin.url, key).headers }
    const get = () => send<RunBody>(watcher, 'GET', `${runPath(begun)}?wait=25`)
    await eventually(async () => (await get()).body.progress?.phase === 'delivering')
    const waiting = get()
    await sleep(100)
    const less = await send(shop.admin, 'PUT', '/api/v1/roles/role-watches', { ...role, permissions: [] })
    assert.equal(less.status, 200)
    stage.go()
    assertRefused(await waiting, 'PERMISSION_DENIED', 'exportJobs.read')
  })
})

describe('POST /api/v1/export-jobs/:id/runs/:runId/redeliver', () => {
  it('needs exportJobs.write, and a run that exists', async () => {
    const failed = await runOnce(
      shop.admin,
      body({ destinationConfig: { behaviour: 'permanent', directory: puppet.directory, token: 'x' } }),
    )
    await assertGuarded(shop, { method: 'POST', path: `${runPath(failed)}/redeliver` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export run', (id) => ({
      method: 'POST',
      path: `${PATH}/${failed.jobId}/runs/${id}/redeliver`,
    }))
  })

  it('delivers the very file, also after the server was started again and records have changed', async () => {
    const stage = puppetIn(makeTempDirectory())
    const job = await makeJob(
      shop.admin,
      jobFor(stage, 'failsUntilGo', { filenameTemplate: '{runId}.csv', checksum: 'sha256' }),
    )
    const { admin } = shop
    const first = await run(job, admin)
    assert.ok(first.keptUntil! > first.completedAt!)
    const again = await send<RunBody>(admin, 'POST', `${runPath(first)}/redeliver`)
    assert.equal(again.status, 202, again.text)
    assert.deepEqual([again.body.redelivers, again.body.kind], [first.id, 'full'])
    assert.equal((await whenEnded(shop.admin, again.body)).status, 'failed')
    const change = { values: { name: [english('Changed since')] } }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/records/shirt-0', change)).status, 200)
    stage.go()
    const mended = { ...job, destinationConfig: { ...job.destinationConfig, token: 'another' } }
    assert.equal((await send(shop.admin, 'PUT', `${PATH}/${job.id}`, mended)).status, 200)
    const key = { 'idempotency-key': 'once-more' }
    const third = await send<RunBody>(admin, 'POST', `${runPath(first)}/redeliver`, undefined, key)
    assert.equal((await send(admin, 'POST', `${runPath(first)}/redeliver`, undefined, key)).text, third.text)
    const done = await whenEnded(shop.admin, third.body)
    assert.deepEqual([done.status, done.recordCount, done.sha256], ['success', 10, first.sha256])
    const file = stage.read(`${first.id}.csv`)
    assert.equal(createHash('sha256').update(file).digest('hex'), first.sha256)
    assert.doesNotMatch(file.toString(), /Changed since/)
    assert.ok(stage.files().includes(`${first.id}.csv.sha256`))
    assertRefused(await send(shop.admin, 'POST', `${runPath(done)}/redeliver`), 'CONFLICT', done.id)
  })

  it('is refused for a run whose file never was to be delivered, or is kept no more: of a job the last three are', async () => {
    const guarded = await runOnce(shop.admin, body({ guards: { minRecords: 99 } }))
    assertRefused(await send(shop.admin, 'POST', `${runPath(guarded)}/redeliver`), 'CONFLICT', 'not kept')
    const config = { behaviour: 'permanent', directory: puppet.directory, token: 'x' }
    const job = await makeJob(shop.admin, body({ destinationConfig: config }))
    const { admin } = shop
    const runs: RunBody[] = []
    for (let count = 0; count < 4; count += 1) runs.push(await run(job, admin))
    assertRefused(await send(admin, 'POST', `${runPath(runs[0]!)}/redeliver`), 'CONFLICT', 'not kept')
    assert.equal((await send(admin, 'POST', `${runPath(runs[1]!)}/redeliver`)).status, 202)
  })
})
