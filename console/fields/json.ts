// Any JSON value, as its text: `json`.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import { type Field, misread } from './field.ts'
import { oneLine } from './texts.ts'

export const json: Field = {
  editor: 'lines',
  align: 'start',
  show: (value) => oneLine(JSON.stringify(value)),
  write: (value) => JSON.stringify(value),
  read: (text) => {
    if (text.trim() === '') return { value: null }
    const reading = dataTypes.json.fromCell(text, '')
    return reading.problem === undefined ? { value: reading.value } : misread(reading.problem)
  },
}
