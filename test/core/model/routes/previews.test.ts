// What a change of the model would do, told before it is made. Contract 3 §2 (Renaming), 3 §11.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import {
  english,
  everywhere,
  german,
  make,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface EffectBody {
  schemaId: string
  kind: string
  attributeAlias: string
  records: number
  values: number
  examples: string[]
  hidden?: true
}
interface PreviewBody {
  effects: EffectBody[]
  completeness: { schemaId: string; stateId: string; before: number; after: number }[]
}
type Attributes = { alias: string; [field: string]: unknown }[]

const SCHEMA = '/api/v1/schemas/sch-pre'
const attributes: Attributes = [
  { alias: 'title', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['state-review'] },
  { alias: 'code', dataType: 'text' },
  { alias: 'size', dataType: 'multiSelect', options: [{ id: 's' }, { id: 'm' }] },
  { alias: 'weight', dataType: 'number' },
  { alias: 'flag', dataType: 'boolean' },
]

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/workflows', {
    id: 'wf-pre',
    name: 'W',
    initialStateId: 'state-draft',
    states: [{ id: 'state-draft' }, { id: 'state-review' }, { id: 'state-old' }],
    transitions: [
      { id: 'go', fromStateId: 'state-draft', toStateId: 'state-review', allowedRoleIds: ['role-admin'] },
      { id: 'age', fromStateId: 'state-draft', toStateId: 'state-old', allowedRoleIds: ['role-admin'] },
    ],
  })
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-pre', name: 'P', workflowId: 'wf-pre', attributes })
  const records: Record<string, ValuesBody> = {
    one: {
      title: [english('A'), german('B')],
      code: everywhere('X'),
      size: everywhere(['s', 'm']),
      weight: everywhere(5),
    },
    two: { title: [english('A')], code: everywhere('X'), size: everywhere(['m']), flag: everywhere(true) },
    three: { code: everywhere('Y'), weight: everywhere(500) },
  }
  for (const [id, values] of Object.entries(records))
    await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-pre', values })
  await make(shop.admin, '/api/v1/records', { id: 'one-v', schemaId: 'sch-pre', parentId: 'one', values: {} })
  await send(shop.admin, 'POST', '/api/v1/records/two/transition', { transitionId: 'go' })
  await send(shop.admin, 'POST', '/api/v1/records/three/transition', { transitionId: 'age' })
})
after(() => shop.stop())

/** The schema with these attributes in place of those that are called so; undefined: without it. */
const changed = (changes: Record<string, object | undefined>) => ({
  name: 'P',
  workflowId: 'wf-pre',
  attributes: attributes
    .filter(({ alias }) => !(alias in changes) || changes[alias] !== undefined)
    .map((attribute) => ({ ...attribute, ...changes[attribute.alias] })),
})

