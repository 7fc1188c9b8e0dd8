import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Values } from '../../../src/core/records/rules/record.ts'
import {
  describeScope,
  readScopedValues,
  readValues,
  recordReferences,
  replaceValues,
  uniqueKeys,
  withoutEmptyAttributes,
} from '../../../src/core/values/values.ts'
import { attribute, dimension, LANGUAGE, MARKET, modelOf } from '../../helpers/domain-model.ts'
import { anyName, anyScopedValues } from '../../helpers/scope-oracle.ts'

const name = attribute('name', { dimensionIds: ['language', 'market'], validation: { maxLength: 5 } })
const weight = attribute('weight', { dataType: 'number' })
const hostile = attribute('constructor', { dimensionIds: ['toString'] })
const { model, schema } = modelOf([name, weight, hostile], {
  dimensions: [LANGUAGE, MARKET, dimension('toString', 'valueOf')],
})

const global = (value: unknown) => [{ scope: {}, value }]
const refused = (input: unknown, message: string | RegExp): void =>
  assert.throws(() => readValues(input, schema, model), { code: 'VALIDATION_ERROR', message })

const anyValues: fc.Arbitrary<Values> = fc
  .uniqueArray(fc.tuple(anyName, anyScopedValues([LANGUAGE], fc.integer(), 3)), { selector: ([alias]) => alias })
  .map((entries) => Object.fromEntries(entries))

test('fields that a price or measurement does not have are ignored', () => {
  const price = attribute('price', { dataType: 'price' })
  const length = attribute('length', { dataType: 'measurement' })
  const { model: shop, schema: goods } = modelOf([price, length])
  const read = readValues(
    {
      price: global({ note: 'x', amount: 1, currency: 'EUR', unit: 'm' }),
      length: global({ unit: 'm', amount: 2, ['__proto__']: 1 }),
    },
    goods,
    shop,
  )
  assert.deepEqual(read, { price: global({ amount: 1, currency: 'EUR' }), length: global({ unit: 'm', amount: 2 }) })
})

test('PUT replaces exactly what it names', () => {
  fc.assert(
    fc.property(anyValues.map(withoutEmptyAttributes), anyValues, (before, update) => {
      const after = new Map(Object.entries(replaceValues(before, update)))
      const [old, named] = [new Map(Object.entries(before)), new Map(Object.entries(update))]
      for (const alias of new Set([...old.keys(), ...named.keys(), ...after.keys()])) {
        const expected = named.has(alias) ? named.get(alias) : old.get(alias)
        assert.deepEqual(after.get(alias), expected?.length === 0 ? undefined : expected)
      }
    }),
    { numRuns: 500 },
  )
})

test('values that fit are taken as they are', () => {
  const input = {
    name: [
      { scope: {}, value: 'a' },
      { scope: { language: 'de' }, value: 'b' },
      { scope: { market: 'eu', language: 'de' }, value: 'c' },
    ],
    weight: global(-0),
    constructor: [{ scope: { toString: 'valueOf' }, value: 'x' }],
  }
  assert.deepEqual(readValues(input, schema, model), input)
})

test('null is no value, and an attribute left without any is kept as an empty array', () => {
  assert.deepEqual(readValues({ name: [{ scope: { language: 'de' }, value: null }], weight: [] }, schema, model), {
    name: [],
    weight: [],
  })
})

test('what is no map of alias to scoped values is refused, naming where', () => {
  for (const input of [undefined, null, 1, 'x', []]) refused(input, /^values must be an object/)
  refused({ name: 'x' }, 'values.name must be an array of { scope, value }')
  refused({ name: { scope: {}, value: 'x' } }, /^values\.name must be an array/)
  refused({ name: ['x'] }, 'values.name[0] must be an object { scope, value }')
  refused({ name: [null] }, /^values\.name\[0\] must be an object/)
  refused({ name: [{ value: 'x' }] }, /^values\.name\[0\]\.scope must be an object/)
  refused({ name: [{ scope: [], value: 'x' }] }, /^values\.name\[0\]\.scope must be an object/)
  refused({ name: [{ scope: {} }] }, 'values.name[0].value is required')
})

test('an alias that the schema does not define is refused by name, inherited members of Object included', () => {
  refused({ color: [] }, "values.color names an attribute that the schema 'sch' does not define")
  refused({ toString: [] }, /^values\.toString names/)
  refused(JSON.parse('{"__proto__": []}'), /^values\.__proto__ names/)
  refused({ ['x'.repeat(100_000)]: [] }, /^values\.x{64}… names/)
})

