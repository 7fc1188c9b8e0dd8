// Who may do what with records, endpoint by endpoint, and attribute by attribute. Contract 1 §5, 2 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Permission } from '../../../../src/core/accounts/rules/permissions.ts'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  complete,
  english,
  everywhere,
  make,
  makeShirt,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

interface Rung {
  method: string
  /** `:id` stands for the record. */
  path: string
  body?: unknown
  permission: Permission
  /** Gives something as well, if less: contract 3 §3. */
  lesser?: Permission
  status: number
  isOfOneRecord: boolean
}

const ladder: Rung[] = [
  { method: 'GET', path: '/api/v1/records', permission: 'records.read', status: 200, isOfOneRecord: false },
  {
    method: 'POST',
    path: '/api/v1/records',
    body: { schemaId: 'sch-shirt', values: {} },
    permission: 'records.create',
    status: 201,
    isOfOneRecord: false,
  },
  { method: 'GET', path: '/api/v1/records/:id', permission: 'records.read', status: 200, isOfOneRecord: true },
  {
    method: 'PUT',
    path: '/api/v1/records/:id',
    body: { values: {} },
    permission: 'records.update',
    status: 200,
    isOfOneRecord: true,
  },
  {
    method: 'PATCH',
    path: '/api/v1/records/:id',
    body: { values: {} },
    permission: 'records.update',
    status: 200,
    isOfOneRecord: true,
  },
  {
    method: 'PATCH',
    path: '/api/v1/records/:id/values/weight',
    body: { scopedValues: [] },
    permission: 'records.update',
    status: 200,
    isOfOneRecord: true,
  },
  {
    method: 'GET',
    path: '/api/v1/records/:id/completeness',
    permission: 'records.read',
    status: 200,
    isOfOneRecord: true,
  },
  {
    method: 'GET',
    path: '/api/v1/records/:id/transitions',
    permission: 'records.read',
    status: 200,
    isOfOneRecord: true,
  },
  { method: 'GET', path: '/api/v1/records/:id/audit', permission: 'audit.read', status: 200, isOfOneRecord: true },
  {
    method: 'GET',
    path: '/api/v1/changes',
    permission: 'audit.read',
    lesser: 'records.read',
    status: 200,
    isOfOneRecord: false,
  },
  { method: 'DELETE', path: '/api/v1/records/:id', permission: 'records.delete', status: 204, isOfOneRecord: true },
]

for (const { method, path, body, permission, lesser, status, isOfOneRecord } of ladder) {
  describe(`${method} ${path}`, () => {
    const at = (id: string): string => path.replace(':id', id)

    it('without a credential is UNAUTHORIZED', async () => {
      assertRefused(await send(shop.anonymous, method, at('ent-any'), body), 'UNAUTHORIZED')
    })

    it(`without the permission ${permission} is PERMISSION_DENIED, whether the record exists or not`, async () => {
      const { id } = await makeShirt(shop.admin, {})
      for (const target of [id, 'ent-none'])
        assertRefused(await send(shop.stranger, method, at(target), body), 'PERMISSION_DENIED', permission)
      assert.equal((await readRecord(shop.admin, id)).id, id)
    })

    it(`the permission ${permission} is enough, and no other is`, async () => {
      const { id } = await makeShirt(shop.admin, {})
      const holder = await shop.clientWith([permission])
      assert.equal((await send(holder, method, at(id), body)).status, status)
      const others = ladder.map((rung) => rung.permission).filter((other) => other !== permission && other !== lesser)
      const outsider = await shop.clientWith([...new Set(others)])
      assertRefused(await send(outsider, method, at(id), body), 'PERMISSION_DENIED', permission)
    })

    if (isOfOneRecord) {
      it('of a record that does not exist is NOT_FOUND, naming it', async () => {
        assertRefused(await send(shop.admin, method, at('ent-none'), body), 'NOT_FOUND', 'Record', 'ent-none')
      })
    }
  })
}

describe('POST /api/v1/records/:id/transition', () => {
  it('without a credential is UNAUTHORIZED', async () => {
    const answer = await send(shop.anonymous, 'POST', '/api/v1/records/ent-any/transition', { transitionId: 'x' })
    assertRefused(answer, 'UNAUTHORIZED')
  })
})

describe('An attribute that the role may not read', () => {
  const hidden = { price: complete.price!, description: complete.description!, constructor: everywhere('x') }
  const seen = { name: complete.name!, weight: everywhere(1), sku: [] }
  let record: RecordBody
  before(async () => {
    record = await makeShirt(shop.admin, { ...hidden, ...seen })
  })

  it('is absent from GET of one record and from lists', async () => {
    const { sku: _, ...expected } = seen
    assert.deepEqual((await readRecord(shop.clerk, record.id)).values, expected)
    const page = await send<{ items: RecordBody[] }>(shop.clerk, 'GET', '/api/v1/records?limit=1000')
    const listed = page.body.items.find((item) => item.id === record.id)!
    assert.deepEqual(listed.values, expected)
    assert.ok(!JSON.stringify(page.body).includes('"price"'))
  })

  it('is absent from the answers to PUT and to a transition, and is not lost by them', async () => {
    const put = await send<RecordBody>(shop.clerk, 'PUT', `/api/v1/records/${record.id}`, {
      values: { weight: everywhere(2) },
    })
    assert.equal(put.status, 200)
    assert.deepEqual(put.body.values, { name: complete.name, weight: everywhere(2) })
    assert.deepEqual((await readRecord(shop.admin, record.id)).values, {
      ...hidden,
      name: complete.name,
      weight: everywhere(2),
    })
  })

  it('cannot be written: 403 naming it, and nothing changes', async () => {
    const before = await readRecord(shop.admin, record.id)
    const put = { values: { weight: everywhere(9), price: [] } }
    assertRefused(await send(shop.clerk, 'PUT', `/api/v1/records/${record.id}`, put), 'PERMISSION_DENIED', 'price')
    const patch = { scopedValues: everywhere({ amount: 1, currency: 'EUR' }) }
    const patched = await send(shop.clerk, 'PATCH', `/api/v1/records/${record.id}/values/price`, patch)
    assertRefused(patched, 'PERMISSION_DENIED', 'price')
    const byScope = await send(shop.clerk, 'PATCH', `/api/v1/records/${record.id}`, { values: { price: [] } })
    assertRefused(byScope, 'PERMISSION_DENIED', 'price')
    const named = await send(shop.clerk, 'PATCH', `/api/v1/records/${record.id}/values/constructor`, {
      scopedValues: [],
    })
    assertRefused(named, 'PERMISSION_DENIED', 'constructor')
    const post = { schemaId: 'sch-shirt', values: { price: complete.price } }
    assertRefused(await send(shop.clerk, 'POST', '/api/v1/records', post), 'PERMISSION_DENIED', 'price')
    assert.deepEqual(await readRecord(shop.admin, record.id), before)
  })
})