async function preview(path: string, body: object, client: Client = shop.admin): Promise<PreviewBody> {
  const answer = await send<PreviewBody>(client, 'POST', `${path}/preview`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const effectsOf = async (changes: Record<string, object | undefined>) =>
  (await preview(SCHEMA, changed(changes))).effects.map(({ schemaId, ...effect }) => {
    assert.equal(schemaId, 'sch-pre')
    return effect
  })

describe('POST /api/v1/schemas/:id/preview', () => {
  it('needs model.write, and a schema; the body is checked as that of PUT', async () => {
    const endpoint = (id: string) => ({ method: 'POST', path: `/api/v1/schemas/${id}/preview`, body: changed({}) })
    await assertGuarded(shop, endpoint('sch-pre'), 'model.write')
    await assertNotFound(shop.admin, 'Schema', endpoint)
    const wrong = changed({ title: { dimensionIds: ['gone'] } })
    assertRefused(await send(shop.admin, 'POST', `${SCHEMA}/preview`, wrong), 'VALIDATION_ERROR', 'gone')
  })

  it('of what is there already nothing happens; complete are those that are, for each state', async () => {
    const { effects, completeness } = await preview(SCHEMA, changed({}))
    assert.deepEqual(effects, [])
    assert.deepEqual(completeness, [
      { schemaId: 'sch-pre', stateId: 'state-draft', before: 4, after: 4 },
      { schemaId: 'sch-pre', stateId: 'state-review', before: 2, after: 2 },
      { schemaId: 'sch-pre', stateId: 'state-old', before: 4, after: 4 },
    ])
  })

  it('valuesRemoved: of an attribute that goes', async () => {
    assert.deepEqual(await effectsOf({ title: undefined }), [
      { kind: 'valuesRemoved', attributeAlias: 'title', records: 2, values: 3, examples: ['one', 'two'] },
    ])
  })

  it('valuesUnfit: by data type, options, dimensions and rules', async () => {
    const unfit = (attributeAlias: string, values: number, ...examples: string[]) => ({
      kind: 'valuesUnfit',
      attributeAlias,
      records: examples.length,
      values,
      examples,
    })
    assert.deepEqual(await effectsOf({ code: { dataType: 'number' } }), [unfit('code', 3, 'one', 'two', 'three')])
    assert.deepEqual(await effectsOf({ size: { options: [{ id: 's' }] } }), [unfit('size', 2, 'one', 'two')])
    assert.deepEqual(await effectsOf({ title: { dimensionIds: [], requiredInStateIds: [] } }), [
      unfit('title', 3, 'one', 'two'),
    ])
    assert.deepEqual(await effectsOf({ weight: { validation: { max: 100 } } }), [unfit('weight', 1, 'three')])
  })

  it('valuesUnfit: lists with records of another schema than a new rule names', async () => {
    const define = (schemaId?: string) => ({
      name: 'Lists',
      attributes: [{ alias: 'list', dataType: 'references', ...(schemaId && { validation: { schemaId } }) }],
    })
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-lists', ...define() })
    for (const [id, ...list] of [
      ['own', 'own'],
      ['others', 'own', 'one'],
    ])
      await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-lists', values: { list: everywhere(list) } })
    const unfit = async (schemaId?: string) =>
      (await preview('/api/v1/schemas/sch-lists', define(schemaId))).effects.map(({ kind, examples }) => [
        kind,
        examples,
      ])
    assert.deepEqual(await unfit('sch-lists'), [['valuesUnfit', ['others']]])
    assert.deepEqual(await unfit('sch-pre'), [['valuesUnfit', ['own', 'others']]])
    assert.deepEqual(await unfit(), [])
  })

  it('nowRequired: in the state of the record, and completeness follows', async () => {
    const { effects, completeness } = await preview(SCHEMA, changed({ flag: { requiredInStateIds: ['state-old'] } }))
    assert.deepEqual(
      effects.map(({ kind, attributeAlias, examples }) => [kind, attributeAlias, examples]),
      [['nowRequired', 'flag', ['three']]],
    )
    const old = completeness.find(({ stateId }) => stateId === 'state-old')
    assert.deepEqual([old!.before, old!.after], [4, 1])
  })

  it('guardHides: values that are there and would not be seen', async () => {
    const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: 'flag', operator: 'equals', value: 'true' }] }
    assert.deepEqual(await effectsOf({ weight: { guard } }), [
      { kind: 'guardHides', attributeAlias: 'weight', records: 3, values: 3, examples: ['one', 'three', 'one-v'] },
    ])
  })

  it('uniqueViolated: every record that holds what another holds', async () => {
    assert.deepEqual(await effectsOf({ code: { unique: true } }), [
      { kind: 'uniqueViolated', attributeAlias: 'code', records: 2, values: 2, examples: ['one', 'two'] },
    ])
  })

  it('changes nothing', async () => {
    const before = await send(shop.admin, 'GET', SCHEMA)
    await preview(SCHEMA, changed({ title: undefined }))
    assert.equal((await send(shop.admin, 'GET', SCHEMA)).text, before.text)
  })

  it('names no records with values that the role may not read, and scores as it sees', async () => {
    const modeller = await shop.clientWith(['model.write'], { attributePermissions: { 'sch-pre': { title: 'none' } } })
    const { effects, completeness } = await preview(SCHEMA, changed({ title: undefined, code: undefined }), modeller)
    assert.deepEqual(
      effects.map(({ attributeAlias, records, examples, hidden }) => [
        attributeAlias,
        records,
        examples?.length,
        hidden,
      ]),
      [
        ['code', 3, 3, undefined],
        ['title', undefined, undefined, true],
      ],
    )
    assert.ok(completeness.every(({ before }) => before === 4))
  })
})

