// Numbers: `number`.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import { showNumber, toCanonical, writeNumber } from './decimals.ts'
import { type Field, misread, type Reading } from './field.ts'

/** Reads a number; a number is refused if the domain would lose digits. */
export function readDecimal(text: string, tag: string): Reading {
  // Bookkeepers write -12 as (12).
  const written = text.replace(/^\((\s*\d.*)\)$/, '-$1')
  const reading = dataTypes.number.fromCell(toCanonical(written, tag), '')
  return reading.problem === undefined ? { value: reading.value } : misread(reading.problem)
}

/** Removes a typed unit. If no unit is shown, a percent sign may be typed: the number keeps its value. */
function withoutUnit(text: string, unit = '%'): string {
  return text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text
}

export const number: Field = {
  editor: 'line',
  align: 'end',
  show: (value, { display }, { tag }) => showNumber(value as number, tag, display),
  write: (value, _, { tag }) => writeNumber(value as number, tag),
  read: (text, { display }, { tag }) => {
    const typed = withoutUnit(text.trim(), display?.unit)
    return typed === '' ? { value: null } : readDecimal(typed, tag)
  },
}
