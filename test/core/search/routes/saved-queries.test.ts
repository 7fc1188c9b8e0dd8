// Saved queries. Contract 1 §2.8, 1 §4.3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
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
    assert.deepEqual(created, { ...red, id: created.id, schemaId: null, createdBy: me.id, visibility: 'shared' })
    assert.match(created.id, /^sq-/)
    const second = await make<SavedQueryBody>(shop.editor, path, { ...red, id: 'sq-mine', schemaId: 'sch-shirt' })
    assert.deepEqual((await send(shop.viewer, 'GET', path)).body, [created, second])
    assert.deepEqual((await send(shop.viewer, 'GET', `${path}/sq-mine`)).body, second)
    for (const id of [created.id, second.id]) {
      const found = await send<RecordBody[]>(shop.viewer, 'POST', `${path}/${id}/execute`)
      assert.deepEqual(found.body, [shirt])
    }
    for (const [query, body] of [
      ['?limit=1&offset=1', undefined],
      ['', { limit: 1, offset: 1 }],
    ] as const) {
      const page = await send(shop.viewer, 'POST', `${path}/sq-mine/execute${query}`, body)
      assert.deepEqual(page.body, [])
      assert.equal(page.headers.get('x-total-count'), '1')
    }
    const refused = await send(shop.viewer, 'POST', `${path}/sq-mine/execute`, { limit: 0 })
    assertRefused(refused, 'VALIDATION_ERROR', 'limit')
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
      ['PUT', `${path}/${id}`, red],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/execute`],
    ]
    for (const [method, at, body] of calls) {
      assertRefused(await send(shop.anonymous, method, at, body), 'UNAUTHORIZED')
      assertRefused(await send(shop.stranger, method, at, body), 'PERMISSION_DENIED')
    }
    assertRefused(await send(shop.viewer, 'POST', path, red), 'PERMISSION_DENIED', 'savedQueries.write')
    assertRefused(await send(shop.viewer, 'DELETE', `${path}/${id}`), 'PERMISSION_DENIED', 'savedQueries.write')
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PUT', '', red],
      ['DELETE', '', undefined],
      ['POST', '/execute', undefined],
    ] as const)
      assertRefused(
        await send(shop.admin, method, `${path}/sq-none${suffix}`, body),
        'NOT_FOUND',
        'Saved query',
        'sq-none',
      )
  })
})

describe('PUT /api/v1/saved-queries/:id', () => {
  const put = (client: Client, id: string, body: object) => send<SavedQueryBody>(client, 'PUT', `${path}/${id}`, body)

  it('replaces a query; what was read can be sent back, and its owner stays', async () => {
    const made = await make<SavedQueryBody>(shop.editor, path, red)
    assert.deepEqual((await put(shop.admin, made.id, made)).body, made)
    const other = { name: 'Blue', criteria: [], criteriaOperator: 'or', schemaId: 'sch-plain' }
    const answer = await put(shop.admin, made.id, { ...other, id: 'sq-ignored' })
    assert.equal(answer.status, 200)
    const expected = { ...other, id: made.id, createdBy: made.createdBy, visibility: 'shared' }
    assert.deepEqual(answer.body, expected)
    assert.deepEqual((await send(shop.viewer, 'GET', `${path}/${made.id}`)).body, expected)
  })

  it('is checked as a new one is, and changes nothing where it is refused', async () => {
    const made = await make<SavedQueryBody>(shop.editor, path, red)
    const refused = async (body: object, ...named: string[]) =>
      assertRefused(await put(shop.editor, made.id, { ...red, ...body }), 'VALIDATION_ERROR', ...named)
    await refused({ criteria: [{ attributeAlias: 'nope', operator: 'isEmpty' }] }, 'nope')
    await refused({ schemaId: 'sch-none' }, 'schemaId', 'sch-none')
    await refused({ criteria: [red.criteria[0], '********'] }, 'criteria[1]', 'placeholder')
    await refused({ critera: [] }, "Unknown member 'critera': did you mean 'criteria'?")
    await refused({ name: undefined }, 'name')
    assert.deepEqual((await send(shop.viewer, 'GET', `${path}/${made.id}`)).body, made)
  })

  it('keeps a criterion that is hidden from the caller by its placeholder, and takes no new one', async () => {
    const hidden = { attributeAlias: 'price', operator: 'isEmpty' }
    const made = await make<SavedQueryBody>(shop.admin, path, { ...red, criteria: [...red.criteria, hidden] })
    const author = await shop.clientWith(['records.read', 'savedQueries.write'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    const seen = (await send<SavedQueryBody>(author, 'GET', `${path}/${made.id}`)).body
    assert.deepEqual(seen.criteria, [red.criteria[0], '********'])
    const answer = await put(author, made.id, { ...seen, name: 'Renamed' })
    assert.deepEqual(answer.body, { ...seen, name: 'Renamed' })
    assert.deepEqual((await send(shop.admin, 'GET', `${path}/${made.id}`)).body, { ...made, name: 'Renamed' })
    assertRefused(await put(author, made.id, { ...red, criteria: [hidden] }), 'PERMISSION_DENIED', 'price')
  })

  it('keeps no hidden criterion for another schema, whose attribute of that alias the caller may read', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-priced',
      name: 'Priced',
      attributes: [{ alias: 'price', name: 'Price', dataType: 'price' }],
    })
    const hidden = { attributeAlias: 'price', operator: 'gt', value: '999' }
    const made = await make<SavedQueryBody>(shop.admin, path, { ...red, criteria: [hidden] })
    const author = await shop.clientWith(['records.read', 'savedQueries.write'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    const seen = (await send<SavedQueryBody>(author, 'GET', `${path}/${made.id}`)).body
    const answer = await put(author, made.id, { ...seen, schemaId: 'sch-priced' })
    assertRefused(answer, 'VALIDATION_ERROR', 'criteria[0]', 'schemaId')
    assert.deepEqual((await send(shop.admin, 'GET', `${path}/${made.id}`)).body, made)
  })
})

describe('The view of a saved query', () => {
  const view = {
    columns: [{ field: 'id' }, { attributeAlias: 'name', scope: { language: 'de' } }, { attributeAlias: 'gone' }],
    group: { attributeAlias: 'color', scope: { market: 'eu' } },
    scope: { market: 'eu' },
    density: 'compact',
  }

  it('is kept as it is sent, also of attributes that there are not', async () => {
    const made = await make<{ id: string; view: object }>(shop.editor, path, { ...red, view })
    assert.deepEqual(made.view, view)
    const { body } = await send<{ view?: object }>(shop.editor, 'PUT', `${path}/${made.id}`, {
      ...red,
      view: { columns: [] },
    })
    assert.deepEqual(body.view, { columns: [] })
    const none = await send<object>(shop.editor, 'PUT', `${path}/${made.id}`, { ...red, view: null })
    assert.ok(!('view' in none.body))
  })

  it('has a form, limits and known members', async () => {
    const refused = async (wrong: unknown, ...named: string[]) =>
      assertRefused(await send(shop.admin, 'POST', path, { ...red, view: wrong }), 'VALIDATION_ERROR', ...named)
    await refused({ column: [] }, "'view.column'", "'columns'")
    await refused({ columns: [{ attributeAlias: 'name', scop: {} }] }, "'view.columns[0].scop'", "'scope'")
    await refused({ columns: [{ field: 'a b' }] }, 'view.columns[0].field')
    await refused({ columns: [{ field: 'id', heading: 'x' }] }, "'view.columns[0].heading'")
    await refused({ columns: [{}] }, 'view.columns[0]')
    await refused({ columns: Array.from({ length: 501 }, () => ({ field: 'id' })) }, 'view.columns', '500')
    await refused({ group: 'color' }, 'view.group')
    await refused({ group: { field: 'a b' } }, 'view.group.field')
    await refused({ density: 7 }, 'view.density')
    await refused({ scope: [] }, 'view.scope')
    await refused('wide', 'view')
  })
})

describe('A private saved query', () => {
  it('is there for its owner alone, who may share it', async () => {
    const made = await make<SavedQueryBody>(shop.editor, path, { ...red, id: 'sq-private', visibility: 'private' })
    const listedBy = async (client: Client) =>
      (await send<SavedQueryBody[]>(client, 'GET', path)).body.some(({ id }) => id === 'sq-private')
    assert.deepEqual((await send(shop.editor, 'GET', `${path}/sq-private`)).body, made)
    assert.equal((await send(shop.editor, 'POST', `${path}/sq-private/execute`)).status, 200)
    assert.deepEqual([await listedBy(shop.editor), await listedBy(shop.admin)], [true, false])
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PUT', '', red],
      ['DELETE', '', undefined],
      ['POST', '/execute', undefined],
    ] as const)
      assertRefused(await send(shop.admin, method, `${path}/sq-private${suffix}`, body), 'NOT_FOUND', 'sq-private')
    assertRefused(await send(shop.admin, 'POST', path, { ...red, id: 'sq-private' }), 'CONFLICT', 'sq-private')
    await send(shop.editor, 'PUT', `${path}/sq-private`, { ...made, visibility: 'shared' })
    assert.equal(await listedBy(shop.admin), true)
    const taken = await send(shop.admin, 'PUT', `${path}/sq-private`, { ...made, visibility: 'private' })
    assertRefused(taken, 'PERMISSION_DENIED', 'sq-private')
    assertRefused(
      await send(shop.admin, 'POST', path, { ...red, visibility: 'hidden' }),
      'VALIDATION_ERROR',
      'visibility',
    )
  })

  it('goes with its owner', async () => {
    const { id, key } = await make<{ id: string; key: string }>(shop.admin, '/api/v1/api-keys', {
      name: 'A',
      roleId: 'role-editor',
    })
    const owner = { url: shop.url, headers: { 'x-service-apikey': key } }
    await make(owner, path, { ...red, id: 'sq-of-key', visibility: 'private' })
    await make(owner, path, { ...red, id: 'sq-of-all' })
    await send(shop.admin, 'DELETE', `/api/v1/api-keys/${id}`)
    await make(shop.admin, path, { ...red, id: 'sq-of-key' })
    assert.equal((await send(shop.admin, 'GET', `${path}/sq-of-all`)).status, 200)
  })
})
