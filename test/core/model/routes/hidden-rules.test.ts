// Guards and kept criteria that look at attributes which a role may not read. Contract 3 §9.6.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { type CompletenessBody, everywhere, make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface AttributeBody {
  alias: string
  name: string
  guard: unknown
}
interface SchemaBody {
  id: string
  name: string
  attributes: AttributeBody[]
}

const HIDDEN = '********'
const SCHEMAS = '/api/v1/schemas'
const guardOn = (alias: string) => ({
  criteriaOperator: 'and',
  criteria: [{ attributeAlias: alias, operator: 'equals', value: 'on' }],
})
const required = { dataType: 'text', requiredInStateIds: ['state-draft'] }
const attributes = [
  { alias: 'secret', dataType: 'text' },
  { alias: 'open', dataType: 'text' },
  { ...required, alias: 'bySecret', guard: guardOn('secret') },
  { ...required, alias: 'byOpen', guard: guardOn('open') },
  { ...required, alias: 'plain' },
]

let shop: Workspace
/** May do what is needed, and does not read `secret`. */
let modeller: Client
before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, SCHEMAS, { id: 'sch-rules', name: 'Rules', attributes })
  await make(shop.admin, SCHEMAS, { id: 'sch-new', name: 'Gone', attributes: attributes.slice(0, 1) })
  modeller = await shop.clientWith(
    ['model.read', 'model.write', 'records.read', 'records.create', 'savedQueries.write'],
    { attributePermissions: { 'sch-rules': { secret: 'none' }, 'sch-new': { secret: 'none' } } },
  )
  // What a role says of a schema stays when the schema goes, and holds for one of the same ID.
  await send(shop.admin, 'DELETE', `${SCHEMAS}/sch-new`)
})
after(() => shop.stop())

async function read(client: Client): Promise<SchemaBody> {
  return (await send<SchemaBody>(client, 'GET', `${SCHEMAS}/sch-rules`)).body
}
const guards = ({ attributes: all }: SchemaBody) => Object.fromEntries(all.map(({ alias, guard }) => [alias, guard]))

