// An export job runs with the rights that its owner has when it runs, and what it has made goes nowhere else. Contract 3 §12.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { HOUR, makeClock, SECOND, type TestClock } from '../../helpers/clock.ts'
import { type Client, keyClient } from '../../helpers/client.ts'
import { getJob, jobFor, type JobBody, makeJob, type RunBody, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { eventually, installPuppet, type Puppet, puppetIn } from '../../helpers/puppet.ts'
import { english, everywhere, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'
const EXPORTING = ['records.read', 'exportJobs.read', 'exportJobs.write', 'savedQueries.write']
const HIDDEN = { attributePermissions: { 'sch-shirt': { weight: 'none' } } }

let shop: Workspace
let puppet: Puppet
let clock: TestClock
before(async () => {
  clock = makeClock()
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir, testing: { system: clock } })
  await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(4321) }, { id: 'shirt-1' })
})
after(() => shop.stop())

const body = (more: object = {}) =>
  jobFor(puppet, 'deliver', { format: 'jsonl', filenameTemplate: '{runId}.jsonl', schemaId: 'sch-shirt', ...more })
const columns = [
  { header: 'id', field: 'id' },
  { header: 'kg', attributeAlias: 'weight' },
]
const search = { criteria: [{ attributeAlias: 'weight', operator: 'isNotEmpty' }], criteriaOperator: 'and' }

let count = 0
async function makeRole(more: object = {}): Promise<Record<string, unknown> & { id: string }> {
  count += 1
  const role = { name: `Role ${count}`, permissions: EXPORTING, defaultAttributePermission: 'write', ...more }
  return make(shop.admin, '/api/v1/roles', role)
}
async function changeRole(role: { id: string }, more: object): Promise<void> {
  const answer = await send(shop.admin, 'PUT', `/api/v1/roles/${role.id}`, { ...role, ...more })
  assert.equal(answer.status, 200, answer.text)
}

interface Person {
  readonly id: string
  readonly client: Client
  readonly role: Record<string, unknown> & { id: string }
  /** Takes away what it signs in with. */
  readonly leave: () => Promise<void>
}

async function keyHolder(more: object = {}): Promise<Person> {
  const role = await makeRole(more)
  const { id, key } = await make<{ id: string; key: string }>(shop.admin, '/api/v1/api-keys', {
    name: 'Feeds',
    roleId: role.id,
  })
  const leave = async () => assert.equal((await send(shop.admin, 'DELETE', `/api/v1/api-keys/${id}`)).status, 204)
  return { id, client: keyClient(shop.url, key), role, leave }
}

async function user(more: object = {}): Promise<Person> {
  const role = await makeRole(more)
  const { id, username } = await makeUser(shop, { roleId: role.id })
  const leave = async () => assert.equal((await send(shop.admin, 'DELETE', `/api/v1/users/${id}`)).status, 204)
  return { id, client: await sessionOf(shop, username), role, leave }
}

