// All data types as the console shows and reads them. A new one is an entry here, and its row in the test.
import { type DataTypeName, dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import { price, measurement } from './amounts.ts'
import { boolean } from './booleans.ts'
import type { Field, FieldAttribute, Locale, Reading } from './field.ts'
import { json } from './json.ts'
import { number } from './numbers.ts'
import { multiSelect, select } from './options.ts'
import { problemText } from './problem-text.ts'
import { reference, richText, text, url } from './texts.ts'
import { date, dateTime } from './times.ts'

const fields = {
  text,
  richText,
  url,
  number,
  boolean,
  date,
  dateTime,
  select,
  multiSelect,
  price,
  measurement,
  reference,
  json,
} satisfies Record<DataTypeName, Field>

export function fieldOf({ dataType }: { readonly dataType: DataTypeName }): Field {
  return fields[dataType]
}

/** Nothing for no value, and the text of it for one that is not of the attribute's type any more. */
export function showValue(value: unknown, attribute: FieldAttribute, locale: Locale): string {
  return present(value, (one) => fieldOf(attribute).show(one, attribute, locale))
}

export function writeValue(value: unknown, attribute: FieldAttribute, locale: Locale): string {
  return present(value, (one) => fieldOf(attribute).write(one, attribute, locale))
}

function present(value: unknown, work: (value: unknown) => string): string {
  if (value === undefined || value === null) return ''
  try {
    return work(value)
  } catch {
    return JSON.stringify(value)
  }
}

/** What was typed, as a value that keeps the attribute's rules; patterns are the server's to judge. */
export function readValue(text: string, attribute: FieldAttribute, locale: Locale, before?: unknown): Reading {
  const reading = fieldOf(attribute).read(text, attribute, locale, before)
  const isValue = reading.code === undefined && reading.value !== null
  const found = (isValue ? dataTypeOf(attribute).findFault(reading.value, attribute) : undefined) ?? reading
  return found.code === undefined ? found : { ...found, problem: problemText(found.problem) }
}
