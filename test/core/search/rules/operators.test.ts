import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATA_TYPE_NAMES, dataTypeOf } from '../../../../src/core/datatypes/data-types.ts'
import { isWithin } from '../../../../src/core/search/rules/comparisons.ts'
import type { AskedAttribute, Comparand, Condition } from '../../../../src/core/search/rules/operator.ts'
import { OPERATOR_NAMES, type OperatorName, operators } from '../../../../src/core/search/rules/operators.ts'
import { foldText } from '../../../../src/kernel/text.ts'

const name: AskedAttribute = { alias: 'name', dataType: 'text' }
const weight: AskedAttribute = { alias: 'weight', dataType: 'number' }
const since: AskedAttribute = { alias: 'since', dataType: 'date' }
const colours: AskedAttribute = { alias: 'colours', dataType: 'multiSelect' }

type Case = readonly [attribute: AskedAttribute, value: Comparand, condition: Condition]

/** What one operator must do: Contract 1 §4.2, 2 §5. */
interface Row {
  readonly operand: 'none' | 'text' | 'list' | 'range'
  readonly isNegated: boolean
  readonly conditions: readonly Case[]
  /** Values that pass the test of a criterion, or do not. */
  readonly passing: readonly (readonly [attribute: AskedAttribute, value: Comparand, candidate: unknown])[]
  readonly failing: readonly (readonly [attribute: AskedAttribute, value: Comparand, candidate: unknown])[]
  readonly faults?: readonly (readonly [
    attributes: [AskedAttribute, ...AskedAttribute[]],
    value: Comparand,
    fault: string,
  ])[]
}

const NONE: Condition = { kind: 'none' }

const equals: Omit<Row, 'isNegated'> = {
  operand: 'text',
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
  operand: 'none',
  conditions: [[name, '', { kind: 'filled' }]],
  passing: [[name, '', ' ']],
  failing: [
    [name, '', ''],
    [colours, '', []],
  ],
}

const bounds = (from: number, to: number, isFromIncluded: boolean, isToIncluded: boolean): Condition => ({
  kind: 'range',
  from,
  to,
  isFromIncluded,
  isToIncluded,
})
const after = (from: number, isIncluded: boolean): Condition => bounds(from, Infinity, isIncluded, false)
const before = (to: number, isIncluded: boolean): Condition => bounds(-Infinity, to, false, isIncluded)

const ordering = (
  operator: 'gt' | 'lt' | 'gte' | 'lte',
  condition: (bound: number) => Condition,
  beyond: readonly number[],
  short: readonly number[],
): Row => ({
  operand: 'text',
  isNegated: false,
  conditions: [
    [weight, '1.50', condition(1.5)],
    [since, '1970-01-02', condition(86_400_000)],
    [since, '1970-01-01T00:00:01Z', condition(1000)],
    [name, '1', NONE],
    [weight, 'heavy', NONE],
  ],
  passing: beyond.map((number) => [weight, '1.50', number] as const),
  failing: [...short.map((number) => [weight, '1.50', number] as const), [name, '1', '2']],
  faults: [
    [[name], '1', `operator '${operator}' does not apply to the attribute 'name'`],
    [[weight], 'heavy', `value must be a number for the operator '${operator}'`],
    [[name, since], '5', `value must be a date for the operator '${operator}'`],
    [[since, weight], 'heavy', `value must be a number for the operator '${operator}'`],
  ],
})

const isIn: Omit<Row, 'isNegated'> = {
  operand: 'list',
  conditions: [
    [name, ['Hat', 'Cap', 'Hat'], { kind: 'points', keys: ['Hat', 'Cap'] }],
    [weight, ['1.50', 'heavy'], { kind: 'points', keys: [1.5] }],
    [weight, ['heavy'], NONE],
  ],
  passing: [
    [name, ['Cap', 'Hat'], 'Hat'],
    [colours, ['red', 'green'], ['blue', 'red']],
  ],
  failing: [
    [name, ['Hat'], 'hat'],
    [weight, ['heavy'], 1],
    [colours, [''], []],
  ],
}

const contains: Omit<Row, 'isNegated'> = {
  operand: 'text',
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
}

