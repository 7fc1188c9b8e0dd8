// All data types, with the form in which the console shows and reads them. A new data type needs an entry here, and a
// row in the test.
import { type DataTypeName, dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import { price, measurement } from './amounts.ts'
import { boolean } from './booleans.ts'
import type { Field, FieldAttribute, Locale, Reading } from './field.ts'
import { file } from './files.ts'
import { json } from './json.ts'
import { number } from './numbers.ts'
import { multiSelect, select } from './options.ts'
import { problemText } from './problem-text.ts'
import { reference, references, richText, text, url } from './texts.ts'
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
  references,
  file,
  json,
} satisfies Record<DataTypeName, Field>

export function fieldOf({ dataType }: { readonly dataType: DataTypeName }): Field {
  return fields[dataType]
}

/** '' for no value; the raw text for a value that no longer fits the attribute's type. */
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

/** Reads typed text as a value that satisfies the attribute's rules; only the server checks patterns. */
export function readValue(text: string, attribute: FieldAttribute, locale: Locale, before?: unknown): Reading {
  const reading = fieldOf(attribute).read(text, attribute, locale, before)
  const isValue = reading.code === undefined && reading.value !== null
  const found = (isValue ? dataTypeOf(attribute).findFault(reading.value, attribute) : undefined) ?? reading
  return found.code === undefined ? found : { ...found, problem: problemText(found.problem) }
}
