import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attribute } from '../../../../src/core/model/rules/attributes.ts'
import type { Schema } from '../../../../src/core/model/rules/model.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import {
  aliasesToClaim,
  aliasesToCompare,
  aliasesToNote,
  endangeredAliases,
  findLostChoice,
  fitValues,
  freedAliases,
  isIndexedAnew,
  misfits,
} from '../../../../src/core/model/rules/schema-changes.ts'
import { attribute, modelOf } from '../../../helpers/domain-model.ts'

const schemaOf = (...attributes: Attribute[]): Schema => modelOf(attributes).schema
const both = ['language', 'market']

test('values are endangered where their attribute goes, or changes its data type or loses a dimension', () => {
  const before = schemaOf(
    attribute('gone'),
    attribute('constructor'),
    attribute('type'),
    attribute('narrow', { dimensionIds: both }),
    attribute('wide', { dimensionIds: ['market'] }),
    attribute('same', { options: [{ id: 'a' }] }),
  )
  const after = schemaOf(
    attribute('type', { dataType: 'number' }),
    attribute('narrow', { dimensionIds: ['market'] }),
    attribute('wide', { dimensionIds: both }),
    attribute('same', { name: 'Renamed', validation: { maxLength: 1 } }),
    attribute('new'),
  )
  assert.deepEqual(endangeredAliases(before, after), ['gone', 'constructor', 'type', 'narrow'])
  assert.deepEqual(endangeredAliases(before, before), [])
})

test('what does not fit is the values of another type, and those scoped to a dimension that went', () => {
  const german = { scope: { language: 'de' }, value: '1' }
  const global = { scope: {}, value: '1' }
  const values = { it: [global, german] }
  assert.deepEqual(misfits(values, 'it', schemaOf()), [global, german])
  assert.deepEqual(misfits(values, 'it', schemaOf(attribute('it', { dimensionIds: both }))), [])
  assert.deepEqual(misfits(values, 'it', schemaOf(attribute('it', { dimensionIds: ['market'] }))), [german])
  assert.deepEqual(misfits(values, 'it', schemaOf(attribute('it', { dataType: 'number', dimensionIds: both }))), [
    global,
    german,
  ])
  assert.deepEqual(misfits({}, 'it', schemaOf()), [])
})

test('validation rules are asked when values are written, not when the schema changes', () => {
  const values = { it: [{ scope: {}, value: 'long text' }] }
  const strict = { dataType: 'richText', validation: { maxLength: 1, pattern: '^x$' } }
  assert.deepEqual(misfits(values, 'it', schemaOf(attribute('it', strict))), [])
  const select = { dataType: 'select', options: [{ id: 'short' }] }
  assert.equal(misfits(values, 'it', schemaOf(attribute('it', select))).length, 1)
})

test('values are compared where an attribute becomes unique, or is unique and changes its data type', () => {
  const before = schemaOf(
    attribute('a'),
    attribute('b', { unique: true }),
    attribute('c', { unique: true }),
    attribute('d'),
  )
  const unique = { unique: true }
  const after = schemaOf(
    attribute('a', unique),
    attribute('b', unique),
    attribute('c', { ...unique, dataType: 'json' }),
    attribute('d'),
    attribute('new', unique),
  )
  assert.deepEqual(aliasesToCompare(before, after), ['a', 'c'])
})

test('values are free for others where an attribute is unique no longer or goes', () => {
  const unique = { unique: true }
  const before = schemaOf(attribute('a', unique), attribute('b', unique), attribute('c', unique), attribute('d'))
  assert.deepEqual(freedAliases(before, schemaOf(attribute('a'), attribute('c', unique))), ['a', 'b'])
})

test('references are noted where an attribute gets a data type that refers to records, and freed where it loses it or goes', () => {
  const lists = { dataType: 'references' }
  const before = schemaOf(attribute('a'), attribute('b', lists), attribute('c', lists), attribute('d', lists))
  const after = schemaOf(attribute('a', lists), attribute('b'), attribute('c', lists), attribute('new', lists))
  assert.deepEqual(aliasesToNote(before, after), ['a'])
  assert.deepEqual(freedAliases(before, after), ['b', 'd'])
})

test('records are indexed again where an attribute that stays has another data type or other dimensions, or more or less is required', () => {
  const before = schemaOf(attribute('it', { dimensionIds: both }), attribute('gone'))
  const changed = (input: Record<string, unknown>): boolean =>
    isIndexedAnew(before, schemaOf(attribute('it', { dimensionIds: both, ...input }), attribute('new')))
  assert.equal(changed({ dataType: 'richText' }), true)
  assert.equal(changed({ dimensionIds: ['market'] }), true)
  assert.equal(changed({ dimensionIds: both.toReversed() }), true)
  assert.equal(changed({ requiredInStateIds: ['state-draft'] }), true)
  assert.equal(changed({ name: 'Renamed', unique: true }), false)
})

