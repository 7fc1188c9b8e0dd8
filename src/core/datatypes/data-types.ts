// All data types by their names. Contract 2 §3. A new one is an entry here, and its row in the test.
import { type DataType, isString, singleText, singleValue } from './data-type.ts'
import { file } from './file.ts'
import { json } from './json.ts'
import { measurement, number, price } from './numbers.ts'
import { multiSelect, select } from './options.ts'
import { reference, references } from './references.ts'
import { faultOf } from '../values/value-fault.ts'
import { findTextFault } from '../values/rules.ts'
import { parseDate, parseDateTime } from '../values/dates.ts'

const text: DataType = {
  ...singleText,
  form: 'a string',
  findFault: (value, attribute, work) =>
    isString(value) ? findTextFault(value, attribute.validation, work) : faultOf('type', 'must be a string'),
  isText: true,
}

const SCRIPT_PROTOCOLS = new Set(['javascript:', 'data:', 'vbscript:'])

const url: DataType = {
  ...text,
  findFault: (value, attribute, work) => {
    if (!isString(value)) return faultOf('type', 'must be a string')
    if (value === '') return undefined
    // The protocol as browsers read it: they pass over tabs and line ends inside, and control characters in front.
    const protocol = URL.parse(value)?.protocol
    if (protocol === undefined) return faultOf('type', 'must be an absolute URL')
    if (SCRIPT_PROTOCOLS.has(protocol)) return faultOf('type', 'must not be a script or data URL')
    return findTextFault(value, attribute.validation, work)
  },
}

function time(parse: (text: string) => number | undefined, form: string, expected: string): DataType {
  const parseOrNothing = (text: unknown): number | undefined => (isString(text) ? parse(text) : undefined)
  return {
    ...singleText,
    form,
    findFault: (value) =>
      value === '' || parseOrNothing(value) !== undefined ? undefined : faultOf('type', `must be ${expected}`),
    equalityKeys: (value) => {
      const instant = parseOrNothing(value)
      return instant === undefined ? [] : [instant]
    },
    parseKey: parse,
    order: 'time',
  }
}

const date = time(parseDate, '`YYYY-MM-DD`', 'a date of the form YYYY-MM-DD')
const dateTime = time(parseDateTime, 'ISO 8601', 'an ISO 8601 date and time')

const boolean: DataType = {
  ...singleValue,
  form: 'true or false',
  findFault: (value) => (typeof value === 'boolean' ? undefined : faultOf('type', 'must be true or false')),
  isEmpty: () => false,
  equalityKeys: (value) => [String(value)],
  parseKey: (text) => text,
  // Spreadsheets write them in capitals.
  fromCell: (text) => {
    const word = text.trim().toLowerCase()
    return word === 'true' || word === 'false' ? { value: word === 'true' } : { problem: 'must be true or false' }
  },
  mayBeEmptyText: false,
}

export const dataTypes = {
  text,
  richText: text,
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
} satisfies Record<string, DataType>

export type DataTypeName = keyof typeof dataTypes
export const DATA_TYPE_NAMES = Object.keys(dataTypes) as DataTypeName[]

export function dataTypeOf(attribute: { readonly dataType: DataTypeName }): DataType {
  return dataTypes[attribute.dataType]
}
