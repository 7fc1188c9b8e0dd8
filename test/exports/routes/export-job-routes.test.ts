// Endpoints of export jobs, the ladder for each.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import {
  getJob,
  type JobBody,
  jobFor,
  listRuns,
  makeJob,
  trigger,
  TOKEN,
  whenEnded,
} from '../../helpers/export-jobs.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { PLAIN_JOB } from '../../helpers/plain-job.ts'
import { installPuppet, type Puppet, puppetIn } from '../../helpers/puppet.ts'
import { make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
})
after(() => shop.stop())

const body = (more: object = {}) => jobFor(puppet, 'deliver', more)
const put = (id: string, job: object) => send<JobBody>(shop.admin, 'PUT', `${PATH}/${id}`, job)

describe('POST /api/v1/export-jobs', () => {
  it('needs exportJobs.write', () =>
    assertGuarded(shop, { method: 'POST', path: PATH, body: body() }, 'exportJobs.write'))

  it('answers 201 with the job: what was sent, what was left out, and no secret', async () => {
    const before = new Date().toISOString()
    const { status, body: job } = await send<JobBody>(shop.admin, 'POST', PATH, body())
    assert.equal(status, 201)
    assert.match(job.id, /^job-[0-9a-z]{20,}$/)
    assert.ok(job.createdAt >= before && job.createdAt === job.updatedAt)
    assert.match(job.nextRunAt!, /-01-01T03:00:00\.000Z$/)
    const { ownerKind: _kind, resumesWithOwner: _resumes, ...shown } = PLAIN_JOB
    assert.deepEqual(job, {
      id: job.id,
      name: 'Nightly',
      description: '',
      destinationType: 'puppet',
      destinationConfig: { behaviour: 'deliver', directory: puppet.directory, token: '********' },
      format: 'csv',
      schemaId: null,
      catalogId: null,
      dimensionScope: null,
      ...shown,
      includeLifecycleStateIds: null,
      schedule: '0 3 1 1 *',
      timezone: 'UTC',
      missedRunPolicy: 'skip',
      includeVariants: true,
      variantValues: 'effective',
      compress: false,
      spreadsheetSafe: false,
      filenameTemplate: 'export-{runId}.csv',
      maxAttempts: 5,
      active: true,
      createdAt: job.createdAt,
      updatedAt: job.updatedAt,
      createdBy: 'key-bootstrap',
      ownerId: 'key-bootstrap',
      nextRunAt: job.nextRunAt,
      lastRun: null,
    })
    assert.deepEqual(await getJob(shop.admin, job.id), job)
  })

  it('takes every field, and a job that is not active has no next run', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-all', name: 'All' })
    const fields = {
      id: 'job-whole',
      name: 'Whole',
      description: 'All of it',
      format: 'xml',
      schemaId: 'sch-shirt',
      catalogId: 'cat-all',
      dimensionScope: { language: 'de', constructor: 'toString' },
      includeLifecycleStateIds: ['state-review', 'state-published'],
      schedule: '30 0 2 * * *',
      timezone: 'Europe/Berlin',
      missedRunPolicy: 'once',
      includeVariants: false,
      variantValues: 'own',
      compress: true,
      spreadsheetSafe: true,
      filenameTemplate: '{date}-{time}-{jobId}-{runId}.{format}',
      maxAttempts: 10,
      active: false,
    }
    const job = await makeJob(shop.admin, body(fields))
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(job[name as keyof JobBody], value, name)
    assert.equal(job.nextRunAt, null)
  })

  it('a duplicate ID is a CONFLICT', async () => {
    await makeJob(shop.admin, body({ id: 'toString' }))
    const twice = await send(shop.admin, 'POST', PATH, body({ id: 'toString', name: 'Second' }))
    assertRefused(twice, 'CONFLICT', 'Export job', 'toString')
    assert.equal((await getJob(shop.admin, 'toString')).name, 'Nightly')
  })

  const refused: [title: string, fields: object, named: string[]][] = [
    ['no name', { name: undefined }, ['name is required']],
    [
      'an unknown destination',
      { destinationType: 'ftp' },
      ['destinationType', 'azure-blob, puppet, s3, sftp, webhook'],
    ],
    ['no settings', { destinationConfig: undefined }, ['destinationConfig is required']],
    ['settings that are a list', { destinationConfig: [] }, ['destinationConfig must be an object']],
    ['settings without end', { destinationConfig: { a: 'x'.repeat(70_000) } }, ['destinationConfig', '65536']],
    ['an unknown format', { format: 'yaml' }, ['format must be one of csv, json, jsonl, xml, xlsx']],
    ['no schedule', { schedule: undefined }, ['schedule is required']],
    ['a schedule of four fields', { schedule: '* * * *' }, ['schedule', '5 or 6 fields']],
    ['a schedule that is none', { schedule: '0 25 * * *' }, ['schedule', '25']],
    ['a schedule that never fires', { schedule: '0 0 31 2 *' }, ['schedule never matches']],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }, ['timezone']],
    ['an unknown schema', { schemaId: 'sch-gone' }, ['schemaId', 'sch-gone']],
    ['an unknown catalog', { catalogId: 'cat-gone' }, ['catalogId', 'cat-gone']],
    ['an unknown dimension', { dimensionScope: { taste: 'sweet' } }, ['dimensionScope', 'taste']],
    ['an unknown segment', { dimensionScope: { language: 'fr' } }, ['dimensionScope', 'fr']],
    ['an unknown state', { includeLifecycleStateIds: ['state-gone'] }, ['includeLifecycleStateIds', 'state-gone']],
    ['no state at all', { includeLifecycleStateIds: [] }, ['includeLifecycleStateIds']],
    ['a state twice', { includeLifecycleStateIds: ['state-draft', 'state-draft'] }, ['includeLifecycleStateIds']],
    ['an unknown placeholder', { filenameTemplate: '{day}.csv' }, ['filenameTemplate', '{day}']],
    ['a path', { filenameTemplate: 'a/b.csv' }, ['filenameTemplate']],
    ['a name that climbs', { filenameTemplate: '..' }, ['filenameTemplate']],
    ['a missing flag', { compress: undefined }, ['compress is required']],
    ['a flag that is text', { includeVariants: 'true' }, ['includeVariants']],
    ['no attempts', { maxAttempts: 0 }, ['maxAttempts']],
    ['eleven attempts', { maxAttempts: 11 }, ['maxAttempts']],
    ['unknown values of variants', { variantValues: 'all' }, ["variantValues must be 'effective' or 'own'"]],
    ['a misspelt member', { shedule: '0 3 1 1 *', schedule: undefined }, ["'shedule': did you mean 'schedule'?"]],
    ['a member that nobody knows', { surplus: 1 }, ["Unknown member 'surplus'", 'known are id, name']],
    ['an unknown policy', { missedRunPolicy: 'always' }, ['missedRunPolicy']],
  ]
  for (const [title, fields, named] of refused)
    it(`refuses ${title}, naming the field`, async () => {
      const count = (await send<JobBody[]>(shop.admin, 'GET', PATH)).body.length
      assertRefused(await send(shop.admin, 'POST', PATH, body(fields)), 'VALIDATION_ERROR', ...named)
      assert.equal((await send<JobBody[]>(shop.admin, 'GET', PATH)).body.length, count)
    })

  it('refuses settings that the destination does not take, naming the field and no secret', async () => {
    const destinationConfig = { behaviour: 'dances', directory: puppet.directory, token: TOKEN }
    const answer = await send(shop.admin, 'POST', PATH, body({ destinationConfig }))
    assertRefused(answer, 'VALIDATION_ERROR', 'destinationConfig.behaviour', 'is no behaviour')
    assert.ok(!answer.text.includes(TOKEN))
  })

  it('a plugin whose check fails has refused the settings', async () => {
    const destinationConfig = { validation: 'throws', token: TOKEN }
    const answer = await send(shop.admin, 'POST', PATH, body({ destinationConfig }))
    assertRefused(answer, 'VALIDATION_ERROR', 'destinationConfig', 'puppet')
    assert.ok(!answer.text.includes(TOKEN))
  })

  it('checks the settings of built-in destinations by their own rules', async () => {
    const s3 = { destinationType: 's3', destinationConfig: { path: 'x', region: 'eu-central-1' } }
    assertRefused(await send(shop.admin, 'POST', PATH, body(s3)), 'VALIDATION_ERROR', 'destinationConfig.bucket')
    const webhook = { destinationType: 'webhook', destinationConfig: { method: 'PUT' } }
    const noUrl = await send(shop.admin, 'POST', PATH, body(webhook))
    assertRefused(noUrl, 'VALIDATION_ERROR', 'destinationConfig.url is required')
    const sftp = { destinationType: 'sftp', destinationConfig: { host: 'h', username: 'u', password: 'hidden-4711' } }
    const answer = await send(shop.admin, 'POST', PATH, body(sftp))
    assertRefused(answer, 'VALIDATION_ERROR', 'hostKeySha256')
    assert.ok(!answer.text.includes('hidden-4711'))
  })

  it('keeps only settings that the destination knows, headers with odd names too', async () => {
    const headers = { Authorization: 'Bearer x', 'x.y': '1', constructor: '2', __proto: '3' }
    const destinationConfig = { behaviour: 'deliver', directory: puppet.directory, headers, Token: 'misspelt' }
    const job = await makeJob(shop.admin, body({ destinationConfig }))
    assert.deepEqual(job.destinationConfig, {
      behaviour: 'deliver',
      directory: puppet.directory,
      headers: { Authorization: '********', 'x.y': '********', constructor: '********', __proto: '********' },
    })
  })

  it('a placeholder where nothing is stored is refused', async () => {
    const destinationConfig = { behaviour: 'deliver', directory: puppet.directory, token: '********' }
    const answer = await send(shop.admin, 'POST', PATH, body({ destinationConfig }))
    assertRefused(answer, 'VALIDATION_ERROR', 'destinationConfig.token')
  })
})