const options = (...ids: string[]): object => ({ options: ids.map((id) => ({ id })) })

test('values are endangered where an option, unit or currency is listed no longer; an empty list names all units', () => {
  const isEndangered = (dataType: string, was: object, is: object): boolean => {
    const [before, after] = [was, is].map((more) => schemaOf(attribute('it', { dataType, ...more })))
    return endangeredAliases(before!, after!).length > 0
  }
  for (const dataType of ['select', 'multiSelect']) {
    assert.equal(isEndangered(dataType, options('a', 'b'), options('b', 'c')), true)
    assert.equal(isEndangered(dataType, options('a', 'b'), options('b', 'c', 'a')), false)
  }
  for (const [dataType, list] of [
    ['measurement', 'units'],
    ['price', 'currencies'],
  ] as const) {
    assert.equal(isEndangered(dataType, { [list]: ['EUR', 'USD'] }, { [list]: ['EUR'] }), true)
    assert.equal(isEndangered(dataType, { [list]: [] }, { [list]: ['EUR'] }), true)
    assert.equal(isEndangered(dataType, { [list]: ['EUR'] }, { [list]: ['USD', 'EUR'] }), false)
    assert.equal(isEndangered(dataType, { [list]: ['EUR'] }, { [list]: [] }), false)
  }
  assert.equal(isEndangered('text', { units: ['kg'] }, { units: ['g'] }), false)
})

test('of several options those that went are dropped, and the value with the last of them', () => {
  const multi = (...ids: string[]) =>
    attribute('it', { dataType: 'multiSelect', dimensionIds: ['language'], ...options(...ids) })
  const [before, after] = [schemaOf(multi('a', 'b', 'c')), schemaOf(multi('b', 'c'))]
  const values: Values = {
    it: [
      { scope: {}, value: ['c', 'a', 'b'] },
      { scope: { language: 'de' }, value: ['a'] },
      { scope: { language: 'en' }, value: ['b'] },
    ],
    other: [{ scope: {}, value: ['a'] }],
  }
  assert.deepEqual(fitValues(values, ['it'], before, after), {
    it: [
      { scope: {}, value: ['c', 'b'] },
      { scope: { language: 'en' }, value: ['b'] },
    ],
    other: values['other'],
  })
  assert.equal(fitValues(values, ['it'], before, before), values)
  assert.deepEqual(fitValues({ it: [{ scope: {}, value: ['a'] }] }, ['it'], before, after), {})
  const json = schemaOf(attribute('it', { dataType: 'json', dimensionIds: ['language'] }))
  assert.deepEqual(
    fitValues(values, ['it'], json, after)['it'],
    [values['it']![2]],
    'of another data type nothing is made to fit',
  )
})

test('unique values are claimed where an attribute becomes unique, and where values of a unique one may change', () => {
  const tags = (unique: boolean, ...ids: string[]) =>
    attribute('tags', { dataType: 'multiSelect', unique, ...options(...ids) })
  const claimed = (before: Attribute, after: Attribute): string[] => aliasesToClaim(schemaOf(before), schemaOf(after))
  assert.deepEqual(claimed(tags(false, 'a'), tags(true, 'a')), ['tags'])
  assert.deepEqual(claimed(tags(true, 'a', 'b'), tags(true, 'a')), ['tags'])
  assert.deepEqual(claimed(tags(true, 'a'), tags(true, 'a', 'b')), [])
  assert.deepEqual(claimed(tags(true, 'a', 'b'), tags(false, 'a')), [])
})

test('what a value names that is listed no longer is told by its name', () => {
  const lost = (dataType: string, was: object, is: object, value: unknown): string | undefined => {
    const [before, after] = [was, is].map((more) => schemaOf(attribute('it', { dataType, ...more })))
    return findLostChoice({ scope: {}, value }, 'it', before!, after!)
  }
  assert.equal(lost('select', options('a'), options(), 'a'), "the option 'a'")
  assert.equal(lost('multiSelect', options('a', 'b'), options('a'), ['a', 'b']), "the option 'b'")
  assert.equal(lost('measurement', {}, { units: ['g'] }, { amount: 1, unit: 'kg' }), "the unit 'kg'")
  assert.equal(lost('price', {}, { currencies: ['EUR'] }, { amount: 1, currency: 'USD' }), "the currency 'USD'")
  assert.equal(lost('text', { dimensionIds: ['market'] }, {}, 'a'), undefined)
})
