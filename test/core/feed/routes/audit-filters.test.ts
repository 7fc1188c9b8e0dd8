// The trail of one record page by page, and by who did what to which attribute.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { type AuditEntryBody, everywhere, makeShirt, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

let shop: Workspace
let id: string
let entries: AuditEntryBody[]

async function list(client: Client, query = ''): Promise<AuditEntryBody[]> {
  const answer = await send<AuditEntryBody[]>(client, 'GET', `/api/v1/records/${id}/audit${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const put = (client: Client, values: object) => send(client, 'PUT', `/api/v1/records/${id}`, { values })

before(async () => {
  shop = await startWorkspace()
  id = (await makeShirt(shop.admin, { weight: everywhere(1), price: everywhere({ amount: 1, currency: 'EUR' }) })).id
  await put(shop.editor, { weight: everywhere(2) })
  await put(shop.admin, { price: everywhere({ amount: 2, currency: 'EUR' }), lifecycleState: everywhere('text') })
  await send(shop.editor, 'POST', `/api/v1/records/${id}/transition`, { transitionId: 'tr-submit' })
  await put(shop.editor, { extra: everywhere({ attributeAlias: 'weight' }) })
  entries = await list(shop.admin)
})
after(() => shop.stop())

const places = (found: readonly AuditEntryBody[]) =>
  found.map((entry) => entries.findIndex(({ id }) => id === entry.id))

describe('GET /api/v1/records/:id/audit', () => {
  it('goes on before the last entry of a page, until there is none', async () => {
    const seen: AuditEntryBody[] = []
    for (let page = await list(shop.admin, '?limit=2'); page.length > 0;) {
      seen.push(...page)
      page = await list(shop.admin, `?limit=2&before=${page.at(-1)!.id}`)
    }
    assert.deepEqual(seen, entries)
    assert.equal(entries.length, 5)
  })

  it('says who did what to which attribute', async () => {
    assert.deepEqual(places(await list(shop.admin, '?attributeAlias=weight')), [3, 4])
    assert.deepEqual(places(await list(shop.admin, `?userId=${entries[0]!.userId}`)), [0, 1, 3])
    assert.deepEqual(places(await list(shop.admin, '?action=update')), [0, 2, 3])
    assert.deepEqual(places(await list(shop.admin, '?action=update&attributeAlias=weight&limit=1')), [3])
    assert.deepEqual(places(await list(shop.admin, `?attributeAlias=weight&before=${entries[3]!.id}`)), [4])
    assert.deepEqual(await list(shop.admin, '?attributeAlias=unknown'), [])
    assert.deepEqual(await list(shop.admin, '?userId=nobody'), [])
  })

  it('finds transitions as lifecycleState, beside an attribute of that name for who may read it', async () => {
    assert.deepEqual(places(await list(shop.admin, '?attributeAlias=lifecycleState')), [1, 2])
    assert.deepEqual(places(await list(shop.clerk, '?attributeAlias=lifecycleState')), [1])
  })

  it('does not tell when an attribute changed that the caller may not read', async () => {
    const answer = await send(shop.clerk, 'GET', `/api/v1/records/${id}/audit?attributeAlias=price`)
    assertRefused(answer, 'PERMISSION_DENIED', 'price')
  })

  it('refuses what names no entry of the record, no action and no parameter', async () => {
    const other = await makeShirt(shop.admin, {})
    const refuse = async (query: string, ...named: string[]) =>
      assertRefused(
        await send(shop.admin, 'GET', `/api/v1/records/${other.id}/audit${query}`),
        'VALIDATION_ERROR',
        ...named,
      )
    await refuse(`?before=${entries[0]!.id}`, 'before', entries[0]!.id)
    await refuse('?before=', 'before')
    await refuse('?action=created', 'action', 'transition')
    await refuse('?attribute=x', 'attribute', 'attributeAlias')
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/gone/audit?before=x'), 'NOT_FOUND', 'gone')
  })
})
