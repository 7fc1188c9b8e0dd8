// The cells that receive pasted texts. Pure. G6.
import { type CellRange, lengthOf } from './cursor.ts'

export interface PlacedText {
  readonly row: number
  readonly column: number
  readonly text: string
}

interface Placement {
  readonly cells: readonly PlacedText[]
  readonly range: CellRange
  /** The number of cells that would be below or right of the sheet. */
  readonly lost: number
}

/**
 * Like spreadsheets: a block that fits the range several times fills the range. Any other block starts in the first
 * cell; cells beyond the sheet are lost.
 */
export function placeTexts(
  block: readonly (readonly string[])[],
  { rows, columns }: CellRange,
  sheet: { readonly rows: number; readonly columns: number },
): Placement {
  const height = block.length
  const width = Math.max(0, ...block.map((row) => row.length))
  const isRepeated = lengthOf(rows) % height === 0 && lengthOf(columns) % width === 0
  const wanted = isRepeated ? { height: lengthOf(rows), width: lengthOf(columns) } : { height, width }
  const cells: PlacedText[] = []
  let lost = 0
  for (let down = 0; down < wanted.height; down += 1) {
    const texts = block[down % height]!
    for (let right = 0; right < wanted.width; right += 1) {
      const text = texts[right % width]
      // A row that is shorter than the block's widest row changes no further cells.
      if (text === undefined) continue
      const [row, column] = [rows.first + down, columns.first + right]
      if (row < sheet.rows && column < sheet.columns) cells.push({ row, column, text })
      else lost += 1
    }
  }
  const range: CellRange = {
    rows: { first: rows.first, last: Math.min(rows.first + wanted.height, sheet.rows) - 1 },
    columns: { first: columns.first, last: Math.min(columns.first + wanted.width, sheet.columns) - 1 },
  }
  return { cells, range, lost }
}
