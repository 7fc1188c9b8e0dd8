import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findGuardFault, judgeGuard } from '../../../../src/core/model/rules/guards.ts'
import { combinationsOf, scopeKey } from '../../../../src/core/scopes/scope.ts'
import { ValueSheet } from '../../../../src/core/scopes/value-sheet.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { attribute, layers, modelOf } from '../../../helpers/domain-model.ts'

const guard = (criteriaOperator: 'and' | 'or', ...criteria: object[]) => ({ criteriaOperator, criteria })
const isElectric = { attributeAlias: 'drive', operator: 'equals', value: 'electric' }
const isSold = { attributeAlias: 'sold', operator: 'equals', value: 'true' }
const battery = attribute('battery', { dimensionIds: ['market'], guard: guard('and', isElectric, isSold) })
const { model, schema } = modelOf([
  battery,
  attribute('drive'),
  attribute('sold', { dataType: 'boolean', dimensionIds: ['market'] }),
])
const global = (value: unknown) => [{ scope: {}, value }]
function visible(own: Values, combination = {}, it = battery, inherited: Values | null = null): boolean {
  const steps = judgeGuard(it, schema, new ValueSheet(layers(own, inherited), schema, model))
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const cells = combinationsOf(it.dimensionIds, model.dimensions).map(scopeKey)
  const cell = cells.indexOf(scopeKey(combination))
  assert.notEqual(cell, -1)
  return step.value === undefined || step.value[cell] === 1
}

test('an attribute without a guard is always visible', () => {
  assert.equal(visible({}, {}, attribute('battery')), true)
})

test('a guard is judged on the other values in the same scope', () => {
  const values = { drive: global('electric'), sold: [{ scope: { market: 'eu' }, value: true }] }
  assert.equal(visible(values, { market: 'eu' }), true)
  assert.equal(visible(values, { market: 'us' }), false)
  assert.equal(visible({ ...values, drive: global('diesel') }, { market: 'eu' }), false)
})

test('an or guard needs one of its criteria, and a guard without criteria hides nothing', () => {
  const either = attribute('battery', { guard: guard('or', isElectric, isSold) })
  assert.equal(visible({ drive: global('electric') }, {}, either), true)
  assert.equal(visible({}, {}, either), false)
  assert.equal(visible({}, {}, attribute('battery', { guard: guard('or') })), true)
})

test("a criterion's own scope goes before the scope of the combination", () => {
  const inEurope = attribute('battery', {
    dimensionIds: ['market'],
    guard: guard('and', { ...isSold, scope: { market: 'eu' } }),
  })
  const values = { sold: [{ scope: { market: 'eu' }, value: true }] }
  assert.equal(visible(values, { market: 'us' }, inEurope), true)
})

test('a variant is judged by what it inherits', () => {
  assert.equal(visible({}, { market: 'eu' }, battery, { drive: global('electric'), sold: global(true) }), true)
})

test('a guard that asks what cannot be asked is named with its attribute', () => {
  const faultOf = (criterion: object): string | undefined =>
    findGuardFault(
      modelOf([attribute('drive'), attribute('it', { guard: guard('and', isElectric, criterion) })]).schema,
      model,
    )
  assert.equal(faultOf(isElectric), undefined)
  assert.equal(
    faultOf({ attributeAlias: 'gone', operator: 'isEmpty' }),
    "attribute 'it': guard.criteria[1].attributeAlias names the unknown attribute 'gone'",
  )
  assert.match(
    faultOf({ ...isElectric, scope: { color: 'x' } }) ?? '',
    /^attribute 'it': guard\.criteria\[1\]\.scope names the unknown dimension/,
  )
  assert.match(faultOf({ ...isElectric, operator: 'gt' }) ?? '', /operator 'gt' does not apply/)
})
