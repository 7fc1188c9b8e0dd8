// The formats json (one array, an object per line) and jsonl (an object per line). Contract 2 §6.
import { type ExportedRecord, FIXED_FIELDS } from '../../core/records/rules/exported-record.ts'
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
    writeDeleted(ids) {
      let text = ''
      for (const id of ids) {
        text += separator + deletedJson(id)
        separator = ',\n'
      }
      return text
    },
    end: () => '\n]\n',
  }
}

/** A deleted record in a delta. */
export function deletedJson(id: string): string {
  return JSON.stringify({ id, deleted: true })
}

/** `{ …fixed fields, values }`: by alias the value or null (flat), or an array of scoped values as in responses. */
function recordJson({ head, attributes }: ExportedRecord, isFlat: boolean): string {
  // Aliases begin with a letter: none is `__proto__`.
  const values: Record<string, unknown> = {}
  for (const { attribute, values: scoped } of attributes)
    values[attribute.alias] = isFlat ? (scoped[0]?.value ?? null) : scoped
  const record: Record<string, unknown> = {}
  for (const field of FIXED_FIELDS) record[field] = head[field]
  record['values'] = values
  return JSON.stringify(record)
}

export const writeJsonLines: Format = ({ isFlat }) => ({
  begin: () => '',
  write: (records) => records.map((record) => `${recordJson(record, isFlat)}\n`).join(''),
  writeDeleted: (ids) => ids.map((id) => `${deletedJson(id)}\n`).join(''),
  end: () => '',
})
