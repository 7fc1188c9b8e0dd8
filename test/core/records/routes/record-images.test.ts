// The picture that stands for a record, and the schema for pictures. Contract 4 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { uploaded } from '../../../helpers/files.ts'
import { makeUser, sessionOf } from '../../../helpers/people.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface Item {
  readonly id: string
  readonly image?: { recordId: string; sha256: string; thumbhash: string | null; url: string } | null
}

let shop: Workspace
const hashes: Record<string, string> = {}
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas/picture', {})
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-tea',
    name: 'Tea',
    imageAttribute: 'pictures',
    attributes: [
      { alias: 'name', dataType: 'text' },
      { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-picture' } },
    ],
  })
  for (const id of ['front', 'back']) {
    const content = await uploaded(shop.admin, `png of ${id}`, `${id}.png`).catch(() => assert.fail())
    hashes[id] = content.sha256
  }
})
after(() => shop.stop())

const items = async (path: string, client: Client = shop.admin): Promise<Item[]> => {
  const { status, body, text } = await send<Item[] | { items: Item[] }>(client, 'GET', path)
  assert.equal(status, 200, text)
  return Array.isArray(body) ? body : body.items
}

describe('POST /api/v1/schemas/picture', () => {
  it('makes a schema with a file, texts by language, a focus point and rights, once', async () => {
    const { body } = await send<{
      imageAttribute: string
      attributes: { alias: string; dataType: string; dimensionIds: string[] }[]
    }>(shop.admin, 'GET', '/api/v1/schemas/sch-picture')
    assert.deepEqual(
      body.attributes.map(({ alias, dataType, dimensionIds }) => [alias, dataType, ...dimensionIds]),
      [
        ['content', 'file'],
        ['alt', 'text', 'language'],
        ['focus', 'json'],
        ['copyright', 'text'],
        ['expires', 'date'],
      ],
    )
    assert.equal(body.imageAttribute, 'content')
    assertRefused(await send(shop.admin, 'POST', '/api/v1/schemas/picture', {}), 'CONFLICT', 'sch-picture')
    const other = await send<{ id: string }>(shop.admin, 'POST', '/api/v1/schemas/picture', {
      id: 'sch-photo',
      name: 'Photo',
    })
    assert.deepEqual([other.status, other.body.id], [201, 'sch-photo'])
  })
})

describe('The image attribute of a schema', () => {
  it('must be a file or a list of references of the schema', async () => {
    const create = (imageAttribute: string) =>
      send(shop.admin, 'POST', '/api/v1/schemas', {
        name: 'S',
        imageAttribute,
        attributes: [{ alias: 'name', dataType: 'text' }],
      })
    assertRefused(await create('gone'), 'VALIDATION_ERROR', 'imageAttribute', 'gone')
    assertRefused(await create('name'), 'VALIDATION_ERROR', 'imageAttribute', 'name')
  })
})

