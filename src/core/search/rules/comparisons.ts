// Operators that compare numbers and points in time, for attributes and fields. Contract 2 §5, 3 §1, 3 §10.
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { parseNumber } from '../../datatypes/numbers.ts'
import {
  all,
  type AskedAttribute,
  type Bounds,
  type Comparand,
  never,
  NO_VALUE,
  type Operator,
  readerOf,
} from './operator.ts'
import { parseDate, parseDateTime } from '../../values/dates.ts'

/**
 * Builds an operator that compares numbers or points in time.
 * @param boundsOf returns the bounds for the comparands; the operand fixes their number
 */
export function ordering(
  name: string,
  meaning: string,
  operand: 'text' | 'range',
  boundsOf: (first: number, last: number) => Bounds,
): Operator {
  const read = (value: Comparand, attribute: AskedAttribute): Bounds | undefined => {
    const { order } = dataTypeOf(attribute)
    return order === undefined ? undefined : readBounds(value, order, boundsOf)
  }
  return {
    meaning,
    operand,
    isNegated: false,
    findFault: (value, attributes) => {
      const orders = attributes.flatMap((attribute) => dataTypeOf(attribute).order ?? [])
      if (orders.length === 0) return `operator '${name}' does not apply to the attribute '${attributes[0].alias}'`
      return findOrderFault(name, value, orders)
    },
    test: (value, attribute, reader = readerOf(attribute)) => {
      const bounds = read(value, attribute)
      if (bounds === undefined) return never
      return (candidate) => reader.keys(candidate).some((key) => isWithin(key as number, bounds))
    },
    condition: (value, attribute) => {
      const bounds = read(value, attribute)
      return bounds === undefined ? NO_VALUE : { kind: 'range', ...bounds }
    },
  }
}

type Order = 'number' | 'time'

/** Returns the fault of a comparand for these orders, as `field problem`, or undefined. */
export function findOrderFault(name: string, value: Comparand, orders: readonly Order[]): string | undefined {
  const readings = orders
    .map((order) => all(value).map((text) => parseComparand(text, order)))
    .filter((numbers) => numbers.every((number) => number !== undefined))
  if (readings.length === 0)
    return `value must be ${typeof value === 'string' ? 'a ' : 'two '}${wordOf(orders)}${typeof value === 'string' ? '' : 's'} for the operator '${name}'`
  if (readings.some(([from, to]) => to === undefined || from! <= to)) return undefined
  return `value must not end before it begins, for the operator '${name}'`
}

function wordOf(orders: readonly Order[]): string {
  return orders.includes('number') ? 'number' : 'date'
}

function readBounds(
  value: Comparand,
  order: Order,
  boundsOf: (first: number, last: number) => Bounds,
): Bounds | undefined {
  const [first, last] = all(value).map((text) => parseComparand(text, order))
  if (first === undefined) return undefined
  const bounds = boundsOf(first, last ?? first)
  return typeof value !== 'string' && last === undefined ? undefined : bounds
}

export function isWithin(number: number, { from, to, isFromIncluded, isToIncluded }: Bounds): boolean {
  return (isFromIncluded ? number >= from : number > from) && (isToIncluded ? number <= to : number < to)
}

/** Returns the number (time: milliseconds) that a criterion's value means in an order, or undefined. */
export function parseComparand(text: string, order: Order): number | undefined {
  if (order === 'number') return parseNumber(text)
  return parseDate(text) ?? parseDateTime(text)
}

const above = (from: number, isFromIncluded: boolean): Bounds => ({
  from,
  to: Infinity,
  isFromIncluded,
  isToIncluded: false,
})
const below = (to: number, isToIncluded: boolean): Bounds => ({
  from: -Infinity,
  to,
  isFromIncluded: false,
  isToIncluded,
})

/** Bounds of the comparing operators, for attributes and fields. */
export const BOUNDS = {
  gt: (from) => above(from, false),
  lt: (to) => below(to, false),
  gte: (from) => above(from, true),
  lte: (to) => below(to, true),
  between: (from, to) => ({ from, to, isFromIncluded: true, isToIncluded: true }),
} satisfies Record<string, (first: number, last: number) => Bounds>

/** Returns the bounds of a comparand that `findOrderFault` has accepted. */
export function boundsOf(operator: keyof typeof BOUNDS, value: Comparand, order: Order): Bounds | undefined {
  return readBounds(value, order, BOUNDS[operator])
}
