// All data types by their names. Contract 2 §3. A new one is an entry here, and its row in the test.
import { type DataType, isString, singleText, singleValue } from './data-type.ts'
import { json } from './json.ts'
import { measurement, number, price } from './numbers.ts'
import { multiSelect, select } from './options.ts'
import { text, url } from './texts.ts'
import { date, dateTime } from './times.ts'
import { faultOf } from '../values/value-fault.ts'

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

const reference: DataType = {
  ...singleText,
  form: 'the ID of a record',
  findFault: (value) => (isString(value) && value.length <= 128 ? undefined : faultOf('type', 'must be a record ID')),
  namesRecord: true,
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
  json,
} satisfies Record<string, DataType>

export type DataTypeName = keyof typeof dataTypes
export const DATA_TYPE_NAMES = Object.keys(dataTypes) as DataTypeName[]

export function dataTypeOf(attribute: { readonly dataType: DataTypeName }): DataType {
  return dataTypes[attribute.dataType]
}
