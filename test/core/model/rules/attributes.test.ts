import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AttributeInput, findAttributeFault } from '../../../../src/core/model/rules/attributes.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'
import { attribute } from '../../../helpers/domain-model.ts'

test('what is left out of an attribute has its default', () => {
  assert.deepEqual(attribute('constructor'), {
    alias: 'constructor',
    name: 'constructor',
    description: '',
    dataType: 'text',
    dimensionIds: [],
    unique: false,
    requiredInStateIds: [],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
  })
  assert.deepEqual(attribute('color', { options: [{ id: 'red' }, { id: 'b', name: 'Blue' }] }).options, [
    { id: 'red', name: 'red' },
    { id: 'b', name: 'Blue' },
  ])
})

test('a field of the wrong form is refused by name', () => {
  const good = { alias: 'a', dataType: 'text' }
  for (const [changes, message] of [
    [{ alias: '__proto__' }, /^alias must be an alias/],
    [{ dataType: 'string' }, /^dataType must be one of text, richText/],
    [{ dataType: 'constructor' }, /^dataType must be one of/],
    [{ dimensionIds: 'language' }, 'dimensionIds must be an array'],
    [{ dimensionIds: Array.from({ length: 9 }, () => 'd') }, 'dimensionIds must have at most 8 items'],
    [{ unique: 'yes' }, 'unique must be true or false'],
    [{ validation: { minLength: -1 } }, 'validation.minLength must be 0 or more'],
    [{ validation: { maxLength: 1.5 } }, 'validation.maxLength must be a whole number'],
    [{ validation: { min: '1' } }, 'validation.min must be a number'],
    [{ display: { style: 'round' } }, "display.style must be 'plain' or 'grouped'"],
    [{ display: { decimals: 11 } }, 'display.decimals must be at most 10'],
    [{ display: { unit: '"' } }, 'display.unit must have no control characters and no quotation marks'],
    [{ validation: { max: Infinity } }, 'validation.max must be a finite number'],
    [{ validation: { maxDecimals: 16 } }, 'validation.maxDecimals must be at most 15'],
    [{ validation: { pattern: 'x'.repeat(1001) } }, /^validation\.pattern must be at most 1000/],
    [{ options: ['red'] }, /^options\[0\]/],
    [{ currencies: ['eur'] }, /^currencies\[0\] must be a currency code/],
    [{ currencies: ['EUR', 'QQQ'] }, /^currencies\[1\] must be an ISO 4217 code/],
    [{ guard: { criteriaOperator: 'xor', criteria: [] } }, "guard.criteriaOperator must be 'and' or 'or'"],
    [{ guard: { criteriaOperator: 'or', criteria: [{}] } }, 'guard.criteria[0].attributeAlias is required'],
  ] as const)
    assert.throws(() => parse(AttributeInput, { ...good, ...changes }), { code: 'VALIDATION_ERROR', message })
})

test('an attribute that contradicts itself is told how', () => {
  const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: 'it', operator: 'isEmpty' }] }
  for (const [input, fault] of [
    [{ validation: { minLength: 2, maxLength: 1 } }, 'validation.minLength must not exceed maxLength'],
    [{ validation: { min: 1, max: 0.5 } }, 'validation.min must not exceed max'],
    [{ dimensionIds: ['a', 'b', 'a'] }, "dimensionIds lists 'a' twice"],
    [{ requiredInStateIds: ['a', 'a'] }, "requiredInStateIds lists 'a' twice"],
    [{ options: [{ id: 'a' }, { id: 'a' }] }, "options lists 'a' twice"],
    [{ units: ['kg', 'kg'] }, "units lists 'kg' twice"],
    [{ currencies: ['EUR', 'EUR'] }, "currencies lists 'EUR' twice"],
    [{ guard }, 'guard must not ask for the attribute itself'],
  ] as const)
    assert.equal(findAttributeFault(attribute('it', input)), fault)
  const sound = attribute('it', {
    validation: { min: 0, max: 0, minLength: 1, maxLength: 1 },
    units: ['constructor', 'toString'],
  })
  assert.equal(findAttributeFault(sound), undefined)
})

test('only numbers say how people see them, and only plain numbers have a unit of their own', () => {
  const display = { style: 'grouped', decimals: 2, unit: 'km' } as const
  assert.equal(findAttributeFault(attribute('a', { dataType: 'number', display })), undefined)
  assert.deepEqual(attribute('a', { dataType: 'number', display }).display, display)
  assert.equal(
    findAttributeFault(attribute('a', { dataType: 'text', display: {} })),
    'display is for the data types number, price and measurement only',
  )
  assert.equal(
    findAttributeFault(attribute('a', { dataType: 'price', display })),
    'display.unit is for the data type number only',
  )
  assert.equal(findAttributeFault(attribute('a', { dataType: 'measurement', display: { decimals: 1 } })), undefined)
})
