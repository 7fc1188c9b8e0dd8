import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defineSchema,
  findCombinationsFault,
  findScopeFault,
  SchemaInput,
} from '../../../../src/core/model/rules/schema.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'
import { dimension, LANGUAGE, MARKET } from '../../../helpers/domain-model.ts'
import { buildModel } from '../../../helpers/build-model.ts'

const wide = ['x', 'y', 'z'].map((id) => dimension(id, ...Array.from({ length: 22 }, (_, index) => `s${index}`)))
const model = buildModel({
  dimensions: [LANGUAGE, MARKET, ...wide],
  workflows: [DEFAULT_WORKFLOW],
  schemas: [],
  roles: [],
})
const identity = { id: 'sch', createdAt: 'then', updatedAt: 'now' }
const define = (input: Record<string, unknown>) =>
  defineSchema(parse(SchemaInput, { name: 'S', ...input }), identity, model)
const refused = (input: Record<string, unknown>, message: string | RegExp): void =>
  assert.throws(() => define(input), { code: 'VALIDATION_ERROR', message })
const text = { alias: 'it', dataType: 'text' }

test('a schema has the default workflow, no attributes and all combinations where nothing else is said', () => {
  assert.deepEqual(define({ id: 'ignored' }), {
    ...identity,
    name: 'S',
    workflowId: 'wf-default',
    attributes: [],
    combinations: null,
  })
})

test('a schema is refused, naming attribute and field, where it does not fit the model', () => {
  refused({ workflowId: 'constructor' }, "workflowId names the unknown workflow 'constructor'")
  refused({ attributes: [text, text] }, "attributes: the alias 'it' occurs twice")
  refused(
    { attributes: [{ ...text, dimensionIds: ['toString'] }] },
    "attribute 'it': dimensionIds names the unknown dimension 'toString'",
  )
  refused(
    { attributes: [{ ...text, requiredInStateIds: ['gone'] }] },
    "attribute 'it': requiredInStateIds names the unknown state 'gone'",
  )
  refused(
    { attributes: [{ ...text, validation: { min: 2, max: 1 } }] },
    "attribute 'it': validation.min must not exceed max",
  )
  refused(
    { attributes: [{ ...text, validation: { pattern: '(a)\\1' } }] },
    /^attribute 'it': validation\.pattern is not a valid RE2 expression: /,
  )
  refused({ combinations: [{}, { color: 'red' }] }, "combinations[1] names the unknown dimension 'color'")
  refused(
    { combinations: [{ language: 'es' }] },
    "combinations[0] names the unknown segment 'es' of dimension 'language'",
  )
  refused({ combinations: { language: 'de' } }, 'combinations must be an array')
})

test('aliases that differ in case, or are called like members of Object, are different attributes', () => {
  const aliases = ['constructor', 'toString', 'a', 'A']
  const schema = define({ attributes: aliases.map((alias) => ({ ...text, alias })) })
  assert.deepEqual(
    schema.attributes.map(({ alias }) => alias),
    aliases,
  )
})

test('an attribute has at most 10,000 combinations of segments', () => {
  refused(
    { attributes: [{ ...text, dimensionIds: ['x', 'y', 'z'] }] },
    "attribute 'it': dimensionIds make more than 10000 combinations of segments",
  )
  assert.equal(define({ attributes: [{ ...text, dimensionIds: ['x', 'y'] }] }).attributes.length, 1)
  assert.equal(findCombinationsFault(['x', 'y', 'language'], model.dimensions), undefined)
  assert.equal(findCombinationsFault(['x', 'y', 'z'], model.dimensions), 'more than 10000 combinations of segments')
})

test('the attributes that are required in a state have at most 100,000 combinations of segments together', () => {
  const wide = (alias: string, requiredInStateIds: string[]) => ({
    ...text,
    alias,
    dimensionIds: ['x', 'y'],
    requiredInStateIds,
  })
  const many = (count: number, states: string[]) => Array.from({ length: count }, (_, n) => wide(`a${n}`, states))
  const allowed = Math.floor(100_000 / 22 ** 2)
  assert.equal(define({ attributes: many(allowed, ['state-draft']) }).attributes.length, allowed)
  assert.equal(define({ attributes: many(allowed + 1, []) }).attributes.length, allowed + 1)
  refused(
    { attributes: many(allowed + 1, ['state-draft']) },
    'attributes: those that are required make more than 100000 combinations of segments',
  )
})

test('the criteria of all guards look at no more than 1,000,000 combinations of segments', () => {
  const criteria = Array.from({ length: 50 }, () => ({ attributeAlias: 'asked', operator: 'isEmpty' }))
  const guarded = (count: number) => [
    { ...text, alias: 'asked', dimensionIds: ['x', 'y'] },
    ...Array.from({ length: count }, (_, n) => ({
      ...text,
      alias: `a${n}`,
      guard: { criteriaOperator: 'and', criteria },
    })),
  ]
  const allowed = Math.floor(1_000_000 / 50 / 22 ** 2)
  assert.equal(define({ attributes: guarded(allowed) }).attributes.length, allowed + 1)
  refused(
    { attributes: guarded(allowed + 1) },
    'attributes: the criteria of their guards look at more than 1000000 combinations of segments',
  )
})

test('a scope is sound where its dimensions and segments exist', () => {
  assert.equal(findScopeFault({ language: 'de', market: 'eu' }, model), undefined)
  assert.equal(findScopeFault({}, model), undefined)
  assert.equal(findScopeFault({ constructor: 'x' }, model), "names the unknown dimension 'constructor'")
  assert.equal(
    findScopeFault({ language: 'constructor' }, model),
    "names the unknown segment 'constructor' of dimension 'language'",
  )
})

test('many combinations look at the segments of a dimension once', () => {
  const COUNT = 1000
  let looks = 0
  const segments = Array.from({ length: COUNT }, (_, index) => ({
    get id() {
      looks += 1
      return `s${index}`
    },
    name: '',
  }))
  const place = { id: 'place', name: 'Place', segments }
  const large = buildModel({ dimensions: [place], workflows: [DEFAULT_WORKFLOW], schemas: [], roles: [] })
  const combinations = segments.map((_, index) => ({ place: `s${index}` }))
  looks = 0
  defineSchema(parse(SchemaInput, { name: 'S', combinations }), identity, large)
  assert.ok(looks <= 2 * COUNT, `${looks} looks`)
})