describe('POST /api/v1/dimensions/:id/preview', () => {
  const path = '/api/v1/dimensions/language'
  const language = (...ids: string[]) => ({ name: 'Language', segments: ids.map((id) => ({ id })) })

  it('needs model.write, and a dimension', async () => {
    const endpoint = (id: string) => ({
      method: 'POST',
      path: `/api/v1/dimensions/${id}/preview`,
      body: language('en'),
    })
    await assertGuarded(shop, endpoint('language'), 'model.write')
    await assertNotFound(shop.admin, 'Dimension', endpoint)
  })

  it('tells what a segment that goes, or comes, does to the records of every schema', async () => {
    const less = (await preview(path, language('en'))).effects.filter(({ schemaId }) => schemaId === 'sch-pre')
    assert.deepEqual(less, [
      { schemaId: 'sch-pre', kind: 'valuesUnfit', attributeAlias: 'title', records: 1, values: 1, examples: ['one'] },
    ])
    const { effects, completeness } = await preview(path, language('en', 'de', 'fr'))
    assert.deepEqual(
      effects.filter(({ schemaId }) => schemaId === 'sch-pre'),
      [{ schemaId: 'sch-pre', kind: 'nowRequired', attributeAlias: 'title', records: 1, values: 1, examples: ['two'] }],
    )
    assert.deepEqual(
      completeness.find(({ schemaId, stateId }) => schemaId === 'sch-pre' && stateId === 'state-review'),
      { schemaId: 'sch-pre', stateId: 'state-review', before: 2, after: 0 },
    )
    assert.deepEqual((await preview('/api/v1/dimensions/constructor', language('toString'))).effects, [])
  })
})

describe('POST /api/v1/workflows/:id/preview', () => {
  const path = '/api/v1/workflows/wf-pre'
  const states = (...ids: string[]) => ({ name: 'W', initialStateId: ids[0], states: ids.map((id) => ({ id })) })

  it('needs model.write, and a workflow; roles must exist', async () => {
    const endpoint = (id: string) => ({ method: 'POST', path: `/api/v1/workflows/${id}/preview`, body: states('a') })
    await assertGuarded(shop, endpoint('wf-pre'), 'model.write')
    await assertNotFound(shop.admin, 'Workflow', endpoint)
    const transitions = [{ id: 't', fromStateId: 'a', toStateId: 'a', allowedRoleIds: ['gone'] }]
    const answer = await send(shop.admin, 'POST', `${path}/preview`, { ...states('a'), transitions })
    assertRefused(answer, 'VALIDATION_ERROR', 'gone')
  })

  it('tells which records are in a state that goes, and scores for the states of both', async () => {
    const { effects, completeness } = await preview(path, states('state-draft', 'state-review', 'state-new'))
    assert.deepEqual(effects, [
      {
        schemaId: 'sch-pre',
        kind: 'valuesUnfit',
        attributeAlias: 'lifecycleState',
        records: 1,
        values: 1,
        examples: ['three'],
      },
    ])
    assert.deepEqual(
      completeness.map(({ stateId }) => stateId),
      ['state-draft', 'state-review', 'state-old', 'state-new'],
    )
  })
})

it('others are served while many records are looked at', async () => {
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-many',
    name: 'M',
    attributes: [{ alias: 'n', dataType: 'number' }],
  })
  for (let from = 0; from < 2000; from += 1000) {
    const operations = Array.from({ length: 1000 }, (_, n) => ({
      op: 'create',
      schemaId: 'sch-many',
      values: { n: everywhere(from + n) },
    }))
    assert.equal((await send(shop.admin, 'POST', '/api/v1/records/batch', { operations })).status, 200)
  }
  const body = { name: 'M', attributes: [{ alias: 'n', dataType: 'number', validation: { max: 999 } }] }
  let answered = 0
  let isOver = false
  const asking = preview('/api/v1/schemas/sch-many', body).finally(() => (isOver = true))
  while (!isOver) {
    await send(shop.admin, 'GET', '/api/v1/records/one')
    answered += 1
  }
  const { effects } = await asking
  assert.deepEqual([effects[0]!.kind, effects[0]!.records], ['valuesUnfit', 1000])
  assert.ok(answered >= 4, `${answered} were answered`)
})