describe('include=image', () => {
  before(async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-free',
      name: 'Free',
      imageAttribute: 'file',
      attributes: [{ alias: 'file', dataType: 'file', dimensionIds: ['language'] }],
    })
    const schemaOfAnyFile = { ...(await send<object>(shop.admin, 'GET', '/api/v1/schemas/sch-picture')).body } as {
      attributes: { alias: string; validation: object }[]
    }
    schemaOfAnyFile.attributes[0]!.validation = {}
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/schemas/sch-picture', schemaOfAnyFile)).status, 200)
    for (const id of ['front', 'back'])
      await make(shop.admin, '/api/v1/records', {
        id: `p-${id}`,
        schemaId: 'sch-picture',
        values: { content: everywhere({ sha256: hashes[id], fileName: `${id}.png` }) },
      })
    const tea = (id: string, values: object, more: object = {}) =>
      make(shop.admin, '/api/v1/records', {
        id,
        schemaId: 'sch-tea',
        values: { name: everywhere(`Tea ${id}`), ...values },
        ...more,
      })
    await tea('assam', { pictures: everywhere(['p-back', 'p-front']) })
    await tea('assam-50g', {}, { parentId: 'assam' })
    await tea('darjeeling', {})
  })

  const imageOf = (id: string) => ({
    recordId: `p-${id}`,
    sha256: hashes[id],
    thumbhash: null,
    url: `/api/v1/records/p-${id}/files/${hashes[id]}/renditions/thumb`,
  })

  it('adds the first picture to records of lists, searches, suggestions, and to one record', async () => {
    const expected = [
      ['assam', imageOf('back')],
      ['assam-50g', imageOf('back')],
      ['darjeeling', null],
    ]
    const pairs = (found: readonly Item[]) => found.map(({ id, image }) => [id, image])
    assert.deepEqual(pairs(await items('/api/v1/records?schemaId=sch-tea&include=image')), expected)
    assert.deepEqual(pairs(await items('/api/v1/records/suggest?query=tea&include=image')), expected)
    const search = { schemaId: 'sch-tea', criteriaOperator: 'and', criteria: [], include: ['image'] }
    assert.deepEqual(pairs((await send<Item[]>(shop.admin, 'POST', '/api/v1/search', search)).body), expected)
    const one = await send<Item>(shop.admin, 'GET', '/api/v1/records/assam?include=image')
    assert.deepEqual(one.body.image, imageOf('back'))
    const picture = await send<Item>(shop.admin, 'GET', '/api/v1/records/p-front?include=image')
    assert.deepEqual(picture.body.image, imageOf('front'))
    assert.equal((await items('/api/v1/records?schemaId=sch-tea'))[0]!.image, undefined)
  })

  it('hides pictures of attributes that the role may not read, of the product and of the picture', async () => {
    for (const [id, hidden] of [
      ['role-no-list', { 'sch-tea': { pictures: 'none' } }],
      ['role-no-file', { 'sch-picture': { content: 'none' } }],
    ] as const) {
      await make(shop.admin, '/api/v1/roles', {
        id,
        name: id,
        permissions: ['records.read'],
        attributePermissions: hidden,
      })
      const client = await sessionOf(shop, (await makeUser(shop, { roleId: id })).username)
      const found = await items('/api/v1/records?schemaId=sch-tea&include=image', client)
      assert.deepEqual(
        found.map(({ image }) => image),
        [null, null, null],
        id,
      )
      const [first] = await items('/api/v1/records?schemaId=sch-tea&include=image&limit=1', client)
      assert.deepEqual([first!.id, first!.image], ['assam', null], id)
    }
  })

  it('is the same on every page of a list, of large records, too', async () => {
    const long = { name: everywhere('x'.repeat(300_000)), pictures: everywhere(['p-front']) }
    await make(shop.admin, '/api/v1/records', { id: 'large', schemaId: 'sch-tea', values: long })
    const list = (more: string) => items(`/api/v1/records?schemaId=sch-tea&include=image${more}`)
    const whole = await list('')
    assert.deepEqual(whole.at(-1)!.image, imageOf('front'))
    for (const [at, item] of whole.entries()) assert.deepEqual(await list(`&limit=1&offset=${at}`), [item])
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/records/large')).status, 204)
  })

  it('takes an unscoped picture before others, and else the first', async () => {
    const [one, other] = [
      { sha256: hashes['front'], fileName: 'a' },
      { sha256: hashes['back'], fileName: 'b' },
    ]
    const german = { scope: { language: 'de' }, value: one }
    await make(shop.admin, '/api/v1/records', { id: 'f-1', schemaId: 'sch-free', values: { file: [german] } })
    await make(shop.admin, '/api/v1/records', {
      id: 'f-2',
      schemaId: 'sch-free',
      values: { file: [german, { scope: {}, value: other }] },
    })
    const found = await items('/api/v1/records?schemaId=sch-free&include=image')
    assert.deepEqual(
      found.map(({ image }) => image!.sha256),
      [hashes['front'], hashes['back']],
    )
  })
})
