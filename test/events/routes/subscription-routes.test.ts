// Endpoints of subscriptions: what is taken, kept, shown and refused. What is delivered is tested in test/events.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import type { Client } from '../../helpers/client.ts'
import { type EventReceiver, startReceiver } from '../../helpers/event-receiver.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

interface SubscriptionBody {
  readonly id: string
  readonly cursor: string
  readonly active: boolean
  readonly headers: Record<string, string>
  readonly signingSecret: string | null
  readonly pausedReason: { readonly code: string; readonly message: string } | null
  readonly selection: { readonly criteria: unknown[] } | null
  readonly [member: string]: unknown
}

const PATH = '/api/v1/subscriptions'
const SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI='
const MASK = '********'

let shop: Workspace
let receiver: EventReceiver
before(async () => {
  shop = await startWorkspace({ allowDestinations: ['127.0.0.1'] })
  receiver = await startReceiver({ secret: SECRET })
})
after(async () => {
  await shop.stop()
  await receiver.close()
})

const bodyOf = (more: object = {}) => ({ name: 'Shop', url: receiver.url, events: ['record.created'], ...more })
const create = (more: object = {}, client: Client = shop.admin) =>
  make<SubscriptionBody>(client, PATH, bodyOf({ active: false, ...more }))
const put = (id: string, body: object, client: Client = shop.admin) =>
  send<SubscriptionBody>(client, 'PUT', `${PATH}/${id}`, body)
const criterion = (attributeAlias: string) => ({ attributeAlias, operator: 'equals', value: 'x' })
const selectionOf = (...criteria: unknown[]) => ({ criteria, criteriaOperator: 'and' })

