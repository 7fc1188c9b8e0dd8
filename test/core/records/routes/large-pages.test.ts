// Answers of more bytes than the main thread makes at once: they are read and sent in parts.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, send } from '../../../helpers/answers.ts'
import { type Client, keyClient } from '../../../helpers/client.ts'
import {
  everywhere,
  make,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface PageBody {
  items: RecordBody[]
  total: number
}

const COUNT = 25
let shop: Workspace
/** May not read `secret`. */
let reader: Client
const made: RecordBody[] = []

before(async () => {
  shop = await startWorkspace()
  const attributes = ['body', 'secret'].map((alias) => ({ alias, name: alias, dataType: 'text' }))
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-long', name: 'Long', attributes })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-long', name: 'Long' })
  await make(shop.admin, '/api/v1/catalogs/cat-long/categories', { id: 'ctg-long', name: 'Long' })
  const role = { id: 'role-reader', name: 'Reader', permissions: ['records.read'], defaultAttributePermission: 'read' }
  await make(shop.admin, '/api/v1/roles', { ...role, attributePermissions: { 'sch-long': { secret: 'none' } } })
  const { key } = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', { name: 'Reader', roleId: 'role-reader' })
  reader = keyClient(shop.url, key)
  for (let at = 0; at < COUNT; at += 1) {
    const values = { body: everywhere(`${at} `.repeat(20_000)), secret: everywhere(`secret ${at}`) }
    const { id } = await make<RecordBody>(shop.admin, '/api/v1/records', {
      id: `long-${at}`,
      schemaId: 'sch-long',
      values,
    })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}/categories`, [{ categoryId: 'ctg-long', sortOrder: at }])
    made.push(await readRecord(shop.admin, id))
  }
})
after(() => shop.stop())

async function list(path: string, client: Client = shop.admin): Promise<Answer<PageBody>> {
  const answer = await send<PageBody>(client, 'GET', path)
  assert.equal(answer.status, 200, answer.text.slice(0, 300))
  return answer
}

describe('A page of large records', () => {
  for (const [what, path] of [
    ['a list', '/api/v1/records?schemaId=sch-long'],
    ['the records of a category', '/api/v1/categories/ctg-long/records?'],
  ] as const) {
    it(`of ${what} has all of them, and is sent in parts`, async () => {
      const { body, headers } = await list(`${path}&limit=100`)
      assert.deepEqual([body.items, body.total], [made, COUNT])
      assert.equal(headers.get('content-length'), null)
      const small = await list(`${path}&limit=5`)
      assert.notEqual(small.headers.get('content-length'), null)
    })

    it(`of ${what} goes on at its cursor`, async () => {
      const first = await list(`${path}&limit=15`)
      const second = await list(`${path}&limit=15&after=${first.headers.get('x-next-cursor')!}`)
      assert.deepEqual([...first.body.items, ...second.body.items], made)
    })

    it(`of ${what} has no value that is hidden from the role`, async () => {
      const { body } = await list(`${path}&limit=100`, reader)
      assert.deepEqual(
        body.items.map(({ values }) => Object.keys(values)),
        made.map(() => ['body']),
      )
    })
  }
})

describe('A page of large changes', () => {
  before(async () => {
    for (let at = 0; at < 12; at += 1) {
      const values = { body: everywhere(`changed ${at} `.repeat(3000)) }
      assert.equal((await send(shop.admin, 'PATCH', '/api/v1/records/long-0', { values })).status, 200)
    }
  })

  it('of a record is the same as its small pages', async () => {
    const read = (query: string) => send<{ id: string }[]>(shop.admin, 'GET', `/api/v1/records/long-0/audit?${query}`)
    const whole = await read('limit=100')
    const pages: { id: string }[] = []
    for (let before = ''; ;) {
      const { body } = await read(`limit=3${before}`)
      if (body.length === 0) break
      pages.push(...body)
      before = `&before=${body.at(-1)!.id}`
    }
    assert.equal(pages.length, 14)
    assert.deepEqual(whole.body, pages)
  })

  it('of all records is the same as its small pages', async () => {
    interface Changes {
      items: { id: string }[]
      cursor: string
    }
    const read = (query: string) => send<Changes>(shop.admin, 'GET', `/api/v1/changes?${query}`)
    const whole = await read('limit=1000')
    const items: { id: string }[] = []
    for (let after = ''; ;) {
      const { body } = await read(`limit=2${after}`)
      if (body.items.length === 0) break
      items.push(...body.items)
      after = `&after=${body.cursor}`
    }
    assert.deepEqual(whole.body.items, items)
    assert.equal((await read(`after=${whole.body.cursor}`)).body.items.length, 0)
  })
})

describe('A model of half a megabyte', () => {
  interface ModelBody {
    schemas: { id: string; attributes: { alias: string }[] }[]
  }

  it('is sent with what the role may see', async () => {
    const options = Array.from({ length: 40 }, (_, at) => ({ id: `option-${at}`, name: `The option ${at}` }))
    const attributes = Array.from({ length: 20 }, (_, at) => ({
      alias: `choice${at}`,
      name: `Choice ${at}`,
      dataType: 'select',
      options,
    }))
    for (let at = 0; at < 20; at += 1)
      await make(shop.admin, '/api/v1/schemas', { id: `wide-${at}`, name: 'Wide', attributes })
    const { body: schemas } = await send<ModelBody['schemas']>(shop.admin, 'GET', '/api/v1/schemas')
    const { body } = await send<ModelBody>(shop.admin, 'GET', '/api/v1/me/model')
    assert.deepEqual(body.schemas, schemas)
    const role = {
      id: 'role-narrow',
      name: 'Narrow',
      permissions: ['records.read'],
      defaultAttributePermission: 'read',
    }
    await make(shop.admin, '/api/v1/roles', { ...role, attributePermissions: { 'wide-7': { choice3: 'none' } } })
    const { key } = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', { name: 'N', roleId: 'role-narrow' })
    const { body: narrow } = await send<ModelBody>(keyClient(shop.url, key), 'GET', '/api/v1/me/model')
    const expected = schemas.map((schema) =>
      schema.id === 'wide-7'
        ? { ...schema, attributes: schema.attributes.filter(({ alias }) => alias !== 'choice3') }
        : schema,
    )
    assert.deepEqual(narrow.schemas, expected)
  })
})
