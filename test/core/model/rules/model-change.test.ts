import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attribute } from '../../../../src/core/model/rules/attributes.ts'
import {
  assertStateFitsPending,
  checkWrite,
  type ModelChange,
  type ModelChangeStage,
  type UniqueKeyChange,
} from '../../../../src/core/model/rules/model-change.ts'
import type { Model } from '../../../../src/core/model/rules/model.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'
import { attribute, dimension, LANGUAGE, MARKET, modelOf } from '../../../helpers/domain-model.ts'
import { buildModel } from '../../../helpers/build-model.ts'

const who = { callerId: 'usr-1', roleId: 'role-admin' }
const two = { ...DEFAULT_WORKFLOW, id: 'wf-two', states: DEFAULT_WORKFLOW.states.slice(0, 2) }
const everywhere = (value: unknown) => [{ scope: {}, value }]

const definitionOf = (attributes: readonly Attribute[], workflowId = DEFAULT_WORKFLOW.id) => {
  const identity = { id: 'sch', name: 'Schema', createdAt: '', updatedAt: '' }
  return { ...identity, workflowId, attributes, combinations: null }
}

/** The schema `sch` as it is, on its way to `after`. */
function modelChanging(
  before: readonly Attribute[],
  after: readonly Attribute[],
  { stage = 'look', workflowId }: { stage?: ModelChangeStage; workflowId?: string } = {},
): Model {
  const change: ModelChange = {
    id: 'schema sch',
    kind: 'schema',
    stage,
    ...who,
    before: definitionOf(before),
    after: definitionOf(after, workflowId),
  }
  const parts = { dimensions: [LANGUAGE, MARKET], workflows: [DEFAULT_WORKFLOW, two], roles: [] }
  return buildModel({ ...parts, schemas: [definitionOf(before)], changes: [change] })
}

/** Checks a write of `values` to a record of the schema `sch` that has none. */
const fits = (values: Values, model: Model): UniqueKeyChange | undefined =>
  checkWrite({ schema: model.schemas.get('sch')!, update: values, before: {}, after: values }, model)
const text = attribute('a')

test('without a change under way, and when one is undone or over, there is nothing to regard', () => {
  const { model, schema } = modelOf([text])
  const update = { a: everywhere('x') }
  assert.equal(model.pending, undefined)
  assert.equal(checkWrite({ schema, update, before: {}, after: update, stateId: 'state-draft' }, model), undefined)
  for (const stage of ['undo', 'clear'] as const) fits({ a: everywhere('x') }, modelChanging([text], [], { stage }))
})

test('a value must fit what its schema is being changed to, at each stage', () => {
  for (const stage of ['look', 'claim', 'drop'] as const) {
    const model = modelChanging([text, attribute('b')], [attribute('a', { dataType: 'number' })], { stage })
    assert.throws(() => fits({ a: everywhere('x') }, model), { code: 'CONFLICT', message: /values\.a .*'sch'.*\{\}/ })
    assert.throws(() => fits({ b: everywhere('x') }, model), { code: 'CONFLICT', message: /values\.b/ })
    fits({ a: [], b: [] }, model)
  }
  fits({ a: everywhere('x') }, modelChanging([text], [attribute('a', { dataType: 'richText' })]))
})

test('a value must not use a segment that is going, of whatever schema it is', () => {
  const german = attribute('a', { dimensionIds: ['language'] })
  const change: ModelChange = {
    id: 'dimension language',
    kind: 'dimension',
    stage: 'look',
    ...who,
    before: LANGUAGE,
    after: dimension('language', 'en', 'fr'),
  }
  const parts = { dimensions: [LANGUAGE], workflows: [DEFAULT_WORKFLOW], roles: [] }
  const model = buildModel({ ...parts, schemas: [definitionOf([german])], changes: [change] })
  fits({ a: [{ scope: { language: 'en' }, value: 'x' }, ...everywhere('y')] }, model)
  assert.throws(() => fits({ a: [...everywhere('y'), { scope: { language: 'de' }, value: 'x' }] }, model), {
    code: 'CONFLICT',
    message: /values\.a .*'language'/,
  })
})

test('no record may come into a state that the workflow to be does not have', () => {
  const model = modelChanging([], [], { workflowId: 'wf-two' })
  const schema = model.schemas.get('sch')!
  assertStateFitsPending('state-review', schema, model)
  assert.throws(() => assertStateFitsPending('state-published', schema, model), {
    code: 'CONFLICT',
    message: /'wf-two'.*'state-published'/,
  })
  const write = { schema, update: {}, before: {}, after: {}, stateId: 'state-published' }
  assert.throws(() => checkWrite(write, model), { code: 'CONFLICT' })
  assertStateFitsPending('state-published', schema, modelChanging([], []))
})

test('unique values are held by both definitions, each once, and those of what will be dropped by the old one alone', () => {
  const unique = (alias: string, more: object = {}) => attribute(alias, { unique: true, ...more })
  const tags = (...ids: string[]) => unique('tags', { dataType: 'multiSelect', options: ids.map((id) => ({ id })) })
  const before = [unique('old'), unique('both'), text, tags('x', 'y')]
  const model = modelChanging(before, [unique('both'), unique('a'), tags('x')])
  const values = { old: everywhere('1'), both: everywhere('2'), a: everywhere('3'), tags: everywhere(['x', 'y']) }
  const schema = model.schemas.get('sch')!
  const keys = checkWrite({ schema, update: { both: [] }, before: {}, after: values }, model)!
  const held = keys.after.map(({ alias, key }) => `${alias} ${key}`)
  assert.deepEqual(held.sort(), ['a "3"', 'both "2"', 'old "1"', 'tags ["x","y"]', 'tags ["x"]'])
  assert.deepEqual(
    ['old', 'both', 'a', 'tags', 'gone'].map((alias) => fits({ [alias]: [] }, model) !== undefined),
    [true, true, true, true, false],
  )
})

test('while unique values are released, each write of a record releases its own', () => {
  for (const stage of ['undo', 'clear'] as const) {
    const model = modelChanging([text], [attribute('a', { unique: true })], { stage })
    const schema = model.schemas.get('sch')!
    const values = { a: everywhere('x') }
    const keys = checkWrite({ schema, update: { b: [] }, before: values, after: values }, model)
    assert.deepEqual(keys, {
      before: [{ alias: 'a', scope: '', key: '"x"' }],
      after: [],
      isForNewDefinition: false,
    })
  }
})
