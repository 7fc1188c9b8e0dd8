// A file, by its name: `file`. Its hash is what is typed or pasted.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import type { FileName } from '../../src/core/datatypes/file.ts'
import { type Field, misread } from './field.ts'

export const file: Field = {
  editor: 'line',
  align: 'start',
  show: (value) => (value as FileName).fileName,
  write: (value) => (value as FileName).sha256,
  read: (text, _attribute, _locale, before) => {
    if (text.trim() === '') return { value: null }
    const reading = dataTypes.file.fromCell(text, '')
    if (reading.problem !== undefined) return misread(reading.problem)
    const isSame = (before as Partial<FileName> | undefined)?.sha256 === (reading.value as FileName).sha256
    return { value: isSame ? before : reading.value }
  },
}
