// POST /api/v1/bulk-jobs/:id/take-over: a bulk job gets another owner. Contract 3 §12.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, byIds, errorsOf, postJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import type { Client } from '../../helpers/client.ts'
import { over } from '../../helpers/over.ts'
import { everywhere, makeShirt, readAudit, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

const WRITING = ['records.read', 'records.update'] as const

/** Jobs stand still before each step while it is closed. */
let gate: PromiseWithResolvers<void> | undefined
function openGate(): void {
  gate?.resolve()
  gate = undefined
}

let shop: Workspace
before(async () => {
  const whenCalm = (): Promise<void> => gate?.promise ?? Promise.resolve()
  shop = await startWorkspace({ testing: { wrapStore: (store) => over(store, { whenCalm }) } })
  await makeShirt(shop.admin, { weight: everywhere(1) }, { id: 's-0' })
})
afterEach(() => openGate())
after(async () => {
  openGate()
  await shop.stop()
})

const takeOver = (client: Client, id: string) => send<BulkJobBody>(client, 'POST', `/api/v1/bulk-jobs/${id}/take-over`)

/** A job that does not begin before the gate is opened. */
async function weigh(client: Client, weight: number): Promise<BulkJobBody> {
  gate ??= Promise.withResolvers()
  const actions = [{ setValues: { weight: everywhere(weight) } }]
  const { status, body, text } = await postJob(client, { selection: byIds('s-0'), actions })
  assert.equal(status, 202, text)
  return body
}

const mayWrite = () => shop.clientWith(WRITING, { defaultAttributePermission: 'write' })

describe('POST /api/v1/bulk-jobs/:id/take-over', () => {
  it('makes whoever may do all that the job does its owner: it is theirs, and with their rights, from then on', async () => {
    const [one, other] = [await mayWrite(), await mayWrite()]
    const { id, ownerId } = await weigh(one, 2)
    const { status, body } = await takeOver(other, id)
    assert.deepEqual([status, body.createdBy, body.pausedReason], [200, ownerId, null])
    assert.notEqual(body.ownerId, ownerId)
    assertRefused(await send(one, 'GET', `/api/v1/bulk-jobs/${id}`), 'NOT_FOUND')
    const list = await send<BulkJobBody[]>(other, 'GET', '/api/v1/bulk-jobs')
    assert.deepEqual(
      list.body.map((job) => [job.id, job.ownerId]),
      [[id, body.ownerId]],
    )
    openGate()
    assert.equal((await untilEnded(other, id)).status, 'succeeded')
    assert.equal((await readAudit(shop.admin, 's-0'))[0]!.userId, body.ownerId)
  })

  it('is refused to who may not do it, and not found for who does not see the job besides', async () => {
    const { id, ownerId } = await weigh(await mayWrite(), 3)
    const reader = await shop.clientWith(['records.read'], { defaultAttributePermission: 'write' })
    const blind = await shop.clientWith(WRITING, { defaultAttributePermission: 'read' })
    const manager = await shop.clientWith(['users.manage'])
    for (const client of [reader, blind]) assertRefused(await takeOver(client, id), 'NOT_FOUND', id)
    assertRefused(await takeOver(manager, id), 'PERMISSION_DENIED', 'records.update')
    assertRefused(await takeOver(shop.admin, 'bulk-none'), 'NOT_FOUND', 'bulk-none')
    assert.equal((await send<BulkJobBody>(shop.admin, 'GET', `/api/v1/bulk-jobs/${id}`)).body.ownerId, ownerId)
  })

  it('is noted in the feed of changes', async () => {
    const { id, ownerId } = await weigh(await mayWrite(), 4)
    assert.equal((await takeOver(shop.admin, id)).status, 200)
    const path = '/api/v1/changes?entityType=model&before=latest&limit=1'
    const { body } = await send<{ items: Record<string, unknown>[] }>(shop.admin, 'GET', path)
    const { entityType, entityId, userId, changes } = body.items[0]!
    assert.deepEqual([entityType, entityId, userId], ['bulkJob', id, 'key-bootstrap'])
    assert.deepEqual(changes, [{ field: 'ownerId', oldValue: ownerId, newValue: 'key-bootstrap' }])
  })

  it('is a conflict for a job that has ended, or that changes a schema', async () => {
    const { id } = await weigh(shop.admin, 5)
    const path = '/api/v1/schemas/sch-shirt/rename-attribute'
    const { body: renaming } = await send<BulkJobBody>(shop.admin, 'POST', path, { from: 'name', to: 'title' })
    assertRefused(await takeOver(shop.admin, renaming.id), 'CONFLICT', renaming.id, 'schema')
    openGate()
    for (const job of [id, renaming.id])
      assert.deepEqual(await errorsOf(shop.admin, (await untilEnded(shop.admin, job)).id), [])
    assertRefused(await takeOver(shop.admin, id), 'CONFLICT', id, 'ended')
  })
})