describe('GET /api/v1/export-jobs', () => {
  it('needs exportJobs.read', async () => {
    await makeJob(shop.admin, body({ id: 'job-read' }))
    await assertGuarded(shop, { method: 'GET', path: PATH }, 'exportJobs.read')
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/job-read` }, 'exportJobs.read')
  })

  it('lists jobs in the order of their creation, each with its last run', async () => {
    const first = await makeJob(shop.admin, body({ id: 'job-z' }))
    await makeJob(shop.admin, body({ id: 'job-a' }))
    await whenEnded(shop.admin, await trigger(shop.admin, first.id))
    const { body: jobs } = await send<JobBody[]>(shop.editor, 'GET', PATH)
    assert.deepEqual(
      jobs.slice(-2).map((job) => [job.id, job.lastRun?.status]),
      [
        ['job-z', 'success'],
        ['job-a', undefined],
      ],
    )
    assert.deepEqual(jobs.at(-2), await getJob(shop.admin, 'job-z'))
  })
})

describe('GET /api/v1/export-jobs/:id', () => {
  it('an unknown job is NOT_FOUND', () =>
    assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'GET', path: `${PATH}/${id}` })))
})

describe('PUT /api/v1/export-jobs/:id', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-put' }))
    await assertGuarded(shop, { method: 'PUT', path: `${PATH}/job-put`, body: body() }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'PUT', path: `${PATH}/${id}`, body: body() }))
  })

  it('takes what a GET answered, and changes nothing but updatedAt', async () => {
    const job = await makeJob(shop.admin, body({ dimensionScope: { market: 'eu' }, active: false }))
    const { status, body: after } = await put(job.id, job)
    assert.equal(status, 200)
    assert.deepEqual({ ...after, updatedAt: '' }, { ...job, updatedAt: '' })
  })

  it('replaces the whole job: what is left out has its default again', async () => {
    const job = await makeJob(shop.admin, body({ description: 'x', timezone: 'Europe/Berlin', active: false }))
    const { body: after } = await put(job.id, body({ id: 'job-other', createdBy: 'me', name: 'New' }))
    assert.deepEqual(
      [after.id, after.name, after.description, after.timezone, after.active, after.createdBy],
      [job.id, 'New', '', 'UTC', true, 'key-bootstrap'],
    )
    assert.notEqual(after.nextRunAt, null)
  })

  it('refuses what POST refuses, and keeps the job', async () => {
    const job = await makeJob(shop.admin, body())
    assertRefused(await put(job.id, body({ schedule: 'now' })), 'VALIDATION_ERROR', 'schedule')
    assertRefused(await put(job.id, body({ catalogId: 'gone' })), 'VALIDATION_ERROR', 'catalogId')
    assert.deepEqual(await getJob(shop.admin, job.id), job)
  })

  const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')
  const toldDigest = async ({ id }: JobBody): Promise<string | null> =>
    (await whenEnded(shop.admin, await trigger(shop.admin, id))).destinationPath

  it('keeps a secret whose placeholder is sent, and replaces one that is sent again', async () => {
    const job = await makeJob(shop.admin, jobFor(puppet, 'tellsDigest'))
    await put(job.id, { ...job, name: 'Kept' })
    assert.equal(await toldDigest(job), digestOf(TOKEN))
    await put(job.id, { ...job, destinationConfig: { ...job.destinationConfig, token: 'another-token' } })
    assert.equal(await toldDigest(job), digestOf('another-token'))
  })

  it('of two at once, the one that sends a placeholder keeps the secret that the other one sends', async () => {
    const job = await makeJob(shop.admin, jobFor(puppet, 'tellsDigest'))
    for (const token of ['first-new', 'second-new', 'third-new']) {
      const anew = { ...job, destinationConfig: { ...job.destinationConfig, token } }
      await Promise.all([put(job.id, anew), put(job.id, { ...job, name: token })])
      assert.equal(await toldDigest(job), digestOf(token))
    }
  })

  it('with a plugin that does not say where secrets go, any change of its settings asks for them anew', async () => {
    const job = await makeJob(shop.admin, jobFor(puppet, 'tellsDigest'))
    const moved = { ...job.destinationConfig, behaviour: 'deliver' }
    const answer = await put(job.id, { ...job, destinationConfig: moved })
    assertRefused(answer, 'VALIDATION_ERROR', 'destinationConfig.token must be sent again', 'another behaviour')
    assert.deepEqual(await getJob(shop.admin, job.id), job)
    assert.equal((await put(job.id, { ...job, destinationConfig: { ...moved, token: TOKEN } })).status, 200)
    const { token: _token, ...without } = job.destinationConfig
    assert.equal((await put(job.id, { ...job, destinationConfig: without })).status, 200)
  })

  it('of two at once, one that moves a job with a new secret and one that keeps it, no secret ends at the other place', async () => {
    const other = puppetIn(makeTempDirectory())
    for (let round = 0; round < 5; round += 1) {
      const job = await makeJob(shop.admin, jobFor(puppet, 'deliver'))
      const moved = { ...job.destinationConfig, directory: other.directory, token: `new-${round}` }
      const answers = await Promise.all([
        put(job.id, { ...job, destinationConfig: moved }),
        put(job.id, { ...job, name: 'Kept' }),
        put(job.id, { ...job, name: 'Kept, too' }),
      ])
      assert.equal(answers[0].status, 200)
      for (const answer of answers.slice(1))
        if (answer.status !== 200)
          assertRefused(answer, 'VALIDATION_ERROR', 'destinationConfig.token must be sent again')
      assert.equal((await getJob(shop.admin, job.id)).destinationConfig['directory'], other.directory)
    }
  })

  it('a stored secret does not pass to a job of another type', async () => {
    const job = await makeJob(shop.admin, body())
    const destinationConfig = { bucket: 'b', region: 'r', accessKeyId: 'a', secretAccessKey: '********' }
    const answer = await put(job.id, { ...job, destinationType: 's3', destinationConfig })
    assertRefused(answer, 'VALIDATION_ERROR', 'destinationConfig.secretAccessKey')
  })
})

describe('DELETE /api/v1/export-jobs/:id', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-del' }))
    await assertGuarded(shop, { method: 'DELETE', path: `${PATH}/job-del` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'DELETE', path: `${PATH}/${id}` }))
  })

  it('removes the job and its history', async () => {
    const job = await makeJob(shop.admin, body())
    const run = await whenEnded(shop.admin, await trigger(shop.admin, job.id))
    const { status, text } = await send(shop.admin, 'DELETE', `${PATH}/${job.id}`)
    assert.deepEqual([status, text], [204, ''])
    assertRefused(await send(shop.admin, 'GET', `${PATH}/${job.id}`), 'NOT_FOUND', job.id)
    assertRefused(await send(shop.admin, 'GET', `${PATH}/${job.id}/runs`), 'NOT_FOUND', job.id)
    await makeJob(shop.admin, body({ id: job.id }))
    assert.deepEqual(await listRuns(shop.admin, job.id), [])
    assertRefused(await send(shop.admin, 'GET', `${PATH}/${job.id}/runs/${run.id}`), 'NOT_FOUND', run.id)
  })
})

describe('POST /api/v1/export-jobs/:id/pause', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-pause' }))
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/job-pause/pause` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'POST', path: `${PATH}/${id}/pause` }))
  })

  it('stops the schedule and keeps the rest; pausing a paused job changes nothing', async () => {
    const job = await makeJob(shop.admin, body())
    const paused = await send<JobBody>(shop.admin, 'POST', `${PATH}/${job.id}/pause`)
    assert.equal(paused.status, 200)
    assert.deepEqual({ ...paused.body, updatedAt: '' }, { ...job, active: false, nextRunAt: null, updatedAt: '' })
    const again = await send<JobBody>(shop.admin, 'POST', `${PATH}/${job.id}/pause`)
    assert.deepEqual([again.status, again.body], [200, paused.body])
  })

  it('HEAD of it does not pause', async () => {
    const job = await makeJob(shop.admin, body())
    assert.equal((await send(shop.admin, 'HEAD', `${PATH}/${job.id}/pause`)).status, 404)
    assert.equal((await getJob(shop.admin, job.id)).active, true)
  })
})

