// True and false, in the user's words: `boolean`.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import { type Field, misread } from './field.ts'

export const boolean: Field = {
  editor: 'choice',
  align: 'start',
  show: (value, _, { yes, no }) => (value === true ? yes : no),
  write: (value, _, { yes, no }) => (value === true ? yes : no),
  read: (text, _, { yes, no }) => {
    const word = text.trim().toLowerCase()
    if (word === '') return { value: null }
    if (word === yes.toLowerCase() || word === '1') return { value: true }
    if (word === no.toLowerCase() || word === '0') return { value: false }
    const reading = dataTypes.boolean.fromCell(word, '')
    return reading.problem === undefined ? { value: reading.value } : misread(`must be ${yes} or ${no}`)
  },
}
