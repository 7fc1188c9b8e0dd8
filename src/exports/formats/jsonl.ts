// One object a line: what is an element of the array in json. Contract 2 §6.
import type { Format } from './format.ts'
import { deletedJson, recordJson } from './json.ts'

export const writeJsonLines: Format = ({ isFlat }) => ({
  begin: () => '',
  write: (records) => records.map((record) => `${recordJson(record, isFlat)}\n`).join(''),
  writeDeleted: (ids) => ids.map((id) => `${deletedJson(id)}\n`).join(''),
  end: () => '',
})
