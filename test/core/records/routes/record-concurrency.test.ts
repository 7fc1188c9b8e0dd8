// ETag and If-Match, races for unique values and IDs, and the record limit. Contract 2 §1, 2 §4, 1 §8.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  complete,
  everywhere,
  makeShirt,
  readAudit,
  readRecord,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

function countStatuses(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('ETag and If-Match', () => {
  let shop: Workspace
  before(async () => {
    shop = await startWorkspace({ maxRecords: 0 })
  })
  after(() => shop.stop())

  async function etagOf(id: string): Promise<string> {
    const answer = await send(shop.admin, 'GET', `/api/v1/records/${id}`)
    assert.match(answer.headers.get('etag')!, /^"\d+"$/)
    return answer.headers.get('etag')!
  }

  const changes: [string, string, string, unknown][] = [
    ['PUT', 'PUT', '', { values: { weight: everywhere(5) } }],
    ['PATCH', 'PATCH', '/values/weight', { scopedValues: everywhere(5) }],
    ['a transition', 'POST', '/transition', { transitionId: 'tr-submit' }],
  ]

  it('POST answers the ETag that GET answers', async () => {
    const made = await send<{ id: string }>(shop.admin, 'POST', '/api/v1/records', {
      schemaId: 'sch-plain',
      values: {},
    })
    assert.equal(made.headers.get('etag'), await etagOf(made.body.id))
  })

  for (const [name, method, suffix, body] of changes) {
    it(`${name} answers the new ETag, which GET answers from then on`, async () => {
      const { id } = await makeShirt(shop.admin, {})
      const old = await etagOf(id)
      const answer = await send(shop.admin, method, `/api/v1/records/${id}${suffix}`, body)
      assert.equal(answer.status, 200)
      assert.notEqual(answer.headers.get('etag'), old)
      assert.equal(answer.headers.get('etag'), await etagOf(id))
    })
  }

  for (const [name, method, suffix, body] of [...changes, ['DELETE', 'DELETE', '', undefined] as const]) {
    it(`${name} with the present ETag goes ahead; with a stale one it is refused and changes nothing`, async () => {
      const { id } = await makeShirt(shop.admin, {})
      const stale = await etagOf(id)
      await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(1) } })
      const present = await etagOf(id)
      const path = `/api/v1/records/${id}${suffix}`
      const before = await readRecord(shop.admin, id)
      for (const tag of [stale, '"none"', '"0"', `W/${present}`, 'none', present.slice(1, -1), ''])
        assertRefused(await send(shop.admin, method, path, body, { 'if-match': tag }), 'PRECONDITION_FAILED')
      assert.deepEqual(await readRecord(shop.admin, id), before)
      assert.equal(await etagOf(id), present)
      const answer = await send(shop.admin, method, path, body, { 'if-match': `${stale}, ${present}` })
      assert.ok(answer.status < 300, `${answer.status}`)
    })
  }

  it('an update that changes no value makes a new version all the same', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    const old = await etagOf(id)
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(1) } })
    assert.notEqual(await etagOf(id), old)
  })

  it('a record created again under an ID never has an ETag of the one before it', async () => {
    const { id } = await makeShirt(shop.admin, {}, { id: 'phoenix' })
    const old = await etagOf(id)
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    await makeShirt(shop.admin, {}, { id })
    assert.notEqual(await etagOf(id), old)
    const answer = await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: {} }, { 'if-match': old })
    assertRefused(answer, 'PRECONDITION_FAILED')
  })

  it('a record that does not exist is NOT_FOUND before any precondition', async () => {
    for (const [, method, suffix, body] of changes)
      assertRefused(
        await send(shop.admin, method, `/api/v1/records/ent-none${suffix}`, body, { 'if-match': '"1"' }),
        'NOT_FOUND',
      )
  })

  it('of many updates at once with the same ETag exactly one goes ahead', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const tag = await etagOf(id)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, weight) =>
        send(
          shop.admin,
          'PUT',
          `/api/v1/records/${id}`,
          { values: { weight: everywhere(weight) } },
          { 'if-match': tag },
        ),
      ),
    )
    assert.deepEqual(countStatuses(answers), { 200: 1, 412: 15 })
    const winner = answers.findIndex((answer) => answer.status === 200)
    assert.deepEqual((await readRecord(shop.admin, id)).values, { weight: everywhere(winner) })
    assert.equal((await readAudit(shop.admin, id)).length, 2)
  })

  it('without If-Match every update goes ahead, and the trail tells each from the one before', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(100) })
    await Promise.all(
      Array.from({ length: 16 }, (_, weight) =>
        send(shop.admin, 'PATCH', `/api/v1/records/${id}/values/weight`, { scopedValues: everywhere(weight) }),
      ),
    )
    const entries = (await readAudit(shop.admin, id)).toReversed()
    assert.equal(entries.length, 17)
    let weight: unknown = null
    for (const {
      changes: [change],
    } of entries) {
      assert.equal(change!.oldValue, weight)
      weight = change!.newValue
    }
    assert.deepEqual((await readRecord(shop.admin, id)).values, { weight: everywhere(weight) })
  })

  it('of many transitions at once exactly one leaves the state', async () => {
    const { id } = await makeShirt(shop.admin, complete)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        send(shop.admin, 'POST', `/api/v1/records/${id}/transition`, { transitionId: 'tr-submit' }),
      ),
    )
    assert.deepEqual(countStatuses(answers), { 200: 1, 400: 7 })
  })

  it('of parallel creations with one unique value, or one ID, exactly one goes ahead', async () => {
    const create = (body: object) =>
      send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-shirt', values: {}, ...body })
    const sameValue = await Promise.all(
      Array.from({ length: 8 }, () => create({ values: { sku: everywhere('RACE-1') } })),
    )
    assert.deepEqual(countStatuses(sameValue), { 201: 1, 409: 7 })
    const sameId = await Promise.all(Array.from({ length: 8 }, () => create({ id: 'race' })))
    assert.deepEqual(countStatuses(sameId), { 201: 1, 409: 7 })
    assert.equal((await readAudit(shop.admin, 'race')).length, 1)
  })
})

