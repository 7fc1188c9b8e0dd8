// A bulk job runs with the rights of its owner: where these are gone it is paused, and somebody else may take it over. Contract 3 §10, 3 §12.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import { type BulkJobBody, byIds, errorsOf, postJob, untilEnded } from '../helpers/bulk-jobs.ts'
import { type Client, keyClient } from '../helpers/client.ts'
import { HOUR, makeClock, type TestClock } from '../helpers/clock.ts'
import { over } from '../helpers/over.ts'
import { makeUser, sessionOf } from '../helpers/people.ts'
import type { ServerOptions, TestServer } from '../helpers/server.ts'
import { startServer } from '../helpers/server.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const RECORDS = 250
const ids = Array.from({ length: RECORDS }, (_, index) => `s-${index}`)
const ROLE = {
  id: 'role-weigher',
  name: 'W',
  permissions: ['records.read', 'records.create', 'records.update'],
  defaultAttributePermission: 'write',
}
/** Another one each time. */
let weight = 1

/** Jobs stand still before each step while it is closed. */
let gate: PromiseWithResolvers<void> | undefined
function closeGate(): void {
  gate ??= Promise.withResolvers()
}
function openGate(): void {
  gate?.resolve()
  gate = undefined
}

let clock: TestClock
let shop: Workspace
let options: ServerOptions
let again: TestServer | undefined
before(async () => {
  clock = makeClock()
  const dataDir = makeTempDirectory()
  options = {
    dataDir,
    maxRecords: 0,
    testing: {
      system: clock,
      wrapStore: (store) => over(store, { whenCalm: () => gate?.promise ?? Promise.resolve() }),
    },
  }
  shop = await startWorkspace(options)
  const operations = ids.map((id) => ({ op: 'create', id, schemaId: 'sch-shirt', values: { weight: everywhere(1) } }))
  assert.equal((await send(shop.admin, 'POST', '/api/v1/records/batch', { operations })).status, 200)
  await make(shop.admin, '/api/v1/roles', ROLE)
})
afterEach(() => openGate())
after(async () => {
  await shop.stop()
  await again?.stop()
})

async function key(expiresAt: string | null = null) {
  const body = { name: 'K', roleId: 'role-weigher', expiresAt }
  const made = await make<{ id: string; key: string }>(shop.admin, '/api/v1/api-keys', body)
  return { id: made.id, client: keyClient(shop.url, made.key) }
}
async function weigh(client: Client, more: object = {}): Promise<BulkJobBody> {
  weight += 1
  const actions = [{ setValues: { weight: everywhere(weight) } }]
  const { status, body, text } = await postJob(client, { selection: byIds(...ids), actions, ...more })
  assert.equal(status, 202, text)
  return body
}
/** An import of a file of one line, by a job. */
async function bring(client: Client): Promise<BulkJobBody> {
  weight += 1
  const headers = { ...client.headers, 'content-type': 'text/csv' }
  const path = `${client.url}/api/v1/imports?fileName=a.csv&delimiter=,`
  const file = `id,kg\nbrought-${weight},1\n`
  const { id } = (await (await fetch(path, { method: 'POST', headers, body: file })).json()) as { id: string }
  const columns = [
    { header: 'id', to: { field: 'id' } },
    { header: 'kg', to: { attributeAlias: 'weight' } },
  ]
  const mapped = await send(client, 'PUT', `/api/v1/imports/${id}/mapping`, {
    schemaId: 'sch-shirt',
    mode: 'create',
    columns,
  })
  assert.equal(mapped.status, 200, mapped.text)
  const { status, body, text } = await send<BulkJobBody>(client, 'POST', `/api/v1/imports/${id}/run`)
  assert.equal(status, 202, text)
  return body
}

/** Resolves to the job once the server has paused it. */
async function untilPaused(id: string, why: RegExp, admin = shop.admin): Promise<BulkJobBody> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { body } = await send<BulkJobBody>(admin, 'GET', `/api/v1/bulk-jobs/${id}?wait=1`)
    if (body.pausedReason === null && body.completedAt === null) continue
    assert.deepEqual([body.status, body.completedAt, body.pausedReason?.code], ['interrupted', null, 'OWNER'])
    assert.match(body.pausedReason!.message, why)
    assert.deepEqual(await errorsOf(admin, id), [])
    return body
  }
  throw new Error(`The job ${id} is not paused`)
}
const takeOver = (client: Client, id: string) => send<BulkJobBody>(client, 'POST', `/api/v1/bulk-jobs/${id}/take-over`)
const cancel = (client: Client, id: string) => send<BulkJobBody>(client, 'POST', `/api/v1/bulk-jobs/${id}/cancel`)

/** Takes the job over, which is paused, and resolves to how it has ended. */
async function assertGoesOn(paused: BulkJobBody, admin = shop.admin): Promise<BulkJobBody> {
  const { status, body } = await takeOver(admin, paused.id)
  assert.equal(status, 200)
  assert.deepEqual([body.ownerId, body.createdBy, body.pausedReason], ['key-bootstrap', paused.createdBy, null])
  const ended = await untilEnded(admin, paused.id)
  assert.deepEqual([ended.status, ended.ownerId, ended.done], ['succeeded', 'key-bootstrap', ended.selected])
  return ended
}

