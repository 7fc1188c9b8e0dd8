import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CriteriaInput } from '../../../../src/core/search/rules/criteria-input.ts'
import { Criterion, ScopeInput } from '../../../../src/core/search/rules/criterion.ts'
import { OPERATOR_NAMES, operators } from '../../../../src/core/search/rules/operators.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'

test('every operator but isEmpty and isNotEmpty takes a value, and says so where it lacks', () => {
  const unary = OPERATOR_NAMES.filter((operator) => operators[operator].operand === 'none')
  assert.deepEqual(unary, ['isEmpty', 'isNotEmpty'])
  for (const operator of OPERATOR_NAMES) {
    const criterion = { attributeAlias: 'name', operator }
    if (unary.includes(operator)) assert.deepEqual(parse(Criterion, criterion), criterion)
    else assert.throws(() => parse(Criterion, criterion), { message: 'value is required for this operator' })
    if (operators[operator].operand === 'none' || operators[operator].operand === 'text')
      assert.deepEqual(parse(Criterion, { ...criterion, value: '' }), { ...criterion, value: '' })
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
    assert.throws(() => parse(Criterion, { ...good, ...changes }), { code: 'VALIDATION_ERROR', message })
})

test('numbers and truth values are taken for their text, but with the operators of guards on attributes', () => {
  const value = (criterion: object): unknown => (parse(Criterion, criterion) as { value?: unknown }).value
  assert.equal(value({ attributeAlias: 'weight', operator: 'gte', value: 1.5 }), '1.5')
  assert.deepEqual(value({ attributeAlias: 'weight', operator: 'between', value: [1, '2'] }), ['1', '2'])
  assert.deepEqual(value({ attributeAlias: 'on', operator: 'in', value: [true, 'x'] }), ['true', 'x'])
  assert.equal(value({ field: 'completeness', operator: 'lt', value: 100 }), '100')
  assert.equal(value({ field: 'completeness', operator: 'equals', value: 100 }), '100')
  assert.throws(() => value({ attributeAlias: 'weight', operator: 'gt', value: 1.5 }), {
    message: 'value must be a string',
  })
})

test('a list, a range, and what is for some fields only, are refused by name', () => {
  for (const [criterion, message] of [
    [{ attributeAlias: 'a', operator: 'in', value: 'x' }, 'value must be a list of 1 to 1000 values'],
    [{ attributeAlias: 'a', operator: 'in', value: [] }, 'value must be a list of 1 to 1000 values'],
    [
      { attributeAlias: 'a', operator: 'notIn', value: Array(1001).fill('x') },
      'value must be a list of 1 to 1000 values',
    ],
    [{ attributeAlias: 'a', operator: 'between', value: ['1'] }, 'value must be a list of two: from and to'],
    [{ field: 'ids', operator: 'equals', value: 'x' }, /^field must be one of id, schemaId/],
    [
      { field: 'createdAt', operator: 'equals', value: 'x' },
      "operator must be one of gt, gte, lt, lte, between for the field 'createdAt'",
    ],
    [{ field: 'id', operator: 'equals', value: 'x', scope: {} }, "scope is not for the field 'id'"],
    [
      { field: 'missing', operator: 'isNotEmpty', includeChildren: true },
      "includeChildren is not for the field 'missing'",
    ],
    [{ field: 'id', operator: 'equals', value: 'x', valu: 1 }, "Unknown member 'valu': did you mean 'value'?"],
    [{ criteria: [], criteriaOperator: 'nor' }, "criteriaOperator must be 'and' or 'or'"],
    [
      { criteria: [{ field: 'id', operator: 'equals' }], criteriaOperator: 'or' },
      'criteria[0].value is required for this operator',
    ],
  ] as const)
    assert.throws(() => parse(Criterion, criterion), { code: 'VALIDATION_ERROR', message })
})

test('groups nest to five levels, and there are two hundred criteria in all', () => {
  const nested = (levels: number): unknown[] =>
    levels === 0 ? [] : [{ criteriaOperator: 'and', criteria: nested(levels - 1) }]
  assert.doesNotThrow(() => parse(CriteriaInput, nested(5)))
  assert.throws(() => parse(CriteriaInput, nested(6)), { message: /must nest groups to at most 5 levels/ })
  const ids = (count: number): unknown[] =>
    Array.from({ length: count }, () => ({ field: 'id', operator: 'equals', value: 'x' }))
  assert.doesNotThrow(() => parse(CriteriaInput, ids(200)))
  assert.doesNotThrow(() => parse(CriteriaInput, [{ criteriaOperator: 'or', criteria: ids(200) }]))
  for (const many of [ids(201), [...ids(1), { criteriaOperator: 'or', criteria: ids(200) }]])
    assert.throws(() => parse(CriteriaInput, many), {
      message: /must have at most 200 criteria, those in groups included/,
    })
})

test('a scope keeps dimensions called like members of Object', () => {
  assert.deepEqual(parse(ScopeInput, { constructor: 'toString' }), { constructor: 'toString' })
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`d${index}`, 's']))
  assert.throws(() => parse(ScopeInput, many), { code: 'VALIDATION_ERROR' })
})
