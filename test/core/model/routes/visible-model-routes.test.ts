// Contract 3 §11.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { assertGuarded } from '../../../helpers/ladder.ts'
import { make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface ModelBody {
  dimensions: { id: string }[]
  schemas: {
    id: string
    attributes: { alias: string; guard: unknown }[]
    labelAttribute?: string
    groups?: object[]
    variantAttributes?: string[]
  }[]
  workflows: { id: string }[]
  catalogs: { id: string }[]
}

const PATH = '/api/v1/me/model'
let shop: Workspace
before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-1', name: 'C' })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-view',
    name: 'View',
    labelAttribute: 'secret',
    groups: [
      { id: 'mixed', attributeAliases: ['open', 'secret'] },
      { id: 'dark', attributeAliases: ['secret'] },
      { id: 'empty', attributeAliases: [] },
    ],
    variantAttributes: ['secret', 'open'],
    attributes: [
      { alias: 'secret', dataType: 'text' },
      {
        alias: 'open',
        dataType: 'text',
        guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'secret', operator: 'isNotEmpty' }] },
      },
    ],
  })
})
after(() => shop.stop())

const read = async (client: Client) => (await send<ModelBody>(client, 'GET', PATH)).body

describe('GET /api/v1/me/model', () => {
  it('needs records.read, and no model.read', async () => {
    await assertGuarded(shop, { method: 'GET', path: PATH }, 'records.read')
    const reader = await shop.clientWith(['records.read'])
    assert.equal((await send(reader, 'GET', PATH)).status, 200)
    assert.equal((await send(reader, 'GET', '/api/v1/schemas')).status, 403)
  })

  it('is to who sees all what the lists of the model are', async () => {
    const model = await read(shop.admin)
    assert.deepEqual(Object.keys(model).sort(), ['catalogs', 'dimensions', 'schemas', 'workflows'])
    for (const [part, expected] of Object.entries(model))
      assert.deepEqual((await send(shop.admin, 'GET', `/api/v1/${part}`)).body, expected, part)
  })

  it('leaves out attributes that are hidden from the role, wherever they are named', async () => {
    const reader = await shop.clientWith(['records.read'], { attributePermissions: { 'sch-view': { secret: 'none' } } })
    const answer = await send<ModelBody>(reader, 'GET', PATH)
    const schema = answer.body.schemas.find(({ id }) => id === 'sch-view')!
    assert.deepEqual(
      schema.attributes.map(({ alias, guard }) => [alias, guard]),
      [['open', '********']],
    )
    assert.ok(!('labelAttribute' in schema))
    assert.deepEqual(schema.groups, [
      { id: 'mixed', name: 'mixed', attributeAliases: ['open'] },
      { id: 'empty', name: 'empty', attributeAliases: [] },
    ])
    assert.deepEqual(schema.variantAttributes, ['open'])
    assert.doesNotMatch(answer.text, /secret|dark/)
  })

  it('shows no attribute to a role that may read none', async () => {
    const blind = await shop.clientWith(['records.read'], { defaultAttributePermission: 'none' })
    for (const { attributes } of (await read(blind)).schemas) assert.deepEqual(attributes, [])
  })
})
