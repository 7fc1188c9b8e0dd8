// What each operator of a criterion means. Contract 1 §4.2, 2 §5. A new one is an entry here, and its row in the test.
//
// It is said twice: as a test of one value, and as a condition that a search index can look up. Where they differ, the test
// is right: storage is tested against it.
import { type DataTypeName, dataTypeOf } from '../datatypes/data-types.ts'
import type { EqualityKey } from '../datatypes/data-type.ts'
import { parseNumber } from '../datatypes/numbers.ts'
import { parseDate, parseDateTime } from '../values/dates.ts'
import { containsText, foldText } from '../text.ts'

/** What an operator has to know of an attribute. */
export interface AskedAttribute {
  readonly alias: string
  readonly dataType: DataTypeName
}

/** How a test looks at a value. Whoever asks many tests of the same values remembers what it sees. */
export interface ValueReader {
  fold(text: string): string
  keys(value: unknown): readonly EqualityKey[]
}

/** What the values that pass have in common: a key, a text that they contain; `filled`: not empty; `none`: no value passes. */
export type Condition =
  | { readonly kind: 'point'; readonly key: EqualityKey }
  | { readonly kind: 'above' | 'below'; readonly bound: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'filled' | 'anyKey' }
  | { readonly kind: 'none' }

/** A criterion's value is '' where the operator takes none. */
export interface Operator {
  /** When a value passes, for the description of the interface. */
  readonly meaning: string
  readonly takesValue: boolean
  /** Whether it holds where no value passes: `test` and `condition` are those of its opposite. */
  readonly isNegated: boolean
  /**
   * What is wrong with it and its value, as `field problem`, or undefined. `attributes` are those that it is asked of: one
   * alias in one or more schemas.
   */
  findFault(value: string, attributes: readonly [AskedAttribute, ...AskedAttribute[]]): string | undefined
  /** The test that one value must pass. */
  test(value: string, attribute: AskedAttribute, reader?: ValueReader): (candidate: unknown) => boolean
  condition(value: string, attribute: AskedAttribute): Condition
}

const NONE: Condition = { kind: 'none' }
const never = (): boolean => false
const noFault = (): undefined => undefined

function readerOf(attribute: AskedAttribute): ValueReader {
  return { fold: foldText, keys: (value) => dataTypeOf(attribute).equalityKeys(value) }
}

const equals: Operator = {
  meaning: 'the value itself, with regard to case',
  takesValue: true,
  isNegated: false,
  findFault: noFault,
  test: (value, attribute, reader = readerOf(attribute)) => {
    const wanted = dataTypeOf(attribute).parseKey(value)
    return wanted === undefined ? never : (candidate) => reader.keys(candidate).includes(wanted)
  },
  condition: (value, attribute) => {
    const key = dataTypeOf(attribute).parseKey(value)
    return key === undefined ? NONE : { kind: 'point', key }
  },
}

const contains: Operator = {
  meaning: 'a part of the text, without regard to case',
  takesValue: true,
  isNegated: false,
  findFault: noFault,
  test: (value, attribute, reader = readerOf(attribute)) => {
    if (!dataTypeOf(attribute).isText) return never
    const wanted = foldText(value)
    return (candidate) => containsText(reader.fold(candidate as string), wanted)
  },
  condition: (value, attribute) => {
    if (!dataTypeOf(attribute).isText) return NONE
    return value === '' ? { kind: 'anyKey' } : { kind: 'text', text: value }
  },
}

const isNotEmpty: Operator = {
  meaning: 'a value that is not empty',
  takesValue: false,
  isNegated: false,
  findFault: noFault,
  test: (_value, attribute) => (candidate) => !dataTypeOf(attribute).isEmpty(candidate),
  condition: () => ({ kind: 'filled' }),
}

/** Compares with a number, or a point in time. */
function ordering(
  name: string,
  meaning: string,
  kind: 'above' | 'below',
  isBeyond: (key: number, bound: number) => boolean,
): Operator {
  return {
    meaning,
    takesValue: true,
    isNegated: false,
    findFault: (value, attributes) => {
      const orders = attributes.flatMap((attribute) => dataTypeOf(attribute).order ?? [])
      if (orders.length === 0) return `operator '${name}' does not apply to the attribute '${attributes[0].alias}'`
      if (orders.some((order) => parseComparand(value, order) !== undefined)) return undefined
      return `value must be a ${orders.includes('number') ? 'number' : 'date'} for the operator '${name}'`
    },
    test: (value, attribute, reader = readerOf(attribute)) => {
      const bound = boundOf(value, attribute)
      if (bound === undefined) return never
      return (candidate) => reader.keys(candidate).some((key) => isBeyond(key as number, bound))
    },
    condition: (value, attribute) => {
      const bound = boundOf(value, attribute)
      return bound === undefined ? NONE : { kind, bound }
    },
  }
}

function boundOf(value: string, attribute: AskedAttribute): number | undefined {
  const { order } = dataTypeOf(attribute)
  return order === undefined ? undefined : parseComparand(value, order)
}

/** The number (time: milliseconds) that a criterion's value stands for in an order, or undefined. */
export function parseComparand(text: string, order: 'number' | 'time'): number | undefined {
  if (order === 'number') return parseNumber(text)
  return parseDate(text) ?? parseDateTime(text)
}

export const operators = {
  equals,
  notEquals: { ...equals, meaning: 'no value that equals', isNegated: true },
  contains,
  isEmpty: { ...isNotEmpty, meaning: 'no value, or an empty one', isNegated: true },
  isNotEmpty,
  gt: ordering('gt', 'a greater number, a later time', 'above', (key, bound) => key > bound),
  lt: ordering('lt', 'a smaller number, an earlier time', 'below', (key, bound) => key < bound),
} satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators
export const OPERATOR_NAMES = Object.keys(operators) as OperatorName[]

export function operatorOf(criterion: { readonly operator: OperatorName }): Operator {
  return operators[criterion.operator]
}