describe('A guard on an attribute that the role may not read', () => {
  it('is a placeholder to it, in every answer, and whole to others', async () => {
    const shown = guards(await read(modeller))
    assert.deepEqual(shown, { secret: null, open: null, bySecret: HIDDEN, byOpen: guardOn('open'), plain: null })
    assert.deepEqual(guards(await read(shop.admin)).bySecret, guardOn('secret'))
    const listed = (await send<SchemaBody[]>(modeller, 'GET', SCHEMAS)).body.find(({ id }) => id === 'sch-rules')!
    assert.deepEqual(guards(listed), shown)
    const answered = await send<SchemaBody>(modeller, 'PUT', `${SCHEMAS}/sch-rules`, await read(modeller))
    assert.deepEqual(guards(answered.body), shown)
  })

  it('is kept where the placeholder is sent back, by the alias, whatever else changes', async () => {
    const { attributes: shown, ...schema } = await read(modeller)
    const changed = shown.toReversed().map((item) => (item.alias === 'bySecret' ? { ...item, name: 'Renamed' } : item))
    const { status } = await send(modeller, 'PUT', `${SCHEMAS}/sch-rules`, { ...schema, attributes: changed })
    assert.equal(status, 200)
    const stored = (await read(shop.admin)).attributes.find(({ alias }) => alias === 'bySecret')!
    assert.deepEqual([stored.name, stored.guard], ['Renamed', guardOn('secret')])
    await send(modeller, 'PUT', `${SCHEMAS}/sch-rules`, { ...schema, attributes: shown })
  })

  it('cannot be written by it, in a new schema, a new attribute or in place of another guard', async () => {
    const { attributes: shown, ...schema } = await read(modeller)
    const without = shown.filter(({ alias }) => alias !== 'plain')
    const plain = { ...required, alias: 'plain', guard: guardOn('secret') }
    const put = await send(modeller, 'PUT', `${SCHEMAS}/sch-rules`, { ...schema, attributes: [...without, plain] })
    assertRefused(put, 'PERMISSION_DENIED', "'plain'", "'secret'", 'guard')
    const same = shown.map((item) => (item.alias === 'bySecret' ? { ...item, guard: guardOn('secret') } : item))
    const again = await send(modeller, 'PUT', `${SCHEMAS}/sch-rules`, { ...schema, attributes: same })
    assertRefused(again, 'PERMISSION_DENIED', "'bySecret'")
    const post = await send(modeller, 'POST', SCHEMAS, {
      id: 'sch-new',
      name: 'New',
      attributes: [attributes[0], plain],
    })
    assertRefused(post, 'PERMISSION_DENIED', "'plain'", "'secret'")
    assert.deepEqual(guards(await read(shop.admin)).plain, null)
  })

  it('has no placeholder where there is no guard to be kept', async () => {
    const { attributes: shown, ...schema } = await read(shop.admin)
    const wrong = shown.map((item) => (item.alias === 'plain' ? { ...item, guard: HIDDEN } : item))
    const put = await send(shop.admin, 'PUT', `${SCHEMAS}/sch-rules`, { ...schema, attributes: wrong })
    assertRefused(put, 'VALIDATION_ERROR', "'plain'", 'guard', 'placeholder')
    const post = await send(shop.admin, 'POST', SCHEMAS, {
      name: 'New',
      attributes: [{ ...required, alias: 'a', guard: HIDDEN }],
    })
    assertRefused(post, 'VALIDATION_ERROR', "'a'", 'guard', 'placeholder')
  })

  it('says what is wrong in it by its path, as before', async () => {
    const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: 'open', operator: 'like' }] }
    const post = await send(shop.admin, 'POST', SCHEMAS, {
      name: 'New',
      attributes: [{ ...required, alias: 'a', guard }],
    })
    assertRefused(post, 'VALIDATION_ERROR', 'attributes[0].guard.criteria[0].operator must be one of')
    const odd = await send(shop.admin, 'POST', SCHEMAS, {
      name: 'New',
      attributes: [{ ...required, alias: 'a', guard: 'x' }],
    })
    assertRefused(odd, 'VALIDATION_ERROR', 'attributes[0].guard')
  })

  it('cannot be read off the completeness: its attribute does not count for the role', async () => {
    const scoreFor = async (client: Client, secret: string) => {
      const values = { secret: everywhere(secret), open: everywhere('on') }
      const { id } = await make<{ id: string }>(shop.admin, '/api/v1/records', { schemaId: 'sch-rules', values })
      const { body } = await send<CompletenessBody>(client, 'GET', `/api/v1/records/${id}/completeness`)
      return [body.filled, body.total, body.missing.map((field) => field.attributeAlias)]
    }
    const seen = [0, 2, ['byOpen', 'plain']]
    assert.deepEqual(await scoreFor(modeller, 'on'), seen)
    assert.deepEqual(await scoreFor(modeller, 'off'), seen)
    assert.deepEqual(await scoreFor(shop.admin, 'on'), [0, 3, ['bySecret', 'byOpen', 'plain']])
    assert.deepEqual(await scoreFor(shop.admin, 'off'), seen)
  })
})

describe('A criterion of a saved query on an attribute that the role may not read', () => {
  it('is a placeholder to it, in its place, and whole to others', async () => {
    const onOpen = { attributeAlias: 'open', operator: 'isEmpty' }
    const onSecret = { attributeAlias: 'secret', operator: 'contains', value: 'abc' }
    const query = { id: 'sq-rules', name: 'Rules', criteria: [onOpen, onSecret], criteriaOperator: 'or' }
    for (const schemaId of [null, 'sch-rules']) {
      const path = '/api/v1/saved-queries'
      await make(shop.admin, path, { ...query, schemaId })
      const readBy = async (client: Client) =>
        (await send<{ criteria: unknown }>(client, 'GET', `${path}/sq-rules`)).body.criteria
      assert.deepEqual(await readBy(modeller), [onOpen, HIDDEN])
      assert.deepEqual(await readBy(shop.viewer), [onOpen, onSecret])
      const listed = await send<{ id: string; criteria: unknown }[]>(modeller, 'GET', path)
      assert.deepEqual(listed.body.find(({ id }) => id === 'sq-rules')!.criteria, [onOpen, HIDDEN])
      assertRefused(await send(modeller, 'POST', `${path}/sq-rules/execute`), 'PERMISSION_DENIED')
      await send(shop.admin, 'DELETE', `${path}/sq-rules`)
    }
  })
})
