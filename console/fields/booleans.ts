// True and false, in the user's words: `boolean`.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import { type Field, misread } from './field.ts'

/** Signs, and the words of spreadsheets in other languages than the user's. */
const TRUE = new Set(['1', 'x', '✓', '✔', '☑', 'wahr', 'vrai'])
const FALSE = new Set(['0', '✗', '✘', '☐', 'falsch', 'faux'])

export const boolean: Field = {
  editor: 'choice',
  align: 'start',
  show: (value, _, { yes, no }) => (value === true ? yes : no),
  write: (value, _, { yes, no }) => (value === true ? yes : no),
  read: (text, _, { yes, no }) => {
    const word = text.trim().toLowerCase()
    if (word === '') return { value: null }
    if (word === yes.toLowerCase() || TRUE.has(word)) return { value: true }
    if (word === no.toLowerCase() || FALSE.has(word)) return { value: false }
    const reading = dataTypes.boolean.fromCell(word, '')
    return reading.problem === undefined ? { value: reading.value } : misread(`must be ${yes} or ${no}`)
  },
}