test('a scope names dimensions of the attribute and segments of the dimension', () => {
  const at = (scope: unknown) => ({ name: [{ scope, value: 'x' }] })
  refused(at({ color: 'red' }), "values.name[0].scope names 'color', which is not among the attribute's dimensionIds")
  refused(at({ toString: 'valueOf' }), /not among the attribute's dimensionIds/)
  refused(at(JSON.parse('{"__proto__": "de"}')), /not among/)
  refused(at({ language: 'es' }), 'values.name[0].scope.language names an unknown segment of the dimension')
  refused(at({ language: 'constructor' }), /unknown segment/)
  refused(at({ language: 1 }), /unknown segment/)
  refused(at({ language: null }), /unknown segment/)
  refused({ weight: [{ scope: { language: 'de' }, value: 1 }] }, /not among/)
})

test('the same scope twice is refused, in whatever order it is written', () => {
  const twice = [
    { scope: { language: 'de', market: 'eu' }, value: 'a' },
    { scope: { market: 'eu', language: 'de' }, value: null },
  ]
  refused({ name: twice }, 'values.name[1].scope {language=de;market=eu} occurs twice')
})

test('a value that the data type or a rule refuses is named with its place', () => {
  refused({ weight: global('1') }, 'values.weight[0].value must be a finite number')
  refused({ name: global('toolong') }, 'values.name[0].value must be at most 5 characters long')
})

test('all faults of a record are told together, up to ten', () => {
  const values = { weight: global('1'), name: global('toolong'), wait: global(1) }
  refused(
    values,
    "values.weight[0].value must be a finite number; values.name[0].value must be at most 5 characters long; values.wait names an attribute that the schema 'sch' does not define",
  )
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`unknown${index}`, global(1)]))
  assert.throws(() => readValues(many, schema, model), { message: /unknown9 .*; there may be more$/ })
  assert.throws(() => readValues(many, schema, model), { message: /^(?!.*unknown10 )/ })
})

test('one attribute alone is read by the same rules', () => {
  const none = () => ({})
  assert.deepEqual(readScopedValues(global('x'), name, model, 'scopedValues', none), global('x'))
  assert.throws(() => readScopedValues({}, name, model, 'scopedValues', none), {
    message: /^scopedValues must be an array/,
  })
})

test('unique keys are the non-empty values of unique attributes, equal for equal values', () => {
  const sku = attribute('sku', { unique: true, dimensionIds: ['market'] })
  const size = attribute('constructor', { dataType: 'measurement', unique: true })
  const unique = modelOf([sku, size, name])
  const values: Values = {
    sku: [
      { scope: {}, value: '' },
      { scope: { market: 'eu' }, value: 'A' },
    ],
    constructor: global({ unit: 'kg', amount: 1 }),
    name: global('x'),
  }
  assert.deepEqual(uniqueKeys(values, unique.schema), [
    { alias: 'sku', scope: 'market=eu', key: '"A"' },
    { alias: 'constructor', scope: '', key: '{"amount":1,"unit":"kg"}' },
  ])
  assert.deepEqual(uniqueKeys({}, unique.schema), [])
})

test('references are the records that reference attributes name', () => {
  const { schema: fitted } = modelOf([attribute('fits', { dataType: 'reference', dimensionIds: ['market'] }), name])
  const values: Values = { fits: [...global('ent-1'), { scope: { market: 'eu' }, value: '' }], name: global('ent-2') }
  assert.deepEqual(recordReferences(values, fitted), [{ alias: 'fits', scope: '', recordId: 'ent-1' }])
})

test('a scope is described by its key in braces', () => {
  assert.equal(describeScope(''), '{}')
  assert.equal(describeScope('language=de'), '{language=de}')
})

test('a value that is stored already is accepted unchanged, in its scope alone, whatever the rules say by now', () => {
  const price = attribute('price', { dataType: 'price', dimensionIds: ['market'], currencies: ['EUR'] })
  const data = attribute('data', { dataType: 'json' })
  const strict = modelOf([price, attribute('name', { validation: { pattern: '^x$' } }), data])
  const old = { amount: 1, currency: 'USD' }
  const stored: Values = { price: [{ scope: { market: 'eu' }, value: old }], name: global('old') }
  const read = (input: unknown) => readValues(input, strict.schema, strict.model, () => stored)
  assert.deepEqual(read(stored), stored)
  assert.deepEqual(
    read({ price: [{ scope: { market: 'eu' }, value: { currency: 'USD', amount: 1 } }] }).price,
    stored['price'],
  )
  for (const [input, message] of [
    [{ name: global('other') }, /^values\.name\[0\]\.value/],
    [{ price: [{ scope: {}, value: old }] }, 'values.price[0].value currency must be one of EUR'],
    [{ price: [{ scope: { market: 'eu' }, value: { ...old, amount: 2 } }] }, /currency must be one of/],
    [{ gone: global('x') }, /does not define/],
  ] as const)
    assert.throws(() => read(input), { code: 'VALIDATION_ERROR', message })
  let nested: unknown = 'old'
  for (let level = 0; level < 100_000; level += 1) nested = [nested]
  assert.throws(() => read({ name: global(nested) }), { code: 'VALIDATION_ERROR' })
})

test('many values look at the options, units and segments of the model once each', () => {
  const looks = { options: 0, segments: 0 }
  const counted = (list: keyof typeof looks, index: number) => ({
    get id() {
      looks[list] += 1
      return `e${index}`
    },
    name: '',
  })
  const COUNT = 1000
  const options = Array.from({ length: COUNT }, (_, index) => counted('options', index))
  const segments = Array.from({ length: COUNT }, (_, index) => counted('segments', index))
  const chosen = { ...attribute('chosen', { dataType: 'select', dimensionIds: ['place'] }), options }
  const several = { ...attribute('several', { dataType: 'multiSelect', dimensionIds: ['place'] }), options }
  const { model: large, schema: wide } = modelOf([chosen, several], {
    dimensions: [{ id: 'place', name: 'Place', segments }],
  })
  const valuesOf = (value: (id: string) => unknown) =>
    Array.from({ length: COUNT }, (_, index) => ({ scope: { place: `e${index}` }, value: value(`e${index}`) }))
  readValues({ chosen: valuesOf((id) => id), several: valuesOf((id) => [id]) }, wide, large)
  assert.ok(looks.options <= 4 * COUNT && looks.segments <= 4 * COUNT, JSON.stringify(looks))
})