describe('POST /api/v1/export-jobs/:id/resume', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-resume' }))
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/job-resume/resume` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'POST', path: `${PATH}/${id}/resume` }))
  })

  it('lets the schedule go on at its next match; resuming an active job changes nothing', async () => {
    const job = await makeJob(shop.admin, body({ active: false }))
    const resumed = await send<JobBody>(shop.admin, 'POST', `${PATH}/${job.id}/resume`)
    assert.equal(resumed.status, 200)
    assert.equal(resumed.body.active, true)
    assert.match(resumed.body.nextRunAt!, /-01-01T03:00:00\.000Z$/)
    const again = await send<JobBody>(shop.admin, 'POST', `${PATH}/${job.id}/resume`)
    assert.deepEqual([again.status, again.body], [200, resumed.body])
    assert.deepEqual(await listRuns(shop.admin, job.id), [])
  })
})

describe('The paths without a prefix', () => {
  it('are the same endpoints', async () => {
    const job = await makeJob(shop.admin, body())
    assert.deepEqual((await send(shop.admin, 'GET', `/export-jobs/${job.id}`)).body, job)
    assertRefused(await send(shop.anonymous, 'GET', '/export-jobs'), 'UNAUTHORIZED')
    assertRefused(await send(shop.viewer, 'GET', '/export-jobs'), 'PERMISSION_DENIED', 'exportJobs.read')
    const made = await send<JobBody>(shop.admin, 'POST', '/export-jobs', body({ id: 'job-bare' }))
    assert.equal(made.status, 201)
    assert.equal((await send<JobBody>(shop.admin, 'POST', '/export-jobs/job-bare/pause')).body.active, false)
    assert.equal((await send<JobBody>(shop.admin, 'POST', '/export-jobs/job-bare/resume')).body.active, true)
    const run = await send<{ id: string }>(shop.admin, 'POST', '/export-jobs/job-bare/runs', { status: 'success' })
    assert.equal(run.status, 201)
    assert.equal((await send<unknown[]>(shop.admin, 'GET', '/export-jobs/job-bare/runs?limit=5')).body.length, 1)
    assert.equal((await send(shop.admin, 'DELETE', '/export-jobs/job-bare')).status, 204)
  })

  it('are those of export jobs only', async () => {
    assertRefused(await send(shop.admin, 'GET', '/records'), 'NOT_FOUND')
  })
})

describe('What an export job uses', () => {
  const removeSchema = () => send(shop.admin, 'DELETE', '/api/v1/schemas/sch-used')
  const uses: [what: string, fields: object, remove: () => Promise<unknown>][] = [
    ['catalog', { catalogId: 'cat-used' }, () => send(shop.admin, 'DELETE', '/api/v1/catalogs/cat-used')],
    ['schema', { schemaId: 'sch-used' }, removeSchema],
    ["search's schema", { selection: { schemaId: 'sch-used', criteria: [], criteriaOperator: 'and' } }, removeSchema],
    ["saved query's schema", { selection: { savedQueryId: 'sq-used' } }, removeSchema],
    ['dimension', { dimensionScope: { used: 'a' } }, () => send(shop.admin, 'DELETE', '/api/v1/dimensions/used')],
    [
      'segment',
      { dimensionScope: { used: 'a' } },
      () => send(shop.admin, 'PUT', '/api/v1/dimensions/used', { name: 'Used', segments: [{ id: 'b' }] }),
    ],
    [
      'state',
      { includeLifecycleStateIds: ['state-used'] },
      () =>
        send(shop.admin, 'PUT', '/api/v1/workflows/wf-used', {
          name: 'Used',
          initialStateId: 'other',
          states: [{ id: 'other' }],
        }),
    ],
    [
      'workflow',
      { includeLifecycleStateIds: ['state-used'] },
      () => send(shop.admin, 'DELETE', '/api/v1/workflows/wf-used'),
    ],
  ]

  before(async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-used', name: 'Used' })
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-used', name: 'Used' })
    const query = { name: 'Used', schemaId: 'sch-used', criteria: [], criteriaOperator: 'and' }
    await make(shop.admin, '/api/v1/saved-queries', { id: 'sq-used', ...query })
    await make(shop.admin, '/api/v1/dimensions', { id: 'used', name: 'Used', segments: [{ id: 'a' }, { id: 'b' }] })
    await make(shop.admin, '/api/v1/workflows', {
      id: 'wf-used',
      name: 'Used',
      initialStateId: 'other',
      states: [{ id: 'other' }, { id: 'state-used' }],
    })
  })

  for (const [what, fields, remove] of uses)
    it(`cannot be removed: its ${what}`, async () => {
      const job = await makeJob(shop.admin, body(fields))
      const answer = (await remove()) as Awaited<ReturnType<typeof send>>
      assertRefused(answer, 'CONFLICT', job.id)
      assert.equal((await send(shop.admin, 'DELETE', `${PATH}/${job.id}`)).status, 204)
    })

  it('can be removed when the job is gone', async () => {
    for (const [what, , remove] of uses.filter(
      ([what]) => !['dimension', 'workflow'].includes(what) && !what.endsWith("'s schema"),
    ))
      assert.ok(((await remove()) as Awaited<ReturnType<typeof send>>).status < 300, what)
  })

  it('the role of its owner can be removed when the owner is gone', async () => {
    const role = await make<{ id: string }>(shop.admin, '/api/v1/roles', {
      name: 'Exporter',
      permissions: ['exportJobs.read', 'exportJobs.write'],
    })
    const key = await make<{ id: string; key: string }>(shop.admin, '/api/v1/api-keys', { name: 'k', roleId: role.id })
    const exporter = { url: shop.url, headers: { 'x-service-apikey': key.key } }
    const job = await makeJob(exporter, body())
    await send(shop.admin, 'DELETE', `/api/v1/api-keys/${key.id}`)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/roles/${role.id}`)).status, 204)
    assert.equal((await getJob(shop.admin, job.id)).ownerId, key.id)
  })
})