describe('The record limit', () => {
  it('is 500 where nothing is said', async () => {
    const shop = await startWorkspace()
    try {
      const body = { schemaId: 'sch-plain', values: {} }
      const answers = await Promise.all(
        Array.from({ length: 520 }, () => send(shop.admin, 'POST', '/api/v1/records', body)),
      )
      assert.equal(answers.filter((answer) => answer.status === 201).length, 500)
      for (const answer of answers.filter((refused) => refused.status !== 201))
        assertRefused(answer, 'LIMIT_EXCEEDED', '500')
      const page = await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records?limit=1')
      assert.equal(page.body.total, 500)
    } finally {
      await shop.stop()
    }
  })

  it('is exact under parallel creation, counts variants, names itself, and gives way after a delete', async () => {
    const shop = await startWorkspace({ maxRecords: 7 })
    try {
      const parent = await makeShirt(shop.admin, {})
      const create = () =>
        send<{ id: string }>(shop.admin, 'POST', '/api/v1/records', {
          schemaId: 'sch-shirt',
          parentId: parent.id,
          values: {},
        })
      const answers = await Promise.all(Array.from({ length: 20 }, create))
      assert.equal(answers.filter((answer) => answer.status === 201).length, 6)
      for (const answer of answers.filter((refused) => refused.status !== 201))
        assertRefused(answer, 'LIMIT_EXCEEDED', 'limit', '7')
      const one = answers.find((answer) => answer.status === 201)!.body.id
      await send(shop.admin, 'DELETE', `/api/v1/records/${one}`)
      assert.equal((await create()).status, 201)
      assertRefused(await create(), 'LIMIT_EXCEEDED')
      await send(shop.admin, 'PUT', `/api/v1/records/${parent.id}`, { values: {} })
      await send(shop.admin, 'DELETE', `/api/v1/records/${parent.id}`)
      assert.equal((await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records')).body.total, 0)
    } finally {
      await shop.stop()
    }
  })

  it('an ID that exists is a CONFLICT in a full workspace too', async () => {
    const shop = await startWorkspace({ maxRecords: 1 })
    try {
      await makeShirt(shop.admin, {}, { id: 'only' })
      const again = { id: 'only', schemaId: 'sch-shirt', values: {} }
      assertRefused(await send(shop.admin, 'POST', '/api/v1/records', again), 'CONFLICT', 'only')
    } finally {
      await shop.stop()
    }
  })
})
