// What each data type means: which JSON values it takes, when a value is empty, and how it is searched and compared.
// Decisions §3 and §5. A new data type is one entry here, its name in `datatype-names.ts`, and a row in the test.
import type { Attribute } from './attributes.ts'
import { isCurrency, NO_CURRENCY } from './currencies.ts'
import type { DataTypeName } from './datatype-names.ts'
import { parseDate, parseDateTime } from './dates.ts'
import { withNearestNumbers } from './lost-numbers.ts'
import type { PatternWork } from './patterns.ts'
import { findNumberFault, findTextFault } from './rules.ts'
import { canonicalJson, hasInfinity, isNestedDeeper } from './text.ts'

/** What `equals` compares: numbers for data types that have an order, text for the others. */
export type EqualityKey = string | number

export interface DataType {
  /** The value that stands for what a client has sent; itself where there is nothing to do. */
  read?(input: unknown): unknown
  /**
   * What is wrong with `value`, as the rest of a sentence that begins with the field's name, or undefined. `work` is what
   * the patterns of one write may take, where the value is part of one.
   */
  findFault(value: unknown, attribute: Attribute, work?: PatternWork): string | undefined
  isEmpty(value: unknown): boolean
  /** The value without fields that it does not have; where it may have any. */
  withoutUnknownFields?(value: unknown): unknown
  /** One key, or one for each element. */
  equalityKeys(value: unknown): readonly EqualityKey[]
  /** The key of a criterion's value; undefined where no value of this type can equal it. */
  parseKey(text: string): EqualityKey | undefined
  /** Whether contains and full-text look into it. */
  readonly isText: boolean
  /** `gt` and `lt` compare the equality keys, which are numbers (time: milliseconds since 1970 UTC); undefined: no order. */
  readonly order: 'number' | 'time' | undefined
}

const MAX_JSON_BYTES = 65_536
/** Of what SQLite reads as JSON, 1,000 levels are the most. */
export const MAX_JSON_DEPTH = 500
const NUMBER_PATTERN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** The finite number that `text` writes in decimal notation, or undefined. */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER_PATTERN.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number + 0 : undefined
}

const isString = (value: unknown): value is string => typeof value === 'string'

const plainText: DataType = {
  findFault: (value, attribute, work) =>
    isString(value) ? findTextFault(value, attribute.validation, work) : 'must be a string',
  isEmpty: (value) => value === '',
  equalityKeys: (value) => [value as string],
  parseKey: (text) => text,
  isText: true,
  order: undefined,
}

const SCRIPT_PROTOCOLS = new Set(['javascript:', 'data:', 'vbscript:'])

const url: DataType = {
  ...plainText,
  findFault: (value, attribute, work) => {
    if (!isString(value)) return 'must be a string'
    if (value === '') return undefined
    // The protocol as browsers read it: they pass over tabs and line ends inside, and control characters in front.
    const protocol = URL.parse(value)?.protocol
    if (protocol === undefined) return 'must be an absolute URL'
    if (SCRIPT_PROTOCOLS.has(protocol)) return 'must not be a script or data URL'
    return findTextFault(value, attribute.validation, work)
  },
}

const number: DataType = {
  findFault: (value, attribute) => findNumberFault(value, attribute.validation),
  isEmpty: () => false,
  equalityKeys: (value) => [value as number],
  parseKey: parseNumber,
  isText: false,
  order: 'number',
}

const boolean: DataType = {
  findFault: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  isEmpty: () => false,
  equalityKeys: (value) => [String(value)],
  parseKey: (text) => text,
  isText: false,
  order: undefined,
}

/** A text that names a point in time; the empty text is an empty value. */
function time(parse: (text: string) => number | undefined, form: string): DataType {
  const parseOrNothing = (text: unknown): number | undefined => (isString(text) ? parse(text) : undefined)
  return {
    findFault: (value) => (value === '' || parseOrNothing(value) !== undefined ? undefined : `must be ${form}`),
    isEmpty: (value) => value === '',
    equalityKeys: (value) => {
      const instant = parseOrNothing(value)
      return instant === undefined ? [] : [instant]
    },
    parseKey: parseOrNothing,
    isText: false,
    order: 'time',
  }
}

const isOption = (value: unknown, attribute: Attribute): boolean =>
  attribute.options.some((option) => option.id === value)

