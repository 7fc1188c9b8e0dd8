import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findDimensionUse,
  findRequiringAttribute,
  findSegmentUse,
  isScopedBy,
} from '../../../../src/core/model/rules/usage.ts'
import { attribute, modelOf } from '../../../helpers/domain-model.ts'

const asksFor = (scope?: Record<string, string>) => ({
  guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'other', operator: 'isEmpty', scope }] },
})
const { schema } = modelOf([
  attribute('it', { dimensionIds: ['language'], requiredInStateIds: ['state-review'] }),
  attribute('guarded', asksFor({ market: 'eu' })),
  attribute('unscoped', asksFor()),
])
const { schema: combined } = modelOf([attribute('it')], {
  combinations: [{ constructor: 'toString' }, { color: 'red' }],
})
const all = [schema, combined]

test('a dimension is used by the attributes that it scopes, by combinations and by guards', () => {
  assert.equal(findDimensionUse(all, 'language'), "the attribute 'it' of the schema 'sch'")
  assert.equal(findDimensionUse(all, 'color'), "the combinations of the schema 'sch'")
  assert.equal(findDimensionUse(all, 'market'), "the guard of the attribute 'guarded' of the schema 'sch'")
  assert.equal(findDimensionUse([schema], 'constructor'), undefined)
  assert.match(findDimensionUse(all, 'constructor') ?? '', /combinations/)
  assert.equal(findDimensionUse([], 'language'), undefined)
})

test('a segment is used where a scope names it, not where its dimension is merely allowed', () => {
  assert.equal(findSegmentUse(all, 'language', 'de'), undefined)
  assert.match(findSegmentUse(all, 'market', 'eu') ?? '', /guard/)
  assert.equal(findSegmentUse(all, 'market', 'us'), undefined)
  assert.match(findSegmentUse(all, 'constructor', 'toString') ?? '', /combinations/)
  assert.equal(findSegmentUse(all, 'toString', 'constructor'), undefined)
})

test('a state is used by the attributes that are required in it', () => {
  assert.equal(
    findRequiringAttribute(schema, 'state-review'),
    "the attribute 'it' of the schema 'sch', which is required in it",
  )
  assert.equal(findRequiringAttribute(schema, 'state-draft'), undefined)
})

test('a schema is scoped by the dimensions of its attributes', () => {
  assert.equal(isScopedBy(schema, 'language'), true)
  assert.equal(isScopedBy(schema, 'market'), false)
})
