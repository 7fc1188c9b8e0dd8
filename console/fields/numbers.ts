// Numbers: `number`.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import { showNumber, toCanonical, writeNumber } from './decimals.ts'
import { type Field, misread, type Reading } from './field.ts'

/** Reads a number; a number is refused if the domain would lose digits. */
export function readDecimal(text: string, tag: string): Reading {
  const reading = dataTypes.number.fromCell(toCanonical(text, tag), '')
  return reading.problem === undefined ? { value: reading.value } : misread(reading.problem)
}

export const number: Field = {
  editor: 'line',
  align: 'end',
  show: (value, _, { tag }) => showNumber(value as number, tag),
  write: (value, _, { tag }) => writeNumber(value as number, tag),
  read: (text, _, { tag }) => (text.trim() === '' ? { value: null } : readDecimal(text, tag)),
}
