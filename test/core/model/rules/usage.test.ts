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
  const find = (dimensionId: string, ...segmentIds: string[]) => findSegmentUse(all, dimensionId, new Set(segmentIds))
  assert.equal(find('language', 'de'), undefined)
  assert.equal(find('market', 'us', 'eu')?.segmentId, 'eu')
  assert.match(find('market', 'us', 'eu')?.use ?? '', /guard/)
  assert.equal(find('market', 'us'), undefined)
  assert.match(find('constructor', 'toString')?.use ?? '', /combinations/)
  assert.equal(find('toString', 'constructor'), undefined)
})

test('a state is used by the attributes that are required in it', () => {
  assert.deepEqual(findRequiringAttribute(schema, new Set(['state-draft', 'state-review'])), {
    stateId: 'state-review',
    use: "the attribute 'it' of the schema 'sch', which is required in it",
  })
  assert.equal(findRequiringAttribute(schema, new Set(['state-draft'])), undefined)
})

test('a schema is scoped by the dimensions of its attributes', () => {
  assert.equal(isScopedBy(schema, 'language'), true)
  assert.equal(isScopedBy(schema, 'market'), false)
})