const select: DataType = {
  findFault: (value, attribute) => {
    if (!isString(value)) return 'must be the ID of an option'
    return value === '' || isOption(value, attribute)
      ? undefined
      : `must be the ID of an option of '${attribute.alias}'`
  },
  isEmpty: (value) => value === '',
  equalityKeys: (value) => [value as string],
  parseKey: (text) => text,
  isText: false,
  order: undefined,
}

/** From here on it pays to make a set of the options. */
const MANY_OPTIONS = 16

const multiSelect: DataType = {
  findFault: (value, attribute) => {
    if (!Array.isArray(value) || !value.every(isString)) return 'must be an array of option IDs'
    if (new Set(value).size < value.length) return 'must not list an option twice'
    const known = value.length > MANY_OPTIONS ? new Set(attribute.options.map((option) => option.id)) : undefined
    if (!value.every((id) => known?.has(id) ?? isOption(id, attribute)))
      return `must list IDs of options of '${attribute.alias}' only`
    const { maxItems } = attribute.validation
    return maxItems !== undefined && value.length > maxItems ? `must have at most ${maxItems} items` : undefined
  },
  isEmpty: (value) => (value as unknown[]).length === 0,
  equalityKeys: (value) => value as string[],
  parseKey: (text) => text,
  isText: false,
  order: undefined,
}

/** `{ amount, <unit field> }`, compared by amount. */
function amount(
  unitField: 'currency' | 'unit',
  findUnitFault: (unit: string, attribute: Attribute) => string | undefined,
): DataType {
  const shape = `must be { amount: number, ${unitField}: string }`
  return {
    ...number,
    findFault: (value, attribute) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return shape
      const { amount, [unitField]: unit } = value as { amount?: unknown; currency?: unknown; unit?: unknown }
      if (!isString(unit)) return shape
      const fault = findNumberFault(amount, attribute.validation)
      return fault === undefined ? findUnitFault(unit, attribute) : `amount ${fault}`
    },
    withoutUnknownFields: (value) => {
      const known = Object.entries(value as object).filter(([key]) => key === 'amount' || key === unitField)
      return Object.fromEntries(known)
    },
    equalityKeys: (value) => [(value as { amount: number }).amount],
  }
}

const price = amount('currency', (currency, attribute) => {
  if (!isCurrency(currency)) return `currency ${NO_CURRENCY}`
  if (attribute.currencies.length === 0 || attribute.currencies.includes(currency)) return undefined
  return `currency must be one of ${attribute.currencies.join(', ')}`
})

const measurement = amount('unit', (unit, attribute) => {
  if (unit === '' || unit.length > 100) return 'unit must be 1 to 100 characters long'
  if (attribute.units.length === 0 || attribute.units.includes(unit)) return undefined
  return `unit must be one of ${attribute.units.join(', ')}`
})

const reference: DataType = {
  findFault: (value) => (isString(value) && value.length <= 128 ? undefined : 'must be a record ID'),
  isEmpty: (value) => value === '',
  equalityKeys: (value) => [value as string],
  parseKey: (text) => text,
  isText: false,
  order: undefined,
}

const json: DataType = {
  // Its numbers are not ours to judge.
  read: withNearestNumbers,
  findFault: (value) => {
    if (isNestedDeeper(value, MAX_JSON_DEPTH)) return `must not nest deeper than ${MAX_JSON_DEPTH} levels`
    if (hasInfinity(value)) return 'must not hold a number that is too large to be kept'
    return Buffer.byteLength(JSON.stringify(value)) > MAX_JSON_BYTES ? 'must be at most 64 KiB of JSON' : undefined
  },
  isEmpty: (value) => value === '' || (Array.isArray(value) && value.length === 0),
  equalityKeys: (value) => [canonicalJson(value)],
  parseKey: (text) => {
    try {
      const value: unknown = JSON.parse(text)
      return isNestedDeeper(value, MAX_JSON_DEPTH) || hasInfinity(value) ? undefined : canonicalJson(value)
    } catch {
      return undefined
    }
  },
  isText: false,
  order: undefined,
}

export const dataTypes = {
  text: plainText,
  richText: plainText,
  url,
  number,
  boolean,
  date: time(parseDate, 'a date of the form YYYY-MM-DD'),
  dateTime: time(parseDateTime, 'an ISO 8601 date and time'),
  select,
  multiSelect,
  price,
  measurement,
  reference,
  json,
} satisfies Record<DataTypeName, DataType>

export function dataTypeOf(attribute: { readonly dataType: DataTypeName }): DataType {
  return dataTypes[attribute.dataType]
}
