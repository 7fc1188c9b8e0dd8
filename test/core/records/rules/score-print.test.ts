// A print says of a record what the record itself says: what it lacks, and how complete it is, for any state, scope and role.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { requiredFieldsOf, tallyCompleteness } from '../../../../src/core/records/rules/completeness.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { percentageOfPrint, printScore, readPrint } from '../../../../src/core/records/rules/score-print.ts'
import { ValueSheet } from '../../../../src/core/scopes/value-sheet.ts'
import { scoresOfPrints, scoreWithin } from '../../../../src/core/search/rules/scoped-score.ts'
import { attribute, dimension, LANGUAGE, layers, MARKET, modelOf, role } from '../../../helpers/domain-model.ts'
import { anyScope, anyScopedValues } from '../../../helpers/scope-oracle.ts'
import { searched, worldOf } from '../../../helpers/searched-records.ts'

const DIMENSIONS = [LANGUAGE, MARKET, dimension('constructor', 'a', 'toString')]
const STATES = ['state-review', 'state-published']
const ALIASES = ['name', 'text', 'toString', 'last']
const GUARDS = [undefined, { operator: 'isNotEmpty' }, { operator: 'isEmpty' }, { operator: 'equals', value: 'x' }]

const anyPlans = fc.tuple(
  ...ALIASES.map((alias) =>
    fc.record({
      alias: fc.constant(alias),
      dimensions: fc.subarray(DIMENSIONS),
      requiredInStateIds: fc.subarray(STATES),
      guard: fc.constantFrom(...GUARDS),
    }),
  ),
)

/** Several records of a model: what was found out about one is remembered for the others. */
const anyCase = anyPlans.chain((plans) => {
  const values = fc
    .tuple(...plans.map((plan) => anyScopedValues(plan.dimensions, fc.constantFrom('', 'x', 'y'), 4)))
    .map((lists): Values => Object.fromEntries(lists.map((list, index) => [plans[index]!.alias, list])))
  return fc.record({
    plans: fc.constant(plans),
    records: fc.array(fc.tuple(values, fc.option(values)), { minLength: 1, maxLength: 6 }),
    combinations: fc.option(fc.array(anyScope(DIMENSIONS), { maxLength: 3 })),
    scope: anyScope(DIMENSIONS),
    hidden: fc.constantFrom('name', 'last', 'none'),
  })
})

describe('A print', () => {
  it('has each required field of a record, and whether it is missing, and so the score for any state, scope and role', () => {
    let found = 0
    const property = fc.property(anyCase, ({ plans, records, combinations, scope, hidden }) => {
      const attributes = plans.map(({ alias, dimensions, requiredInStateIds, guard }) => {
        const criteria = [{ attributeAlias: 'last', ...guard }]
        return attribute(alias, {
          dimensionIds: dimensions.map(({ id }) => id),
          requiredInStateIds,
          ...(guard === undefined ? {} : { guard: { criteriaOperator: 'and', criteria } }),
        })
      })
      const { model, schema } = modelOf(attributes, { dimensions: DIMENSIONS, combinations })
      const asked = role({ defaultAttributePermission: 'read', attributePermissions: { sch: { [hidden]: 'none' } } })
      for (const [own, inherited] of records) {
        const subject = { layers: layers(own, inherited), schema, model }
        const print = printScore(subject)
        assert.match(print, /^=[\w.~-]*$/)
        const sheet = new ValueSheet(subject.layers, schema, model)
        const required = schema.attributes.filter((one) => one.requiredInStateIds.length > 0)
        const expected = required.map((one) => requiredFieldsOf(one, { schema, model, sheet }))
        assert.deepEqual(
          readPrint(print, schema, model),
          expected.map(({ attribute: of, grid, isRequired, isMissing }) => ({
            attribute: of,
            grid,
            isRequired,
            isMissing,
          })),
        )
        for (const stateId of ['state-draft', ...STATES]) {
          assert.equal(percentageOfPrint(print, stateId, schema, model), tallyCompleteness(subject, stateId).percentage)
          const world = worldOf(model, asked)
          const score = scoresOfPrints(schema, { scope, stateId }, world)(print)
          assert.deepEqual(score, scoreWithin(searched(subject), { scope, stateId }, world))
          if (score.missing.size > 0) found += 1
        }
      }
    })
    fc.assert(property, { numRuns: 400 })
    assert.ok(found > 100, `${found} scores with something missing`)
  })

  it('is short where little is missing, however many combinations there are', () => {
    const many = dimension('many', ...Array.from({ length: 300 }, (_, index) => `s${index}`))
    const attributes = ['name', 'text'].map((alias) =>
      attribute(alias, { dimensionIds: ['many'], requiredInStateIds: [STATES[0]!] }),
    )
    const { model, schema } = modelOf(attributes, { dimensions: [many] })
    const everywhere = [{ scope: {}, value: 'x' }]
    const printOf = (own: Values): string => printScore({ layers: layers(own), schema, model })
    assert.equal(printOf({ name: everywhere, text: everywhere }), '=')
    assert.equal(printOf({ name: everywhere, text: [...everywhere, { scope: { many: 's1' }, value: '' }] }), '=.C')
    assert.equal(printOf({}), `=${'_'.repeat(50)}.${'_'.repeat(50)}`)
  })
})
