import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attribute } from '../../src/domain/attributes.ts'
import type { Schema } from '../../src/domain/model.ts'
import {
  aliasesToCompare,
  endangeredAliases,
  freedAliases,
  isIndexedAnew,
  misfits,
} from '../../src/domain/schema-changes.ts'
import { attribute, modelOf } from '../helpers/domain-model.ts'

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

test('records are indexed anew where an attribute that stays has another data type or other dimensions', () => {
  const before = schemaOf(attribute('it', { dimensionIds: both }), attribute('gone'))
  const changed = (input: Record<string, unknown>): boolean =>
    isIndexedAnew(before, schemaOf(attribute('it', { dimensionIds: both, ...input }), attribute('new')))
  assert.equal(changed({ dataType: 'richText' }), true)
  assert.equal(changed({ dimensionIds: ['market'] }), true)
  assert.equal(changed({ dimensionIds: both.toReversed() }), true)
  assert.equal(changed({ name: 'Renamed', unique: true, requiredInStateIds: ['state-draft'] }), false)
})
