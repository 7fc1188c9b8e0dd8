// Defines the meaning of each operator. A new operator needs an entry here. A new kind of `Condition` needs more:
// docs/internals.md lists the places under “Adding to search”.
import type { EqualityKey } from '../../datatypes/data-type.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { BOUNDS, ordering } from './comparisons.ts'
import { all, type AskedAttribute, type Comparand, never, NO_VALUE, one, type Operator, readerOf } from './operator.ts'
import { containsText, foldText } from '../../../kernel/text.ts'

const noFault = (): undefined => undefined

const equals: Operator = {
  meaning: 'the value itself, with regard to case',
  operand: 'text',
  isNegated: false,
  findFault: noFault,
  test: (value, attribute, reader = readerOf(attribute)) => {
    const wanted = dataTypeOf(attribute).parseKey(one(value))
    return wanted === undefined ? never : (candidate) => reader.keys(candidate).includes(wanted)
  },
  condition: (value, attribute) => {
    const key = dataTypeOf(attribute).parseKey(one(value))
    return key === undefined ? NO_VALUE : { kind: 'point', key }
  },
}

const isIn: Operator = {
  meaning: 'one of the values, with regard to case',
  operand: 'list',
  isNegated: false,
  findFault: noFault,
  test: (value, attribute, reader = readerOf(attribute)) => {
    const wanted = new Set(keysAmong(value, attribute))
    return (candidate) => reader.keys(candidate).some((key) => wanted.has(key))
  },
  condition: (value, attribute) => {
    const keys = keysAmong(value, attribute)
    return keys.length === 0 ? NO_VALUE : { kind: 'points', keys }
  },
}

function keysAmong(value: Comparand, attribute: AskedAttribute): EqualityKey[] {
  const type = dataTypeOf(attribute)
  return [...new Set(all(value).flatMap((text) => type.parseKey(text) ?? []))]
}

const contains: Operator = {
  meaning: 'a part of the text, without regard to case',
  operand: 'text',
  isNegated: false,
  findFault: noFault,
  test: (value, attribute, reader = readerOf(attribute)) => {
    if (!dataTypeOf(attribute).isText) return never
    const wanted = foldText(one(value))
    return (candidate) => containsText(reader.fold(candidate as string), wanted)
  },
  condition: (value, attribute) => {
    if (!dataTypeOf(attribute).isText) return NO_VALUE
    return one(value) === '' ? { kind: 'anyKey' } : { kind: 'text', text: one(value) }
  },
}

const startsWith: Operator = {
  meaning: 'the beginning of the text, without regard to case',
  operand: 'text',
  isNegated: false,
  findFault: (_value, attributes) => findNoText('startsWith', attributes),
  test: (value, attribute, reader = readerOf(attribute)) => {
    if (!dataTypeOf(attribute).isText) return never
    const wanted = foldText(one(value))
    return (candidate) => reader.fold(candidate as string).startsWith(wanted)
  },
  condition: (value, attribute) => {
    if (!dataTypeOf(attribute).isText) return NO_VALUE
    return one(value) === '' ? { kind: 'anyKey' } : { kind: 'prefix', text: one(value) }
  },
}

function findNoText(name: string, attributes: readonly [AskedAttribute, ...AskedAttribute[]]): string | undefined {
  if (attributes.some((attribute) => dataTypeOf(attribute).isText)) return undefined
  return `operator '${name}' does not apply to the attribute '${attributes[0].alias}'`
}

const isNotEmpty: Operator = {
  meaning: 'a value that is not empty',
  operand: 'none',
  isNegated: false,
  findFault: noFault,
  test: (_value, attribute) => (candidate) => !dataTypeOf(attribute).isEmpty(candidate),
  condition: () => ({ kind: 'filled' }),
}

const basicOperators = {
  equals,
  notEquals: { ...equals, meaning: 'no value that equals', isNegated: true },
  contains,
  isEmpty: { ...isNotEmpty, meaning: 'no value, or an empty one', isNegated: true },
  isNotEmpty,
  gt: ordering('gt', 'a greater number, a later time', 'text', BOUNDS.gt),
  lt: ordering('lt', 'a smaller number, an earlier time', 'text', BOUNDS.lt),
} satisfies Record<string, Operator>

export const operators = {
  ...basicOperators,
  in: isIn,
  notIn: { ...isIn, meaning: 'none of the values', isNegated: true },
  gte: ordering('gte', 'this number or a greater one, this time or a later one', 'text', BOUNDS.gte),
  lte: ordering('lte', 'this number or a smaller one, this time or an earlier one', 'text', BOUNDS.lte),
  between: ordering('between', 'a number or time from the first to the second, both included', 'range', BOUNDS.between),
  startsWith,
  notContains: {
    ...contains,
    meaning: 'no text that contains',
    isNegated: true,
    findFault: (_value, attributes) => findNoText('notContains', attributes),
  },
} satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators
export const OPERATOR_NAMES = Object.keys(operators) as OperatorName[]

/** Operators that guards also use. They only accept texts. */
export type BasicOperatorName = keyof typeof basicOperators
export const BASIC_OPERATOR_NAMES = Object.keys(basicOperators) as BasicOperatorName[]

export function operatorOf(criterion: { readonly operator: OperatorName }): Operator {
  return operators[criterion.operator]
}
