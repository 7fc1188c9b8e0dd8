// Saved queries. Contract 1 §2.8, 1 §4.3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  everywhere,
  make,
  makeShirt,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface SavedQueryBody {
  id: string
  name: string
  schemaId: string | null
  criteria: object[]
  criteriaOperator: string
  createdBy: string
}

const path = '/api/v1/saved-queries'
const red = {
  name: 'Red shirts',
  criteria: [{ attributeAlias: 'color', operator: 'equals', value: 'red' }],
  criteriaOperator: 'and',
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

describe('GET /api/v1/saved-queries, POST /api/v1/saved-queries, GET /api/v1/saved-queries/:id, DELETE /api/v1/saved-queries/:id and POST /api/v1/saved-queries/:id/execute', () => {
  it('are created with an ID and the caller, read, listed in order, executed and deleted', async () => {
    const shirt = await makeShirt(shop.admin, { color: everywhere('red') })
    await makeShirt(shop.admin, { color: everywhere('blue') })
    const me = (await send<{ id: string }>(shop.editor, 'GET', '/api/v1/me')).body
    const created = await make<SavedQueryBody>(shop.editor, path, { ...red, createdBy: 'somebody' })
    assert.deepEqual(created, { ...red, id: created.id, schemaId: null, createdBy: me.id })
    assert.match(created.id, /^sq-/)
    const second = await make<SavedQueryBody>(shop.editor, path, { ...red, id: 'sq-mine', schemaId: 'sch-shirt' })
    assert.deepEqual((await send(shop.viewer, 'GET', path)).body, [created, second])
    assert.deepEqual((await send(shop.viewer, 'GET', `${path}/sq-mine`)).body, second)
    for (const id of [created.id, second.id]) {
      const found = await send<RecordBody[]>(shop.viewer, 'POST', `${path}/${id}/execute`)
      assert.deepEqual(found.body, [shirt])
    }
    const page = await send(shop.viewer, 'POST', `${path}/sq-mine/execute?limit=1&offset=1`)
    assert.deepEqual(page.body, [])
    assert.equal(page.headers.get('x-total-count'), '1')
    for (const id of [created.id, second.id])
      assert.equal((await send(shop.editor, 'DELETE', `${path}/${id}`)).status, 204)
    assert.deepEqual((await send(shop.viewer, 'GET', path)).body, [])
  })

  it('are checked when they are saved', async () => {
    const refused = async (body: object, ...named: string[]) =>
      assertRefused(await send(shop.admin, 'POST', path, { ...red, ...body }), 'VALIDATION_ERROR', ...named)
    await refused({ name: '' }, 'name')
    await refused({ criteria: [{ attributeAlias: 'nope', operator: 'isEmpty' }] }, 'nope')
    await refused({ criteria: [{ attributeAlias: 'weight', operator: 'gt', value: 'x' }] }, 'criteria[0].value')
    await refused({ schemaId: 'sch-none' }, 'schemaId', 'sch-none')
    await refused({ criteriaOperator: 'xor' }, 'criteriaOperator')
    await refused({ id: 'not an id' }, 'id')
    await refused({ critera: [] }, "Unknown member 'critera': did you mean 'criteria'?")
    await refused({ criteria: [{ ...red.criteria[0], opertor: 'x' }] }, "'criteria[0].opertor'", "'operator'")
    await make(shop.admin, path, { ...red, id: 'sq-twice' })
    assertRefused(await send(shop.admin, 'POST', path, { ...red, id: 'sq-twice' }), 'CONFLICT', 'sq-twice')
  })

  it('one that a change of the model broke is listed still, and says so when it is executed', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-gone',
      name: 'Gone',
      attributes: [{ alias: 'old', dataType: 'text' }],
    })
    const criteria = [{ attributeAlias: 'old', operator: 'isEmpty' }]
    await make(shop.admin, path, { ...red, id: 'sq-alias', criteria })
    await make(shop.admin, path, { ...red, id: 'sq-schema', criteria, schemaId: 'sch-gone' })
    await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-gone')
    const listed = (await send<SavedQueryBody[]>(shop.admin, 'GET', path)).body.map((query) => query.id)
    for (const [id, named] of [
      ['sq-alias', 'old'],
      ['sq-schema', 'sch-gone'],
    ] as const) {
      assert.ok(listed.includes(id))
      assertRefused(await send(shop.admin, 'POST', `${path}/${id}/execute`), 'VALIDATION_ERROR', id, named)
    }
  })

  it('a criterion on an attribute that is hidden from the caller is refused, when saved and when executed', async () => {
    const hidden = { ...red, criteria: [{ attributeAlias: 'price', operator: 'isEmpty' }] }
    const { id } = await make<SavedQueryBody>(shop.admin, path, hidden)
    assertRefused(await send(shop.clerk, 'POST', `${path}/${id}/execute`), 'PERMISSION_DENIED', 'price')
    const author = await shop.clientWith(['savedQueries.write'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    assertRefused(await send(author, 'POST', path, hidden), 'PERMISSION_DENIED', 'price')
  })

  it('need a credential, the permission, and an ID that exists', async () => {
    const { id } = await make<SavedQueryBody>(shop.admin, path, red)
    const calls: [method: string, path: string, body?: object][] = [
      ['GET', path],
      ['POST', path, red],
      ['GET', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/execute`],
    ]
    for (const [method, at, body] of calls) {
      assertRefused(await send(shop.anonymous, method, at, body), 'UNAUTHORIZED')
      assertRefused(await send(shop.stranger, method, at, body), 'PERMISSION_DENIED')
    }
    assertRefused(await send(shop.viewer, 'POST', path, red), 'PERMISSION_DENIED', 'savedQueries.write')
    assertRefused(await send(shop.viewer, 'DELETE', `${path}/${id}`), 'PERMISSION_DENIED', 'savedQueries.write')
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/execute'],
    ] as const)
      assertRefused(await send(shop.admin, method, `${path}/sq-none${suffix}`), 'NOT_FOUND', 'Saved query', 'sq-none')
  })
})
