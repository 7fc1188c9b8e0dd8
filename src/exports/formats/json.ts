// One array of objects, one object a line. Decisions §6.
import { type ExportedRecord, FIXED_FIELDS } from '../../domain/flatten.ts'
import type { Format } from './format.ts'

export const writeJson: Format = ({ isFlat }) => {
  let separator = '\n'
  return {
    begin: () => '[',
    write: (records) => {
      let text = ''
      for (const record of records) {
        text += separator + recordJson(record, isFlat)
        separator = ',\n'
      }
      return text
    },
    end: () => '\n]\n',
  }
}

/** `{ …fixed fields, values }`: by alias the value or null (flat), or an array of scoped values as in responses. */
export function recordJson({ head, attributes }: ExportedRecord, isFlat: boolean): string {
  const values = Object.fromEntries(
    attributes.map((item) => [item.attribute.alias, isFlat ? (item.values[0]?.value ?? null) : item.values]),
  )
  return JSON.stringify({ ...Object.fromEntries(FIXED_FIELDS.map((field) => [field, head[field]])), values })
}
