// Turns keyboard, clipboard and pointer events into requests to the host of a sheet. G2, G3, G6.
import { hasFiles } from '../kit/file-taking.ts'
import type { Cell } from './cursor.ts'
import { type KeySituation, type SheetCommand, sheetCommand } from './keys.ts'
import type { SheetState } from './sheet-state.ts'

/** The services that a sheet needs from its host. */
export interface SheetHost {
  /** Whether the host handled the command; if so, the browser does not get the key. */
  command(command: SheetCommand): boolean
  /** Undefined: the cells cannot be copied. */
  copy(isCut: boolean): string | undefined
  paste(text: string): void
  /** The user drags the corner of the range. */
  dragCorner(element: HTMLElement): void
  /** The user points at a cell. */
  point(cell: Cell, how: 'edit'): void
  toggle(row: number, isRange: boolean): void
  /** Opens the comments of a cell. */
  comments(cell: Cell): void
}

function isOfHead(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('.sheet-head') !== null
}

export function takeKey(event: KeyboardEvent, keys: KeySituation, host: SheetHost): void {
  if (isOfHead(event)) return
  const command = sheetCommand(event, keys)
  if (command === undefined || !host.command(command)) return
  // The browser handles typed keys: it puts the text into the editor, which has the focus now.
  if (command.kind !== 'edit' || !command.typed) event.preventDefault()
  event.stopPropagation()
}

export function putOnClipboard(event: ClipboardEvent, host: SheetHost, isCut: boolean): void {
  if (isOfHead(event)) return
  event.preventDefault()
  const text = host.copy(isCut)
  if (text !== undefined) event.clipboardData?.setData('text/plain', text)
}

export function takeFromClipboard(event: ClipboardEvent, host: SheetHost): void {
  if (isOfHead(event)) return
  event.preventDefault()
  host.paste(event.clipboardData?.getData('text/plain') ?? '')
}

export function cellAt({ target }: Event): Cell | undefined {
  if (!(target instanceof Element)) return undefined
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row']
  const column = target.closest<HTMLElement>('[data-column]')?.dataset['column']
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) }
}

export function takePointer(event: PointerEvent, state: SheetState, host: SheetHost): void {
  if (event.button !== 0 || isOfHead(event) || !(event.target instanceof Element)) return
  const handle = event.target.closest('[data-handle]')
  if (handle !== null) {
    const row = Number(handle.closest<HTMLElement>('[data-row]')?.dataset['row'])
    host.toggle(row, event.shiftKey)
    return
  }
  if (event.target.closest('[data-fill]') !== null) {
    event.preventDefault()
    return host.dragCorner(event.currentTarget as HTMLElement)
  }
  const cell = cellAt(event)
  if (cell === undefined) return
  if (event.target.closest('[data-fold]') !== null) return host.point(cell, 'edit')
  if (isOnThreads(event)) {
    state.goTo(cell)
    return host.comments(cell)
  }
  const { row, column } = state.cursor.peek()
  // Touch has no second button: a second tap on the cursor cell edits that cell. The first column opens the record.
  const isAgain = row === cell.row && column === cell.column && column > 0
  if (event.pointerType === 'touch' && isAgain) return host.point(cell, 'edit')
  state.goTo(cell, event.shiftKey)
  if (event.pointerType !== 'touch') followPointer(event, state)
}

/** Opens a record by a tap on the first column, because a touch screen has no keys. Scrolling is no tap. */
export function takeTap(event: MouseEvent, host: SheetHost): void {
  const isFinger = event instanceof PointerEvent && event.pointerType === 'touch'
  if (isFinger && cellAt(event)?.column === 0) host.command({ kind: 'open' })
}

/** Pixels of the corner that marks open threads, with room for a finger. */
const CORNER = 16

function isOnThreads({ target, clientX, clientY }: PointerEvent): boolean {
  const marked = target instanceof Element ? target.closest('[data-threads]') : null
  if (marked === null) return false
  const { top, right } = marked.getBoundingClientRect()
  return clientX > right - CORNER && clientY < top + CORNER
}

/** Extends the range to the pointer until the button is released. */
function followPointer(event: PointerEvent, state: SheetState): void {
  const element = event.currentTarget as HTMLElement
  const over = (next: PointerEvent): void => {
    const cell = cellAt(next)
    if (cell !== undefined) state.goTo(cell, true)
  }
  const end = (): void => {
    element.removeEventListener('pointerover', over)
    removeEventListener('pointerup', end)
    removeEventListener('pointercancel', end)
  }
  element.addEventListener('pointerover', over)
  addEventListener('pointerup', end)
  addEventListener('pointercancel', end)
}

/** Marks the row that files are dragged over. Files that no row takes are refused: the browser would open them. */
export function fileEvents(take: (row: number, files: readonly File[]) => void) {
  let over: HTMLElement | null = null
  const mark = (row: HTMLElement | null): void => {
    if (row === over) return
    over?.removeAttribute('data-drop')
    row?.setAttribute('data-drop', '')
    over = row
  }
  const rowOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null)
  return {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      mark(rowOf(event))
      if (over === null && event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none'
    },
    onDragLeave: () => mark(null),
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      const row = rowOf(event)?.dataset['row']
      mark(null)
      if (row !== undefined) take(Number(row), [...event.dataTransfer!.files])
    },
  }
}