const run = async ({ id }: { id: string }) => whenEnded(shop.admin, await trigger(shop.admin, id))
const text = ({ id }: RunBody, at = puppet) => at.read(`${id}.jsonl`).toString()
const takeOver = (client: Client, id: string) => send<JobBody>(client, 'POST', `${PATH}/${id}/take-over`)
const put = async (client: Client, { id }: { id: string }, more: object): Promise<JobBody> => {
  const answer = await send<JobBody>(client, 'PUT', `${PATH}/${id}`, { ...(await getJob(client, id)), ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The run fails, delivers nothing, and pauses the job; both say why. */
async function assertPaused(job: { id: string }, why: RegExp): Promise<void> {
  const before = puppet.files()
  const ended = await run(job)
  assert.equal(ended.status, 'failed')
  assert.match(ended.error!, why)
  assert.deepEqual(puppet.files(), before)
  const paused = await getJob(shop.admin, job.id)
  assert.deepEqual([paused.active, paused.nextRunAt, paused.pausedReason!.code], [false, null, 'OWNER'])
  assert.match(paused.pausedReason!.message, why)
}

for (const [kind, person] of [
  ['a user', user],
  ['an API key', keyHolder],
] as const)
  describe(`An export job of ${kind}`, () => {
    it('holds what its owner may read when it runs', async () => {
      const owner = await person()
      const job = await makeJob(owner.client, body())
      assert.deepEqual([job.ownerId, job.createdBy, job.pausedReason], [owner.id, owner.id, null])
      assert.match(text(await run(job)), /4321/)
      await changeRole(owner.role, HIDDEN)
      const less = text(await run(job))
      assert.match(less, /Shirt/)
      assert.doesNotMatch(less, /4321|weight/)
    })

    it('is paused where its owner is gone', async () => {
      const owner = await person()
      const job = await makeJob(owner.client, body())
      await owner.leave()
      await assertPaused(job, new RegExp(`${owner.id}.*no longer exists`))
    })

    it('is paused where its owner lacks the permission', async () => {
      const owner = await person()
      const job = await makeJob(owner.client, body())
      for (const taken of ['exportJobs.write', 'records.read']) {
        await changeRole(owner.role, { permissions: EXPORTING.filter((each) => each !== taken) })
        await assertPaused(job, new RegExp(`owner.*lacks the permission '${taken}'`))
      }
    })

    it('is paused where its owner may not read an attribute that it names', async () => {
      const owner = await person()
      for (const more of [{ columns }, { selection: search }, { sort: [{ attributeAlias: 'weight' }] }]) {
        await changeRole(owner.role, {})
        const job = await makeJob(owner.client, body(more))
        assert.equal((await run(job)).status, 'success')
        await changeRole(owner.role, HIDDEN)
        await assertPaused(job, /owner.*attribute 'weight'/)
      }
    })
  })

describe('An export job', () => {
  it('is paused where its owner is disabled, and by its schedule as by a trigger', async () => {
    const role = await makeRole()
    const { id, username } = await makeUser(shop, { roleId: role.id })
    const job = await makeJob(await sessionOf(shop, username), body({ schedule: '* * * * * *' }))
    const runsNext = async () => {
      clock.advance(SECOND)
      return getJob(shop.admin, job.id)
    }
    await eventually(async () => (await runsNext()).lastRun?.status === 'success')
    assert.equal((await send(shop.admin, 'PATCH', `/api/v1/users/${id}`, { disabled: true })).status, 200)
    const paused = await eventually(async () => {
      const found = await runsNext()
      return found.pausedReason !== null && found
    })
    assert.deepEqual([paused.active, paused.pausedReason!.code, paused.lastRun!.status], [false, 'OWNER', 'failed'])
    assert.match(paused.pausedReason!.message, new RegExp(`${id}.*disabled`))
  })

  it('judges a saved query with the rights of its owner', async () => {
    const [owner, other] = [await keyHolder(), await keyHolder()]
    await make(other.client, '/api/v1/saved-queries', { id: 'sq-weighed', name: 'W', schemaId: 'sch-shirt', ...search })
    const job = await makeJob(owner.client, body({ selection: { savedQueryId: 'sq-weighed' } }))
    assert.equal((await run(job)).status, 'success')
    await changeRole(owner.role, HIDDEN)
    await assertPaused(job, /attribute 'weight'/)
    await changeRole(owner.role, {})
    assert.equal((await run(job)).status, 'success')
    const hidden = { name: 'W', schemaId: 'sch-shirt', ...search, visibility: 'private' }
    assert.equal((await send(other.client, 'PUT', '/api/v1/saved-queries/sq-weighed', hidden)).status, 200)
    await assertPaused(job, /'sq-weighed' is private/)
  })

  it('goes on when its owner may do it again and somebody resumes it, and not before', async () => {
    const owner = await keyHolder()
    const job = await makeJob(owner.client, body())
    await changeRole(owner.role, { permissions: ['records.read'] })
    await assertPaused(job, /exportJobs\.write/)
    const early = await send(shop.admin, 'POST', `${PATH}/${job.id}/resume`)
    assertRefused(early, 'CONFLICT', 'exportJobs.write', 'take')
    await changeRole(owner.role, {})
    const resumed = await send<JobBody>(shop.admin, 'POST', `${PATH}/${job.id}/resume`)
    assert.deepEqual([resumed.status, resumed.body.active, resumed.body.pausedReason], [200, true, null])
    assert.equal(resumed.body.ownerId, owner.id)
    assert.equal((await run(job)).status, 'success')
  })

  it('holds what the present role of its owner may read, not the one with which it was made', async () => {
    const role = await makeRole()
    const { id, username } = await makeUser(shop, { roleId: role.id })
    const job = await makeJob(await sessionOf(shop, username), body())
    assert.match(text(await run(job)), /4321/)
    const [less, none] = [await makeRole(HIDDEN), await makeRole({ permissions: ['records.read'] })]
    const demote = (roleId: string) => send(shop.admin, 'PATCH', `/api/v1/users/${id}`, { roleId })
    assert.equal((await demote(less.id)).status, 200)
    assert.doesNotMatch(text(await run(job)), /4321/)
    assert.equal((await demote(none.id)).status, 200)
    await assertPaused(job, /lacks the permission 'exportJobs.write'/)
  })

  it('is paused where the key of its owner has expired', async () => {
    const role = await makeRole()
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString()
    const key = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', { name: 'K', roleId: role.id, expiresAt })
    const job = await makeJob(keyClient(shop.url, key.key), body())
    assert.equal((await run(job)).status, 'success')
    clock.advance(2 * HOUR)
    await assertPaused(job, /has expired/)
  })

  it('delivers nothing more where rights are taken between two attempts', async () => {
    const stage = puppetIn(makeTempDirectory())
    const owner = await keyHolder()
    const job = await makeJob(owner.client, jobFor(stage, 'thirdTime', { schemaId: 'sch-shirt' }))
    const begun = await trigger(shop.admin, job.id)
    await eventually(async () => {
      const path = `${PATH}/${job.id}/runs/${begun.id}`
      return (await send<RunBody>(shop.admin, 'GET', path)).body.progress?.phase === 'waiting' && stage.log().length > 0
    })
    await changeRole(owner.role, HIDDEN)
    const ended = await whenEnded(shop.admin, begun)
    assert.equal(ended.status, 'failed')
    assert.match(ended.error!, /rights were changed during the run/)
    assert.deepEqual(stage.files(), [])
  })
})

describe('POST /api/v1/export-jobs/:id/take-over', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    const job = await makeJob(shop.admin, body())
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/${job.id}/take-over` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'POST', path: `${PATH}/${id}/take-over` }))
  })

  it('makes the caller the owner, with the caller’s rights; what was paused for the owner goes on', async () => {
    const owner = await keyHolder(HIDDEN)
    const job = await makeJob(owner.client, body())
    await owner.leave()
    await assertPaused(job, /no longer exists/)
    const taken = await send<JobBody>(shop.admin, 'POST', `/export-jobs/${job.id}/take-over`)
    assert.equal(taken.status, 200, taken.text)
    const { ownerId, createdBy, active, pausedReason } = taken.body
    assert.deepEqual([ownerId, createdBy, active, pausedReason], ['key-bootstrap', owner.id, true, null])
    assert.deepEqual(await getJob(shop.admin, job.id), taken.body)
    assert.match(text(await run(job)), /4321/)
    const { body: feed } = await send<{ items: { entityId: string; userId: string; changes: { field: string }[] }[] }>(
      shop.admin,
      'GET',
      '/api/v1/changes?entityType=model&before=latest&limit=5',
    )
    const entry = feed.items.find(({ entityId }) => entityId === job.id)!
    assert.equal(entry.userId, 'key-bootstrap')
    assert.deepEqual(
      entry.changes.filter(({ field }) => field === 'ownerId'),
      [{ field: 'ownerId', oldValue: owner.id, newValue: 'key-bootstrap' }],
    )
  })

  it('leaves a job alone that somebody had paused', async () => {
    const owner = await keyHolder()
    const job = await makeJob(owner.client, body({ active: false }))
    await owner.leave()
    await assertPaused(job, /no longer exists/)
    const { body: taken } = await takeOver(shop.admin, job.id)
    assert.deepEqual([taken.active, taken.pausedReason], [false, null])
  })

  it('is for those who may do all that the job does', async () => {
    const less = await keyHolder(HIDDEN)
    for (const more of [{ columns }, { selection: search }, { sort: [{ attributeAlias: 'weight' }] }]) {
      const job = await makeJob(shop.admin, body(more))
      assertRefused(await takeOver(less.client, job.id), 'PERMISSION_DENIED', 'weight')
      assert.equal((await getJob(shop.admin, job.id)).ownerId, 'key-bootstrap')
    }
    const blind = await keyHolder({ permissions: ['exportJobs.read', 'exportJobs.write'] })
    const plain = await makeJob(shop.admin, body())
    assertRefused(await takeOver(blind.client, plain.id), 'PERMISSION_DENIED', 'records.read')
    assert.equal((await takeOver(less.client, plain.id)).body.ownerId, less.id)
    assert.doesNotMatch(text(await run(plain)), /4321/)
  })
})

describe('A PUT by somebody else than the owner', () => {
  it('keeps the owner where it changes neither what is sent nor where', async () => {
    const other = await keyHolder(HIDDEN)
    const job = await makeJob(shop.admin, body())
    const small = { name: 'Renamed', description: 'D', schedule: '0 4 1 1 *', timezone: 'Europe/Berlin', active: false }
    const config = { ...job.destinationConfig, token: 'tOken/of the+puppet&4711' }
    for (const more of [small, { maxAttempts: 2, guards: { minRecords: 1 } }, { destinationConfig: config }])
      assert.equal((await put(other.client, job, more)).ownerId, 'key-bootstrap')
    for (const what of ['pause', 'resume'])
      assert.equal(
        (await send<JobBody>(other.client, 'POST', `${PATH}/${job.id}/${what}`)).body.ownerId,
        'key-bootstrap',
      )
    assert.match(text(await whenEnded(shop.admin, await trigger(other.client, job.id))), /4321/)
  })

  it('makes the caller the owner where it changes what is sent, or where', async () => {
    const other = await keyHolder(HIDDEN)
    const stage = puppetIn(makeTempDirectory())
    const config = { behaviour: 'deliver', token: 'x' }
    for (const more of [
      { destinationConfig: { ...config, directory: stage.directory } },
      { destinationConfig: { ...config, directory: puppet.directory, token: 'another' } },
      { columns: columns.slice(0, 1) },
      { selection: { criteria: [], criteriaOperator: 'and' } },
      { schemaId: null },
      { includeVariants: false },
      { filenameTemplate: 'x/{runId}.jsonl'.replace('/', '-') },
    ]) {
      const job = await makeJob(shop.admin, body())
      assert.equal((await put(other.client, job, more)).ownerId, other.id, JSON.stringify(more))
    }
    const job = await makeJob(shop.admin, body())
    await put(other.client, job, { destinationConfig: { ...config, directory: stage.directory } })
    assert.doesNotMatch(text(await run(job), stage), /4321/)
  })

  it('leaves the next delta whole: it holds no hidden value, and leaves no record out', async () => {
    const other = await keyHolder(HIDDEN)
    const job = await makeJob(shop.admin, body({ delta: {} }))
    assert.match(text(await run(job)), /4321/)
    assert.equal((await run(job)).recordCount, 0)
    assert.equal((await takeOver(other.client, job.id)).status, 200)
    const anew = text(await run(job))
    assert.match(anew, /shirt-1/)
    assert.doesNotMatch(anew, /4321/)
    assert.equal((await run(job)).recordCount, 0)
  })
})

describe('A kept file', () => {
  async function failedRun(client: Client, stage: Puppet) {
    const job = await makeJob(
      client,
      jobFor(stage, 'failsUntilGo', { format: 'jsonl', filenameTemplate: '{runId}.jsonl' }),
    )
    const failed = await run(job)
    assert.ok(failed.keptUntil)
    stage.go()
    return { job, failed }
  }
  const redeliver = (client: Client, { jobId, id }: RunBody) =>
    send<RunBody>(client, 'POST', `${PATH}/${jobId}/runs/${id}/redeliver`)

  it('is delivered again to the address that it was made for, and to no other', async () => {
    const [stage, elsewhere] = [puppetIn(makeTempDirectory()), puppetIn(makeTempDirectory())]
    const thief = await keyHolder(HIDDEN)
    const { job, failed } = await failedRun(shop.admin, stage)
    const moved = { ...job.destinationConfig, directory: elsewhere.directory, token: 'x' }
    await put(thief.client, job, { destinationConfig: moved })
    elsewhere.go()
    assertRefused(await redeliver(thief.client, failed), 'CONFLICT', 'another address')
    assertRefused(await redeliver(shop.admin, failed), 'CONFLICT', 'another address')
    assert.deepEqual(elsewhere.files(), [])
    const back = { ...job.destinationConfig, token: 'tOken/of the+puppet&4711' }
    await put(shop.admin, job, { destinationConfig: back })
    const again = await redeliver(shop.admin, failed)
    assert.equal(again.status, 202, again.text)
    assert.equal((await whenEnded(shop.admin, again.body)).status, 'success')
    assert.match(text(failed, stage), /4321/)
  })

  it('stays where it is when the owner may read less by now', async () => {
    const stage = puppetIn(makeTempDirectory())
    const owner = await keyHolder()
    const { failed } = await failedRun(owner.client, stage)
    await changeRole(owner.role, HIDDEN)
    assertRefused(await redeliver(shop.admin, failed), 'CONFLICT', 'may not read')
    assert.deepEqual(stage.files(), [])
    await changeRole(owner.role, {})
    assert.equal((await redeliver(shop.admin, failed)).status, 202)
  })

  it('stays where it is when the owner is gone: the run says so, and the job is paused', async () => {
    const stage = puppetIn(makeTempDirectory())
    const owner = await keyHolder()
    const { job, failed } = await failedRun(owner.client, stage)
    await owner.leave()
    const again = await redeliver(shop.admin, failed)
    assert.equal(again.status, 202, again.text)
    assert.match((await whenEnded(shop.admin, again.body)).error!, /no longer exists/)
    assert.deepEqual(stage.files(), [])
    assert.equal((await getJob(shop.admin, job.id)).pausedReason!.code, 'OWNER')
    assert.equal((await takeOver(shop.admin, job.id)).status, 200)
    const third = await redeliver(shop.admin, failed)
    assert.equal((await whenEnded(shop.admin, third.body)).status, 'success')
  })
})
