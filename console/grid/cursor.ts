// The cursor cell, its moves by keys, and the range from the anchor. Pure.
import type { Span } from './window.ts'

export interface Cell {
  readonly row: number
  readonly column: number
}

/** From `anchor`, which stays in place, to `cursor`. */
export interface CellRange {
  readonly rows: Span
  readonly columns: Span
}

/** The most cells that are copied, pasted, filled or added up at once. */
export const MOST_CELLS = 20_000

export const MOVES = [
  'left',
  'right',
  'up',
  'down',
  'rowStart',
  'rowEnd',
  'pageUp',
  'pageDown',
  'sheetStart',
  'sheetEnd',
  'top',
  'bottom',
] as const
export type Move = (typeof MOVES)[number]

export interface SheetSize {
  readonly rows: number
  readonly columns: number
  /** The number of visible rows. */
  readonly page: number
}

const STEPS: Readonly<Record<Move, (cell: Cell, size: SheetSize) => Cell>> = {
  left: ({ row, column }) => ({ row, column: column - 1 }),
  right: ({ row, column }) => ({ row, column: column + 1 }),
  up: ({ row, column }) => ({ row: row - 1, column }),
  down: ({ row, column }) => ({ row: row + 1, column }),
  rowStart: ({ row }) => ({ row, column: 0 }),
  rowEnd: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  pageUp: ({ row, column }, { page }) => ({ row: row - page, column }),
  pageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  sheetStart: () => ({ row: 0, column: 0 }),
  sheetEnd: (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
  top: ({ column }) => ({ row: 0, column }),
  bottom: ({ column }, { rows }) => ({ row: rows - 1, column }),
}

export function moveCell(cell: Cell, move: Move, size: SheetSize): Cell {
  return clampCell(STEPS[move](cell, size), size)
}

export function clampCell({ row, column }: Cell, { rows, columns }: SheetSize): Cell {
  return { row: clamp(row, rows), column: clamp(column, columns) }
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1))
}

export function rangeOf(anchor: Cell, cursor: Cell): CellRange {
  return { rows: spanOf(anchor.row, cursor.row), columns: spanOf(anchor.column, cursor.column) }
}

function spanOf(one: number, other: number): Span {
  return { first: Math.min(one, other), last: Math.max(one, other) }
}

export function lengthOf({ first, last }: Span): number {
  return Math.max(0, last - first + 1)
}
