// Dragging the corner of the range fills the cells below or to the right, with a mouse or a finger.
import type { Cell, CellRange } from '../grid/cursor.ts'
import type { FillHost } from '../grid/groups.ts'

/** Pixels from the edge of the sheet to the point that replaces a pointer outside of the sheet. */
const INSIDE = 4

export function followFill({ element, sheet, fill }: FillHost): void {
  const source = sheet.range.peek()
  const corner = { row: source.rows.first, column: source.columns.first }
  const extend = (next: PointerEvent): void => {
    const cell = cellUnder(next, element)
    if (cell === undefined) return
    sheet.reveal(cell)
    sheet.selectRange(corner, extended(source, cell))
  }
  // Without a pressed button, the user released the pointer before this code was loaded.
  const move = (next: PointerEvent): void => (next.buttons === 0 ? end(next) : extend(next))
  const end = (next: PointerEvent): void => {
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', end)
    removeEventListener('pointercancel', end)
    // All moves may have happened before this code was loaded.
    if (next.type === 'pointerup') extend(next)
    const { rows, columns } = sheet.range.peek()
    const isLarger = rows.last > source.rows.last || columns.last > source.columns.last
    if (next.type !== 'pointercancel' && isLarger) fill(source, next.ctrlKey || next.metaKey)
    else sheet.selectRange(corner, { row: source.rows.last, column: source.columns.last })
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', end)
  addEventListener('pointercancel', end)
}

function cellUnder({ clientX, clientY }: PointerEvent, element: HTMLElement): Cell | undefined {
  const { left, top } = element.getBoundingClientRect()
  const { clientWidth, clientHeight } = element
  const found = document.elementFromPoint(clamp(clientX, left, clientWidth), clamp(clientY, top, clientHeight))
  const row = found?.closest<HTMLElement>('[data-row]')?.dataset['row']
  const column = found?.closest<HTMLElement>('[data-column]')?.dataset['column']
  if (row === undefined || column === undefined) return undefined
  // A pointer outside of the sheet means the next row or column, so that the sheet scrolls.
  return {
    row: Number(row) + beyond(clientY, top, clientHeight),
    column: Number(column) + beyond(clientX, left, clientWidth),
  }
}

function beyond(at: number, first: number, size: number): number {
  return at > first + size ? 1 : 0
}

function clamp(at: number, first: number, size: number): number {
  return Math.min(Math.max(at, first + INSIDE), first + size - INSIDE)
}

/** Returns the last cell of the filled range, which grows in one direction. */
function extended({ rows, columns }: CellRange, { row, column }: Cell): Cell {
  const [down, right] = [row - rows.last, column - columns.last]
  if (down <= 0 && right <= 0) return { row: rows.last, column: columns.last }
  return down >= right ? { row, column: columns.last } : { row: rows.last, column }
}