/** The rights of the role are others while `work` goes on. */
async function withRole(parts: object, work: () => Promise<void>): Promise<void> {
  const write = async (role: object) =>
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/roles/role-weigher', role)).status, 200)
  await write({ ...ROLE, ...parts })
  try {
    await work()
  } finally {
    await write(ROLE)
  }
}

for (const [what, begin] of [
  ['A bulk job', weigh],
  ['A dry run', (client: Client) => weigh(client, { dryRun: true })],
  ['An import', bring],
] as const)
  describe(what, () => {
    it('is paused where the key of its owner is revoked, and goes on where an administrator takes it over', async () => {
      closeGate()
      const { id: ownerId, client } = await key()
      const job = await begin(client)
      assert.deepEqual([job.ownerId, job.createdBy, job.pausedReason], [ownerId, ownerId, null])
      assert.equal((await send(shop.admin, 'DELETE', `/api/v1/api-keys/${ownerId}`)).status, 204)
      openGate()
      const paused = await untilPaused(job.id, new RegExp(`API key '${ownerId}'.*no longer exists`))
      assert.equal(paused.done, 0)
      await assertGoesOn(paused)
    })

    it('is paused where the key of its owner has expired', async () => {
      closeGate()
      const { client } = await key(new Date(clock.now().getTime() + HOUR).toISOString())
      const job = await begin(client)
      clock.advance(2 * HOUR)
      openGate()
      await untilPaused(job.id, /API key.*has expired/)
      assert.equal((await cancel(shop.admin, job.id)).status, 202)
    })

    for (const [how, method, body, why] of [
      ['disabled', 'PATCH', { disabled: true }, /user.*is disabled/],
      ['deleted', 'DELETE', undefined, /user.*no longer exists/],
    ] as const)
      it(`is paused where its owner is ${how}, and can be cancelled`, async () => {
        closeGate()
        const { id: userId, username } = await makeUser(shop, { roleId: 'role-weigher' })
        const job = await begin(await sessionOf(shop, username))
        assert.ok((await send(shop.admin, method, `/api/v1/users/${userId}`, body)).status < 300)
        openGate()
        await untilPaused(job.id, why)
        const cancelled = await cancel(shop.admin, job.id)
        assert.deepEqual([cancelled.status, cancelled.body.status], [202, 'cancelled'])
        assert.equal(cancelled.body.pausedReason, null)
        assertRefused(await takeOver(shop.admin, job.id), 'CONFLICT', 'ended')
      })

    it('is paused where its owner lacks the permission by then; the owner lets it go on when it is there again', async () => {
      closeGate()
      const { id: ownerId, client } = await key()
      const job = await begin(client)
      await withRole({ permissions: ['records.read', 'records.create'] }, async () => {
        openGate()
        await untilPaused(job.id, new RegExp(`${ownerId}.*'records.update'`))
        assertRefused(await takeOver(client, job.id), 'PERMISSION_DENIED', 'records.update')
        const other = await key()
        assertRefused(await takeOver(other.client, job.id), 'NOT_FOUND')
      })
      const taken = await takeOver(client, job.id)
      assert.deepEqual([taken.status, taken.body.pausedReason, taken.body.ownerId], [200, null, ownerId])
      assert.equal((await untilEnded(shop.admin, job.id)).status, 'succeeded')
    })

    it('is paused where its owner may not write or read an attribute that it names any more', async () => {
      closeGate()
      const { client } = await key()
      const job = await begin(client)
      await withRole({ attributePermissions: { 'sch-shirt': { weight: 'none' } } }, async () => {
        openGate()
        await assertGoesOn(await untilPaused(job.id, /'weight'/))
      })
    })
  })

describe('An undo', () => {
  it('is paused with its owner, and goes on where it is taken over', async () => {
    const changed = await untilEnded(shop.admin, (await weigh(shop.admin)).id)
    assert.ok(changed.changed > 0)
    closeGate()
    const user = await makeUser(shop, { roleId: 'role-admin' })
    const client = await sessionOf(shop, user.username)
    const { status, body: undo } = await send<BulkJobBody>(client, 'POST', `/api/v1/bulk-jobs/${changed.id}/undo`)
    assert.equal(status, 202)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/users/${user.id}`)).status, 204)
    openGate()
    const ended = await assertGoesOn(await untilPaused(undo.id, /no longer exists/))
    assert.equal(ended.changed, changed.changed)
  })
})

describe('A bulk job that a stop has interrupted', () => {
  it('is paused where its owner is gone by then, also by another stop, and goes on where it was', async () => {
    closeGate()
    const { id: ownerId, client } = await key()
    const { id } = await weigh(client)
    const stopping = shop.stop()
    openGate()
    await stopping
    closeGate()
    again = await startServer(options)
    const standing = await send<BulkJobBody>(again.admin, 'GET', `/api/v1/bulk-jobs/${id}`)
    assert.ok(standing.body.done < RECORDS)
    assert.equal((await send(again.admin, 'DELETE', `/api/v1/api-keys/${ownerId}`)).status, 204)
    openGate()
    const paused = await untilPaused(id, /no longer exists/, again.admin)
    assert.equal(paused.done, standing.body.done)
    await again.stop()
    again = await startServer(options)
    assert.deepEqual(await untilPaused(id, /no longer exists/, again.admin), paused)
    await assertGoesOn(paused, again.admin)
    assert.deepEqual((await readRecord(again.admin, ids.at(-1)!)).values['weight'], everywhere(weight))
  })
})
