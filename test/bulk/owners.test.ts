// A bulk job ends with its owner: whoever is gone changes nothing more. Contract 3 §10, 3 §12.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
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
const WRITING = ['records.read', 'records.create', 'records.update']

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
  const role = { id: 'role-weigher', name: 'W', permissions: WRITING, defaultAttributePermission: 'write' }
  await make(shop.admin, '/api/v1/roles', role)
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
  const actions = [{ setValues: { weight: everywhere(2) } }]
  const { status, body, text } = await postJob(client, { selection: byIds(...ids), actions, ...more })
  assert.equal(status, 202, text)
  return body
}
/** An import of a file of one line, by a job. */
async function bring(client: Client): Promise<BulkJobBody> {
  const headers = { ...client.headers, 'content-type': 'application/x-ndjson' }
  const path = `${client.url}/api/v1/imports?fileName=a.ndjson`
  const line = JSON.stringify({ id: 'brought', values: {} })
  const { id } = (await (await fetch(path, { method: 'POST', headers, body: line })).json()) as { id: string }
  const mapping = { schemaId: 'sch-shirt', mode: 'create', columns: [] }
  assert.equal((await send(client, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)).status, 200)
  const { status, body } = await send<BulkJobBody>(client, 'POST', `/api/v1/imports/${id}/run`)
  assert.equal(status, 202)
  return body
}

async function assertEndsAsFailed(id: string, why: RegExp, admin = shop.admin): Promise<BulkJobBody> {
  const ended = await untilEnded(admin, id)
  assert.equal(ended.status, 'failed')
  const [first, ...others] = await errorsOf(admin, id)
  assert.deepEqual([first!.recordId, first!.error, others], [null, 'PERMISSION_DENIED', []])
  assert.match(first!.message, why)
  return ended
}

for (const [what, begin] of [
  ['A bulk job', weigh],
  ['A dry run', (client: Client) => weigh(client, { dryRun: true })],
  ['An import', bring],
] as const)
  describe(what, () => {
    it('fails where the key of its owner is revoked', async () => {
      closeGate()
      const { id: ownerId, client } = await key()
      const job = await begin(client)
      assert.deepEqual([job.ownerId, job.createdBy], [ownerId, ownerId])
      assert.equal((await send(shop.admin, 'DELETE', `/api/v1/api-keys/${ownerId}`)).status, 204)
      openGate()
      await assertEndsAsFailed(job.id, new RegExp(`API key '${ownerId}'.*no longer exists`))
    })

    it('fails where the key of its owner has expired', async () => {
      closeGate()
      const { client } = await key(new Date(clock.now().getTime() + HOUR).toISOString())
      const job = await begin(client)
      clock.advance(2 * HOUR)
      openGate()
      await assertEndsAsFailed(job.id, /API key.*has expired/)
    })

    for (const [how, method, body, why] of [
      ['disabled', 'PATCH', { disabled: true }, /user.*is disabled/],
      ['deleted', 'DELETE', undefined, /user.*no longer exists/],
    ] as const)
      it(`fails where its owner is ${how}`, async () => {
        closeGate()
        const { id: userId, username } = await makeUser(shop, { roleId: 'role-weigher' })
        const job = await begin(await sessionOf(shop, username))
        assert.ok((await send(shop.admin, method, `/api/v1/users/${userId}`, body)).status < 300)
        openGate()
        await assertEndsAsFailed(job.id, why)
      })
  })

describe('A bulk job that a stop has interrupted', () => {
  it('does not go on where its owner is gone by then; what it has changed stays', async () => {
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
    const ended = await assertEndsAsFailed(id, /no longer exists/, again.admin)
    assert.equal(ended.done, standing.body.done)
    assert.deepEqual((await readRecord(again.admin, ids.at(-1)!)).values['weight'], everywhere(1))
  })
})