describe('What a client expects of an attribute that its role may not read', () => {
  it('is refused alike whether it holds or not, so that nothing can be guessed', async () => {
    const { id } = await makeShirt(shop.admin, { price: complete.price! })
    const [{ scope, value }] = complete.price as [{ scope: object; value: unknown }]
    for (const expected of [value, null, { amount: 1, currency: 'EUR' }]) {
      const body = { values: {}, expect: [{ attributeAlias: 'price', scope, value: expected }] }
      const answer = await send(shop.clerk, 'PATCH', `/api/v1/records/${id}`, body)
      assertRefused(answer, 'PERMISSION_DENIED', 'may not read', 'price')
    }
  })
})

describe('A hidden reference to a record that is gone', () => {
  it('is refused as any guess is', async () => {
    const target = await makeShirt(shop.admin, {})
    const { id } = await makeShirt(shop.admin, { related: everywhere(target.id) })
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${target.id}`)).status, 204)
    const guesser = await shop.clientWith(['records.read', 'records.update'], {
      attributePermissions: { 'sch-shirt': { related: 'none' } },
    })
    const guess = async (recordId: string) => {
      const body = { values: { related: everywhere(recordId) } }
      const { status, text } = await send(guesser, 'PUT', `/api/v1/records/${id}`, body)
      return [status, text]
    }
    const [status, text] = await guess(target.id)
    assert.equal(status, 403, text as string)
    assert.deepEqual(await guess('ent-other'), [status, text])
  })
})

describe('An attribute that the role may read and not write', () => {
  it('is shown, cannot be written, and stays', async () => {
    const { id } = await makeShirt(shop.admin, { sku: everywhere('READ-1') })
    assert.deepEqual((await readRecord(shop.clerk, id)).values, { sku: everywhere('READ-1') })
    const put = { values: { sku: everywhere('READ-2'), weight: everywhere(1) } }
    assertRefused(await send(shop.clerk, 'PUT', `/api/v1/records/${id}`, put), 'PERMISSION_DENIED', 'sku')
    const patch = await send(shop.clerk, 'PATCH', `/api/v1/records/${id}/values/sku`, { scopedValues: [] })
    assertRefused(patch, 'PERMISSION_DENIED', 'sku')
    assert.deepEqual((await readRecord(shop.admin, id)).values, { sku: everywhere('READ-1') })
  })
})

describe('A role', () => {
  it('whose default is none sees and writes only what is granted', async () => {
    const client = await shop.clientWith(['records.read', 'records.create', 'records.update'], {
      defaultAttributePermission: 'none',
      attributePermissions: { 'sch-shirt': { weight: 'write', name: 'read' } },
    })
    const { id } = await makeShirt(shop.admin, { ...complete, weight: everywhere(1) })
    assert.deepEqual((await readRecord(client, id)).values, { name: complete.name, weight: everywhere(1) })
    await make(client, '/api/v1/records', { schemaId: 'sch-shirt', values: { weight: everywhere(3) } })
    const named = { schemaId: 'sch-shirt', values: { name: [english('x')] } }
    assertRefused(await send(client, 'POST', '/api/v1/records', named), 'PERMISSION_DENIED', 'name')
    const plain = { schemaId: 'sch-plain', values: { title: everywhere('x') } }
    assertRefused(await send(client, 'POST', '/api/v1/records', plain), 'PERMISSION_DENIED', 'title')
  })

  it('that changes is judged again by the next request', async () => {
    const client = await shop.clientWith(['records.read'], { defaultAttributePermission: 'read' })
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    assert.deepEqual((await readRecord(client, id)).values, { weight: everywhere(1) })
    const me = await send<{ roleId: string }>(client, 'GET', '/api/v1/me')
    const rolePath = `/api/v1/roles/${me.body.roleId}`
    const role = await send<object>(shop.admin, 'GET', rolePath)
    await send(shop.admin, 'PUT', rolePath, { ...role.body, attributePermissions: { 'sch-shirt': { weight: 'none' } } })
    assert.deepEqual((await readRecord(client, id)).values, {})
    await send(shop.admin, 'PUT', rolePath, { ...role.body, permissions: [] })
    assertRefused(await send(client, 'GET', `/api/v1/records/${id}`), 'PERMISSION_DENIED', 'records.read')
  })
})