describe('Subscriptions', () => {
  it('need subscriptions.write, all of them', async () => {
    const { id } = await create()
    for (const [endpoint, body] of [
      ['GET /api/v1/subscriptions'],
      ['POST /api/v1/subscriptions', bodyOf()],
      ['GET /api/v1/subscriptions/:id'],
      ['PUT /api/v1/subscriptions/:id', bodyOf()],
      ['POST /api/v1/subscriptions/:id/resume'],
      ['POST /api/v1/subscriptions/:id/replay', { after: 'latest' }],
      ['POST /api/v1/subscriptions/:id/test'],
      ['GET /api/v1/subscriptions/:id/deliveries'],
      ['DELETE /api/v1/subscriptions/:id'],
    ] as const) {
      const [method, path] = endpoint.replace(':id', id).split(' ') as [string, string]
      await assertGuarded(shop, { method, path, body }, 'subscriptions.write')
    }
    const keeper = await shop.clientWith(['subscriptions.write'])
    await create({}, keeper)
    assert.equal((await send(keeper, 'DELETE', `${PATH}/${id}`)).status, 204)
    assertRefused(await send(shop.admin, 'GET', `${PATH}/${id}`), 'NOT_FOUND', id)
  })

  it('that are not there are 404', async () => {
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PUT', '', bodyOf()],
      ['DELETE', ''],
      ['POST', '/resume'],
      ['POST', '/replay', { after: 'latest' }],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const)
      await assertNotFound(shop.admin, 'Subscription', (id) => ({
        method,
        path: `/api/v1/subscriptions/${id}${rest}`,
        body,
      }))
  })

  it('are shown with their defaults, without secrets, and can be sent back as they were read', async () => {
    const headers = { Authorization: 'Bearer top secret', 'X-Shop': 'also secret' }
    const made = await create({ id: 'sub-1', headers, signingSecret: SECRET })
    assert.deepEqual(
      { ...made, createdAt: '', updatedAt: '', createdBy: '', cursor: '' },
      {
        id: 'sub-1',
        name: 'Shop',
        url: receiver.url,
        events: ['record.created'],
        schemaIds: null,
        selection: null,
        headers: { Authorization: MASK, 'X-Shop': MASK },
        signingSecret: MASK,
        active: false,
        batchSize: 1,
        createdAt: '',
        updatedAt: '',
        createdBy: '',
        ownerId: 'key-bootstrap',
        cursor: '',
        pausedReason: null,
        failingSince: null,
        nextAttemptAt: null,
      },
    )
    const again = await put('sub-1', made)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual({ ...again.body, updatedAt: made.updatedAt }, made)
    const { body } = await send<SubscriptionBody[]>(shop.admin, 'GET', PATH)
    assert.deepEqual(
      body.find(({ id }) => id === 'sub-1'),
      again.body,
    )
    assertRefused(await send(shop.admin, 'POST', PATH, bodyOf({ id: 'sub-1' })), 'CONFLICT', 'sub-1')
  })

  it('are refused for what cannot be', async () => {
    for (const [more, ...named] of [
      [{ url: 'ftp://example.com' }, 'url'],
      [{ url: 'https://user:word@example.com' }, 'url'],
      [{ url: 'http://169.254.169.254/latest' }, 'url', '--allow-destination'],
      [{ url: 'http://[::1]:1/' }, 'url'],
      [{ events: [] }, 'events'],
      [{ events: ['record.changed'] }, 'events'],
      [{ events: ['run.failed', 'run.failed'] }, 'events', 'run.failed'],
      [{ schemaIds: [] }, 'schemaIds'],
      [{ schemaIds: ['sch-gone'] }, 'schemaIds', 'sch-gone'],
      [{ selection: selectionOf(criterion('nothing')) }, 'nothing'],
      [{ selection: { ...selectionOf(), schemaId: 'sch-gone' } }, 'sch-gone'],
      [{ selection: { criteria: [] } }, 'criteriaOperator'],
      [{ selection: { ...selectionOf(), sort: [] } }, 'sort'],
      [{ headers: { 'webhook-id': 'x' } }, 'headers'],
      [{ headers: { 'X-A': 'line\nbreak' } }, 'headers'],
      [{ headers: { 'X-A': 1 } }, 'headers'],
      [{ headers: { 'X-A': MASK } }, 'X-A', 'none is stored'],
      [{ signingSecret: '' }, 'signingSecret'],
      [{ signingSecret: 'whsec_?' }, 'signingSecret'],
      [{ batchSize: 0 }, 'batchSize'],
      [{ batchSize: 101 }, 'batchSize'],
      [{ batchsize: 2 }, 'batchSize'],
      [{ name: ' ' }, 'name'],
    ] as const)
      assertRefused(await send(shop.admin, 'POST', PATH, bodyOf(more)), 'VALIDATION_ERROR', ...named)
    const { id } = await create()
    for (const body of [{}, { after: 'x' }, { after: '', more: 1 }])
      assertRefused(await send(shop.admin, 'POST', `${PATH}/${id}/replay`, body), 'VALIDATION_ERROR')
  })

  it('keep a secret by its placeholder as long as it goes to the same scheme, host and port', async () => {
    const made = await create({ headers: { 'X-Token': 'abc' }, signingSecret: SECRET })
    for (const url of ['http://127.0.0.1:1/events', receiver.url.replace('http:', 'https:'), 'http://example.com/'])
      assertRefused(
        await put(made.id, { ...made, url }),
        'VALIDATION_ERROR',
        'headers.X-Token',
        'signingSecret',
        'again',
      )
    const elsewhere = await put(made.id, { ...made, url: `${receiver.url}/deeper` })
    assert.equal(elsewhere.status, 200, elsewhere.text)
    const alone = { ...made, url: 'http://127.0.0.1:1/events', headers: { 'X-Token': 'new' } }
    assertRefused(await put(made.id, alone), 'VALIDATION_ERROR', 'signingSecret')
    assert.equal((await put(made.id, { ...alone, signingSecret: 'another' })).status, 200)
    const cleared = await put(made.id, bodyOf({ active: false }))
    assert.deepEqual([cleared.body.headers, cleared.body.signingSecret], [{}, null])
  })

  it('neither ask for nor show what is hidden from the caller, which stays when the placeholder is sent back', async () => {
    const hidden = { attributePermissions: { 'sch-shirt': { sku: 'none' } } }
    const keeper = await shop.clientWith(['subscriptions.write', 'records.read'], hidden)
    const selection = { ...selectionOf(criterion('sku'), criterion('name')), schemaId: 'sch-shirt' }
    assertRefused(await send(keeper, 'POST', PATH, bodyOf({ selection })), 'PERMISSION_DENIED', 'sku')
    const made = await create({ selection })
    const seen = (await send<SubscriptionBody>(keeper, 'GET', `${PATH}/${made.id}`)).body
    assert.deepEqual(seen.selection!.criteria, [MASK, criterion('name')])
    assert.equal((await put(made.id, seen, keeper)).status, 200)
    assert.deepEqual(
      (await send<SubscriptionBody>(shop.admin, 'GET', `${PATH}/${made.id}`)).body.selection,
      made.selection,
    )
    const more = { ...seen, selection: { ...seen.selection, criteria: [MASK, criterion('name'), MASK] } }
    assertRefused(await put(made.id, more, keeper), 'VALIDATION_ERROR', 'criteria[2]')
  })

  it('keep no hidden criterion for another schema, whose attribute of that alias the caller may read', async () => {
    const sku = { alias: 'sku', name: 'SKU', dataType: 'text' }
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-numbered', name: 'N', attributes: [sku] })
    const hidden = { attributePermissions: { 'sch-shirt': { sku: 'none' } } }
    const keeper = await shop.clientWith(['subscriptions.write', 'records.read'], hidden)
    const made = await create({ selection: { ...selectionOf(criterion('sku')), schemaId: 'sch-shirt' } })
    const seen = (await send<SubscriptionBody>(keeper, 'GET', `${PATH}/${made.id}`)).body
    const moved = { ...seen, selection: { ...seen.selection, schemaId: 'sch-numbered' } }
    assertRefused(await put(made.id, moved, keeper), 'VALIDATION_ERROR', 'selection.criteria[0]', 'schemaId')
  })

  it('keep their role and their schemas from being deleted', async () => {
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-told', name: 'T', attributes: [] })
    const { id } = await create({ schemaIds: ['sch-told'] })
    assertRefused(await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-told'), 'CONFLICT', id)
    await send(shop.admin, 'DELETE', `${PATH}/${id}`)
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-told')).status, 204)
  })

  it('send a ping when asked, signed, with their headers, and tell how it ended', async () => {
    const { id } = await create({ headers: { 'X-Shop': 'mine' }, signingSecret: SECRET, batchSize: 2 })
    const good = await send<Record<string, unknown>>(shop.admin, 'POST', `${PATH}/${id}/test`)
    assert.equal(good.status, 200, good.text)
    assert.deepEqual([good.body.ok, good.body.status, good.body.responseStatus], [true, 'succeeded', 200])
    const { events, id: webhookId } = receiver.requests.at(-1)!
    assert.deepEqual([events[0]!.type, events[0]!.data, webhookId], ['ping', {}, good.body.id])
    const headers = receiver.headers.at(-1)!
    assert.deepEqual([headers['x-shop'], headers['x-pimlet-subscription']], ['mine', id])
    receiver.answers = [500, 200]
    const bad = await send<Record<string, unknown>>(shop.admin, 'POST', `${PATH}/${id}/test`)
    assert.deepEqual([bad.body.ok, bad.body.status, bad.body.responseStatus], [false, 'failed', 500])
    const { body } = await send<Record<string, unknown>[]>(shop.admin, 'GET', `${PATH}/${id}/deliveries?limit=2`)
    const shown = [bad.body, good.body].map(({ ok: _ok, ...delivery }) => delivery)
    assert.deepEqual(body, shown)
  })

  it('are 100 at most', async () => {
    const { body } = await send<SubscriptionBody[]>(shop.admin, 'GET', PATH)
    for (let n = body.length; n < 100; n += 1) await create()
    assertRefused(await send(shop.admin, 'POST', PATH, bodyOf()), 'LIMIT_EXCEEDED', '100')
    await makeShirt(shop.admin, {})
  })
})
