// Texts that name a point in time; the empty text is an empty value.
import { parseDate, parseDateTime } from '../values/dates.ts'
import { faultOf } from '../values/value-fault.ts'
import { type DataType, isString, singleText } from './data-type.ts'

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

export const date = time(parseDate, '`YYYY-MM-DD`', 'a date of the form YYYY-MM-DD')
export const dateTime = time(parseDateTime, 'ISO 8601', 'an ISO 8601 date and time')
