// GET /api/v1/records/deleted: what can come back.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { assertGuarded } from '../../../helpers/ladder.ts'
import { make, makeShirt, readAudit, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface DeletedPage {
  items: { entityId: string; schemaId: string; version: number; deletedAt: string; deletedBy: string }[]
  cursor: string
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

async function list(client: Client, query = ''): Promise<DeletedPage> {
  const answer = await send<DeletedPage>(client, 'GET', `/api/v1/records/deleted${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const remove = (id: string) => send(shop.admin, 'DELETE', `/api/v1/records/${id}`)

describe('GET /api/v1/records/deleted', () => {
  it('is empty where nothing is deleted', async () => {
    const { items, cursor } = await list(shop.viewer)
    assert.deepEqual([items, typeof cursor], [[], 'string'])
  })

  it('lists what is deleted, the latest first, with the version that brings it back', async () => {
    const parent = await makeShirt(shop.admin, {})
    const variant = await makeShirt(shop.admin, {}, { parentId: parent.id })
    const [made] = await readAudit(shop.admin, parent.id)
    await remove(parent.id)
    const { items } = await list(shop.viewer)
    assert.deepEqual(
      items.map(({ entityId }) => entityId),
      [parent.id, variant.id],
    )
    const [deletion] = await readAudit(shop.admin, parent.id)
    assert.deepEqual(items[0], {
      entityId: parent.id,
      schemaId: 'sch-shirt',
      version: made!.version,
      deletedAt: deletion!.timestamp,
      deletedBy: deletion!.userId,
    })
    for (const { entityId, version } of items)
      assert.equal((await send(shop.admin, 'POST', `/api/v1/records/${entityId}/restore`, { version })).status, 200)
    assert.deepEqual((await list(shop.viewer)).items, [], 'what is back is not deleted')
  })

  it('gives each once, page by page, also while others are deleted, and what was made again not', async () => {
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.push((await makeShirt(shop.admin, {})).id)
    for (const id of ids) await remove(id)
    await make(shop.admin, '/api/v1/records', { id: ids[3], schemaId: 'sch-plain', values: {} })
    const seen: string[] = []
    let page = await list(shop.admin, '?limit=2')
    const later = await makeShirt(shop.admin, {})
    await remove(later.id)
    while (page.items.length > 0) {
      seen.push(...page.items.map(({ entityId }) => entityId))
      page = await list(shop.admin, `?limit=2&after=${page.cursor}`)
    }
    assert.deepEqual(seen, ids.filter((_, n) => n !== 3).toReversed())
    assert.deepEqual(await list(shop.admin, `?after=${page.cursor}`), page)
  })

  it('leaves out what cannot come back, since its schema is deleted, too', async () => {
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-gone', name: 'Gone', attributes: [] })
    await make(shop.admin, '/api/v1/records', { id: 'of-gone', schemaId: 'sch-gone', values: {} })
    await remove('of-gone')
    const { items } = await list(shop.admin, '?limit=1')
    assert.equal(items[0]!.entityId, 'of-gone')
    await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-gone')
    const without = await list(shop.admin, '?limit=2')
    assert.deepEqual([without.items.length, without.items.some(({ entityId }) => entityId === 'of-gone')], [2, false])
  })

  it('takes records.read and audit.read, and refuses what is no cursor', async () => {
    const endpoint = { method: 'GET', path: '/api/v1/records/deleted' }
    for (const permission of ['records.read', 'audit.read']) await assertGuarded(shop, endpoint, permission)
    for (const query of ['?after=x', '?after=', '?limit=0', '?limit=1001', '?offset=1'])
      assertRefused(await send(shop.admin, 'GET', `/api/v1/records/deleted${query}`), 'VALIDATION_ERROR')
  })
})
