import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryCriterion, ScopeInput } from '../../../src/domain/search/criterion.ts'
import { OPERATOR_NAMES, operators } from '../../../src/domain/search/operators.ts'
import { parse } from '../../../src/domain/input/validation.ts'

test('every operator but isEmpty and isNotEmpty takes a value, and says so where it lacks', () => {
  const unary = OPERATOR_NAMES.filter((operator) => !operators[operator].takesValue)
  assert.deepEqual(unary, ['isEmpty', 'isNotEmpty'])
  for (const operator of OPERATOR_NAMES) {
    const criterion = { attributeAlias: 'name', operator }
    if (unary.includes(operator)) assert.deepEqual(parse(QueryCriterion, criterion), criterion)
    else assert.throws(() => parse(QueryCriterion, criterion), { message: 'value is required for this operator' })
    assert.deepEqual(parse(QueryCriterion, { ...criterion, value: '' }), { ...criterion, value: '' })
  }
})

test('a criterion is refused by the field that is wrong', () => {
  const good = { attributeAlias: 'name', operator: 'equals', value: 'x' }
  for (const [changes, message] of [
    [{ attributeAlias: undefined }, 'attributeAlias is required'],
    [{ attributeAlias: 'x'.repeat(65) }, /^attributeAlias must be at most 64/],
    [{ operator: 'like' }, /^operator must be one of equals, notEquals/],
    [{ operator: 'constructor' }, /^operator must be one of/],
    [{ value: 5 }, 'value must be a string'],
    [{ value: 'x'.repeat(65_537) }, /^value must be at most/],
    [{ scope: 'de' }, /^scope must be an object/],
    [{ scope: null }, /^scope must be an object/],
    [{ scope: { language: 5 } }, /^scope must be an object/],
  ] as const)
    assert.throws(() => parse(QueryCriterion, { ...good, ...changes }), { code: 'VALIDATION_ERROR', message })
})

test('a scope keeps dimensions called like members of Object', () => {
  assert.deepEqual(parse(ScopeInput, { constructor: 'toString' }), { constructor: 'toString' })
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`d${index}`, 's']))
  assert.throws(() => parse(ScopeInput, many), { code: 'VALIDATION_ERROR' })
})