const rows = {
  equals: { ...equals, isNegated: false },
  notEquals: { ...equals, isNegated: true },
  contains: { ...contains, isNegated: false },
  isEmpty: { ...isNotEmpty, isNegated: true },
  isNotEmpty: { ...isNotEmpty, isNegated: false },
  gt: ordering('gt', (bound) => after(bound, false), [1.51], [1.5, 1.49]),
  lt: ordering('lt', (bound) => before(bound, false), [1.49], [1.5, 1.51]),
  gte: ordering('gte', (bound) => after(bound, true), [1.51, 1.5], [1.49]),
  lte: ordering('lte', (bound) => before(bound, true), [1.49, 1.5], [1.51]),
  in: { ...isIn, isNegated: false },
  notIn: { ...isIn, isNegated: true },
  between: {
    operand: 'range',
    isNegated: false,
    conditions: [
      [weight, ['1', '2'], bounds(1, 2, true, true)],
      [since, ['1970-01-01', '1970-01-02'], bounds(0, 86_400_000, true, true)],
      [name, ['1', '2'], NONE],
      [weight, ['1', 'heavy'], NONE],
    ],
    passing: [
      [weight, ['1', '2'], 1],
      [weight, ['1', '2'], 2],
    ],
    failing: [
      [weight, ['1', '2'], 0.99],
      [weight, ['1', '2'], 2.01],
      [name, ['1', '2'], '1'],
    ],
    faults: [
      [[name], ['1', '2'], "operator 'between' does not apply to the attribute 'name'"],
      [[weight], ['1', 'heavy'], "value must be two numbers for the operator 'between'"],
      [[since], ['5', '6'], "value must be two dates for the operator 'between'"],
      [[weight], ['2', '1'], "value must not end before it begins, for the operator 'between'"],
    ],
  },
  startsWith: {
    operand: 'text',
    isNegated: false,
    conditions: [
      [name, 'Hat', { kind: 'prefix', text: 'Hat' }],
      [name, '', { kind: 'anyKey' }],
      [weight, '1', NONE],
    ],
    passing: [
      [name, 'HA', 'hat'],
      [name, '', ''],
    ],
    failing: [
      [name, 'at', 'hat'],
      [weight, '1', 1],
    ],
    faults: [[[weight], 'x', "operator 'startsWith' does not apply to the attribute 'weight'"]],
  },
  notContains: {
    ...contains,
    isNegated: true,
    faults: [[[weight, since], 'x', "operator 'notContains' does not apply to the attribute 'weight'"]],
  },
} satisfies Record<OperatorName, Row>

/** Texts and numbers that begin, contain and end each other. */
const SEVERAL = [
  [name, ['', 'a', 'A', 'ab', 'ba', 'bab', 'Straße', 'ße']],
  [weight, [-1, 0, 1, 1.5, 2]],
] as const

/** Whether the value fits the condition, as the search index reads the condition. */
function fits(condition: Condition, attribute: AskedAttribute, value: string | number): boolean {
  const keys = dataTypeOf(attribute).equalityKeys(value)
  const folded = foldText(String(value))
  switch (condition.kind) {
    case 'point':
      return keys.includes(condition.key)
    case 'points':
      return condition.keys.some((key) => keys.includes(key))
    case 'range':
      return isWithin(Number(value), condition)
    case 'text':
      return folded.includes(foldText(condition.text))
    case 'prefix':
      return folded.startsWith(foldText(condition.text))
    case 'filled':
      return value !== ''
    case 'anyKey':
      return true
    case 'none':
      return false
  }
}

for (const operatorName of OPERATOR_NAMES) {
  const row: Row = rows[operatorName]
  const operator = operators[operatorName]

  test(`${operatorName} tests single values`, () => {
    assert.equal(operator.isNegated, row.isNegated)
    assert.equal(operator.operand, row.operand)
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
      assert.deepEqual(operator.condition(value, attribute), condition, `${attribute.alias} ${String(value)}`)
  })

  test(`${operatorName} passes exactly the values that fit its condition`, () => {
    for (const [attribute, values] of SEVERAL)
      for (const compared of values.map(String)) {
        const value = row.operand === 'text' || row.operand === 'none' ? compared : [compared, compared]
        const passes = operator.test(value, attribute)
        const condition = operator.condition(value, attribute)
        for (const candidate of values)
          assert.equal(
            passes(candidate),
            fits(condition, attribute, candidate),
            `${attribute.alias} ${compared} ${candidate}`,
          )
      }
  })

  test(`${operatorName} refuses what it cannot compare, and nothing else`, () => {
    for (const [attributes, value, fault] of row.faults ?? [])
      assert.equal(operator.findFault(value, attributes), fault)
    const good = [[name], [weight], [since, name]] as const
    if (row.faults === undefined)
      for (const attributes of good) assert.equal(operator.findFault('x', attributes), undefined)
    else assert.equal(operator.findFault(row.operand === 'range' ? ['1.5', '2'] : '1.5', [name, weight]), undefined)
  })

  test(`${operatorName} asks the reader that it is given for keys and folded text`, () => {
    const asked = new Set<string>()
    const reader = { fold: () => (asked.add('fold'), ''), keys: () => (asked.add('keys'), []) }
    for (const [attribute, value, candidate] of row.passing) operator.test(value, attribute, reader)(candidate)
    const { kind } = operator.condition(...([row.conditions[0]![1], row.conditions[0]![0]] as const))
    assert.deepEqual([...asked], kind === 'filled' ? [] : [kind === 'text' || kind === 'prefix' ? 'fold' : 'keys'])
  })
}

test('where no value can pass, the test passes none, with every data type', () => {
  for (const operatorName of OPERATOR_NAMES)
    for (const dataType of DATA_TYPE_NAMES)
      for (const value of ['', 'x', '1', '2024-02-29', 'true', '[]']) {
        const attribute: AskedAttribute = { alias: 'it', dataType }
        if (operators[operatorName].condition(value, attribute).kind !== 'none') continue
        const passes = operators[operatorName].test(value, attribute)
        for (const candidate of ['multiSelect', 'references'].includes(dataType)
          ? [[], ['x']]
          : ['', 'x', '2024-02-29'])
          assert.equal(passes(candidate), false, `${operatorName} ${dataType} ${value}`)
      }
})
