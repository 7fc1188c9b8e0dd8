import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATA_TYPE_NAMES } from '../../../src/domain/datatypes/data-types.ts'
import {
  type AskedAttribute,
  type Condition,
  OPERATOR_NAMES,
  type OperatorName,
  operators,
} from '../../../src/domain/search/operators.ts'

const name: AskedAttribute = { alias: 'name', dataType: 'text' }
const weight: AskedAttribute = { alias: 'weight', dataType: 'number' }
const since: AskedAttribute = { alias: 'since', dataType: 'date' }
const colours: AskedAttribute = { alias: 'colours', dataType: 'multiSelect' }

type Case = readonly [attribute: AskedAttribute, value: string, condition: Condition]

/** What one operator must do: Contract 1 §4.2, 2 §5. */
interface Row {
  readonly takesValue: boolean
  readonly isNegated: boolean
  readonly conditions: readonly Case[]
  /** Values that pass the test of a criterion, or do not. */
  readonly passing: readonly (readonly [attribute: AskedAttribute, value: string, candidate: unknown])[]
  readonly failing: readonly (readonly [attribute: AskedAttribute, value: string, candidate: unknown])[]
  readonly faults?: readonly (readonly [
    attributes: [AskedAttribute, ...AskedAttribute[]],
    value: string,
    fault: string,
  ])[]
}

const NONE: Condition = { kind: 'none' }

const equals: Omit<Row, 'isNegated'> = {
  takesValue: true,
  conditions: [
    [name, 'Hat', { kind: 'point', key: 'Hat' }],
    [weight, '1.50', { kind: 'point', key: 1.5 }],
    [weight, 'heavy', NONE],
    [colours, '', NONE],
  ],
  passing: [
    [name, 'Hat', 'Hat'],
    [colours, 'red', ['blue', 'red']],
  ],
  failing: [
    [name, 'Hat', 'hat'],
    [colours, '', []],
    [weight, 'heavy', 1],
  ],
}

const isNotEmpty: Omit<Row, 'isNegated'> = {
  takesValue: false,
  conditions: [[name, '', { kind: 'filled' }]],
  passing: [[name, '', ' ']],
  failing: [
    [name, '', ''],
    [colours, '', []],
  ],
}

const ordering = (operator: 'gt' | 'lt', kind: 'above' | 'below', beyond: number, short: number): Row => ({
  takesValue: true,
  isNegated: false,
  conditions: [
    [weight, '1.50', { kind, bound: 1.5 }],
    [since, '1970-01-02', { kind, bound: 86_400_000 }],
    [since, '1970-01-01T00:00:01Z', { kind, bound: 1000 }],
    [name, '1', NONE],
    [weight, 'heavy', NONE],
  ],
  passing: [[weight, '1.50', beyond]],
  failing: [
    [weight, '1.50', short],
    [weight, '1.50', 1.5],
    [name, '1', '2'],
  ],
  faults: [
    [[name], '1', `operator '${operator}' does not apply to the attribute 'name'`],
    [[weight], 'heavy', `value must be a number for the operator '${operator}'`],
    [[name, since], '5', `value must be a date for the operator '${operator}'`],
    [[since, weight], 'heavy', `value must be a number for the operator '${operator}'`],
  ],
})

const rows = {
  equals: { ...equals, isNegated: false },
  notEquals: { ...equals, isNegated: true },
  contains: {
    takesValue: true,
    isNegated: false,
    conditions: [
      [name, 'Hat', { kind: 'text', text: 'Hat' }],
      [name, '', { kind: 'anyKey' }],
      [weight, '1', NONE],
    ],
    passing: [
      [name, 'HAT', 'a hat'],
      [name, '', ''],
    ],
    failing: [
      [name, 'hat', 'ha t'],
      [weight, '1', 1],
    ],
  },
  isEmpty: { ...isNotEmpty, isNegated: true },
  isNotEmpty: { ...isNotEmpty, isNegated: false },
  gt: ordering('gt', 'above', 1.51, 1.49),
  lt: ordering('lt', 'below', 1.49, 1.51),
} satisfies Record<OperatorName, Row>

for (const operatorName of OPERATOR_NAMES) {
  const row: Row = rows[operatorName]
  const operator = operators[operatorName]

  test(`${operatorName} tests single values`, () => {
    assert.equal(operator.isNegated, row.isNegated)
    assert.equal(operator.takesValue, row.takesValue)
    for (const [attribute, value, candidate] of row.passing)
      assert.equal(
        operator.test(value, attribute)(candidate),
        true,
        JSON.stringify([attribute.alias, value, candidate]),
      )
    for (const [attribute, value, candidate] of row.failing)
      assert.equal(
        operator.test(value, attribute)(candidate),
        false,
        JSON.stringify([attribute.alias, value, candidate]),
      )
  })

  test(`${operatorName} says what passing values have in common`, () => {
    for (const [attribute, value, condition] of row.conditions)
      assert.deepEqual(operator.condition(value, attribute), condition, `${attribute.alias} ${value}`)
  })

  test(`${operatorName} refuses what it cannot compare, and nothing else`, () => {
    for (const [attributes, value, fault] of row.faults ?? [])
      assert.equal(operator.findFault(value, attributes), fault)
    const good = [[name], [weight], [since, name]] as const
    if (row.faults === undefined)
      for (const attributes of good) assert.equal(operator.findFault('x', attributes), undefined)
    else assert.equal(operator.findFault('1.5', [name, weight]), undefined)
  })

  test(`${operatorName} asks the reader that it is given for keys and folded text`, () => {
    const asked = new Set<string>()
    const reader = { fold: () => (asked.add('fold'), ''), keys: () => (asked.add('keys'), []) }
    for (const [attribute, value, candidate] of row.passing) operator.test(value, attribute, reader)(candidate)
    const { kind } = operator.condition(...([row.conditions[0]![1], row.conditions[0]![0]] as const))
    assert.deepEqual([...asked], kind === 'filled' ? [] : [kind === 'text' ? 'fold' : 'keys'])
  })
}

test('where no value can pass, the test passes none, with every data type', () => {
  for (const operatorName of OPERATOR_NAMES)
    for (const dataType of DATA_TYPE_NAMES)
      for (const value of ['', 'x', '1', '2024-02-29', 'true', '[]']) {
        const attribute: AskedAttribute = { alias: 'it', dataType }
        if (operators[operatorName].condition(value, attribute).kind !== 'none') continue
        const passes = operators[operatorName].test(value, attribute)
        for (const candidate of dataType === 'multiSelect' ? [[], ['x']] : ['', 'x', '2024-02-29'])
          assert.equal(passes(candidate), false, `${operatorName} ${dataType} ${value}`)
      }
})
