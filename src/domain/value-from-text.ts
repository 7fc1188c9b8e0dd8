// From the text of a csv cell to a value: the inverse of `value-text.ts`. Decisions §6 and §7.
import type { Attribute } from './attributes.ts'
import { MAX_JSON_DEPTH, parseNumber } from './datatypes.ts'
import type { DataTypeName } from './datatype-names.ts'
import { isHeld, LostNumber } from './lost-numbers.ts'
import { isNestedDeeper } from './text.ts'
import type { UnitField } from './value-text.ts'

/** The value that `text` stands for, or `problem`, the rest of a sentence. Whether it fits the attribute is not asked. */
export type TextReading = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string }

type FromText = (text: string) => TextReading

const asIs: FromText = (text) => ({ value: text })

const toNumber: FromText = (text) => {
  const written = text.trim()
  const number = parseNumber(written)
  if (number === undefined) return { problem: 'must be a number, written as 1234.5' }
  return isHeld(written) ? { value: number } : { problem: new LostNumber(written).problem }
}

/** Spreadsheets write them in capitals. */
const toBoolean: FromText = (text) => {
  const word = text.trim().toLowerCase()
  return word === 'true' || word === 'false' ? { value: word === 'true' } : { problem: 'must be true or false' }
}

const toJson: FromText = (text) => {
  try {
    const value: unknown = JSON.parse(text)
    if (isNestedDeeper(value, MAX_JSON_DEPTH)) return { problem: `must not nest deeper than ${MAX_JSON_DEPTH} levels` }
    return isWellFormed(value) ? { value } : { problem: 'contains a lone surrogate, which is no character' }
  } catch {
    return { problem: 'must be JSON' }
  }
}

const readers = {
  text: asIs,
  richText: asIs,
  url: asIs,
  number: toNumber,
  boolean: toBoolean,
  date: asIs,
  dateTime: asIs,
  select: asIs,
  multiSelect: (text) => ({ value: text === '' ? [] : text.split('|') }),
  price: toNumber,
  measurement: toNumber,
  reference: asIs,
  json: toJson,
} satisfies Record<DataTypeName, FromText>

/** Data types of which an empty text, or an empty list, is a value. */
const MAY_BE_EMPTY: ReadonlySet<DataTypeName> = new Set([
  'text',
  'richText',
  'url',
  'date',
  'dateTime',
  'select',
  'multiSelect',
  'reference',
])

/** `text` null: nothing is written there, which gives null, no value. `''` is an empty text where there is such a value. */
export function readText(text: string | null, { dataType }: Attribute): TextReading {
  if (text === null || (text === '' && !MAY_BE_EMPTY.has(dataType))) return { value: null }
  return readers[dataType](text)
}

/** The same for a value with a unit or currency. */
export function readAmount(
  text: string | null,
  unit: string | null,
  unitField: UnitField,
  attribute: Attribute,
): TextReading {
  const amount = readText(text, attribute)
  if (amount.problem !== undefined) return amount
  if (amount.value !== null) return { value: { amount: amount.value, [unitField]: unit ?? '' } }
  return (unit ?? '') === '' ? amount : { problem: `has a ${unitField} without an amount` }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member))
}
