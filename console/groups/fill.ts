// The texts of filled cells, which repeat cells or continue a series. Pure.
import type { Fill } from '../grid/groups.ts'
import type { PlacedText } from '../grid/paste.ts'
import { continueSeries } from './series.ts'

/** Undefined: a cell that the fill begins with is not loaded. */
export function fillTexts(fill: Fill): PlacedText[] | undefined {
  const filled: PlacedText[] = []
  for (const line of linesOf(fill)) {
    const first = beginningOf(line, fill)
    if (first === undefined) return undefined
    const rest = line.slice(first.length)
    if (first.length === 0 || rest.length === 0) continue
    const texts = fill.isSeries
      ? continueSeries(first, rest.length, fill.decimal)
      : rest.map((_, at) => first[at % first.length]!)
    filled.push(...rest.map((cell, at) => ({ ...cell, text: texts[at]! })))
  }
  return filled
}

interface FilledCell {
  readonly row: number
  readonly column: number
}

/** Returns the columns of the cells, or their rows. */
function linesOf({ rows, columns, axis }: Fill): FilledCell[][] {
  return axis === 'down'
    ? columns.map((column) => rows.map((row) => ({ row, column })))
    : rows.map((row) => columns.map((column) => ({ row, column })))
}

/** Returns the first cells of the line, or those until the first empty cell. */
function beginningOf(line: readonly FilledCell[], { source, textOf }: Fill): string[] | undefined {
  const texts: string[] = []
  for (const { row, column } of line.slice(0, source)) {
    const text = textOf(row, column)
    if (source === undefined && (text === undefined || text === '')) break
    if (text === undefined) return undefined
    texts.push(text)
  }
  return texts
}
