// A file, by its name: `file`. In a sheet its hash is typed or pasted; the page of a record uploads it.
import { dataTypes } from '../../src/core/datatypes/data-types.ts'
import type { FileName, FileValue } from '../../src/core/datatypes/file.ts'
import { type Field, misread } from './field.ts'

export const file: Field = {
  editor: 'file',
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

/** Returns a text such as `image/png · 12 kB · 800 × 600 px`; a value that no server has saved has no facts. */
export function factsOf({ mediaType, size, width, height }: Partial<FileValue>, tag: string): string {
  const isPicture = typeof width === 'number' && typeof height === 'number'
  const bytes = typeof size === 'number' ? sizeText(size, tag) : undefined
  return [mediaType, bytes, isPicture ? `${width} × ${height} px` : undefined].filter(Boolean).join(' · ')
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function sizeText(bytes: number, tag: string): string {
  const at = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = { style: 'unit', unit: UNITS[at]!, maximumSignificantDigits: 3 } as const
  return new Intl.NumberFormat(tag, format).format(bytes / 1000 ** at)
}
