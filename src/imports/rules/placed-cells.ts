// Cells of a row with their columns: a row of one cell may be 16,384 columns wide. Contract 3 §4.
import type { CsvCell } from '../../core/csv/csv-cell.ts'

/** The column is from 0. */
export type PlacedCell = readonly [column: number, cell: CsvCell]

export interface PlacedCells {
  /** How many columns the row has. */
  readonly width: number
  /** The cells that are there; cells behind the width do not count. */
  readonly cells: readonly PlacedCell[]
}

/** All cells of the row; null where none is. */
export function allCells({ width, cells: placed }: PlacedCells): CsvCell[] {
  const cells = Array<CsvCell>(width).fill(null)
  for (const [column, cell] of placed) if (column < width) cells[column] = cell
  return cells
}
