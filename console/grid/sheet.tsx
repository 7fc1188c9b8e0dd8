// A sheet of any number of rows: the Grid pattern of ARIA, with the focus on the whole and one cell that the keys are for. What is
// drawn stands in a layer that stays in sight while the browser scrolls, so that a fling shows the rows of before and never none. G1.
import { useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Cell } from './cursor.ts'
import { type HeadColumn, type HeadProps, SheetHead } from './head.tsx'
import { type KeySituation, type SheetCommand, sheetCommand } from './keys.ts'
import { cellId, type DrawnColumn, rangeIn, SheetRow } from './row.tsx'
import { HANDLE_WIDTH, HEAD_HEIGHT, type SheetState } from './sheet-state.ts'
import { heightOf } from './window.ts'

export type SheetColumnView<Row> = HeadColumn & DrawnColumn<Row>

/** What a sheet asks of whoever shows it. */
export interface SheetHost {
  /** Whether it is done: the browser does not get the key then. */
  command(command: SheetCommand): boolean
  /** Undefined: the cells cannot be copied. */
  copy(isCut: boolean): string | undefined
  paste(text: string): void
  /** Cells that somebody points at. */
  point(cell: Cell, how: 'edit'): void
  toggle(row: number, isRange: boolean): void
}

export interface SheetProps<Row> {
  readonly id: string
  readonly label: string
  readonly state: SheetState
  readonly columns: readonly SheetColumnView<Row>[]
  readonly rowAt: (index: number) => Row | undefined
  readonly isSelected: (row: Row) => boolean
  readonly stateOf: (row: Row) => 'gone' | 'deleted' | undefined
  readonly head: Pick<HeadProps, 'selection' | 'words' | 'onSelectAll' | 'onMenu' | 'onResize'>
  readonly keys: KeySituation
  readonly isBusy: boolean
  readonly isReadOnly: boolean
  readonly host: SheetHost
  /** The editor, above the cells. */
  readonly children: ComponentChildren
}

/** Rows beside each other get layers that far apart, so that no place is a number too large to be drawn. */
const LAYER = 10_000
/** Milliseconds without scrolling. */
const QUIET = 150

export function Sheet<Row>(props: SheetProps<Row>) {
  const { id, label, state, columns, keys, isBusy, isReadOnly, host } = props
  const scroller = useRef<HTMLDivElement>(null)
  useScrolling(scroller, state)
  const edges = state.edges.value
  const extent = state.extent.value
  const { first: firstColumn, last: lastColumn } = state.drawnColumns.value
  const pinned = state.pinned.value
  const cursor = state.cursor.value
  const width = HANDLE_WIDTH + edges.at(-1)!
  const areas = { columns, edges, pinned, firstColumn, lastColumn }
  return (
    <div class="sheet-frame">
      <div
        ref={scroller}
        class="sheet"
        role="grid"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a grid is a widget, and holds the focus for its cells
        tabIndex={0}
        aria-label={label}
        aria-multiselectable={true}
        aria-readonly={isReadOnly}
        aria-rowcount={extent.rows + 1}
        aria-colcount={columns.length + 1}
        aria-busy={isBusy}
        aria-activedescendant={
          extent.rows > 0 && columns.length > 0 ? cellId(id, cursor.row, cursor.column) : undefined
        }
        data-keys={keys.isCommanding ? 'letters' : 'sheet'}
        onKeyDown={(event) => takeKey(event, keys, host)}
        onCopy={(event) => putOnClipboard(event, host, false)}
        onCut={(event) => putOnClipboard(event, host, true)}
        onPaste={(event) => takeFromClipboard(event, host)}
        onPointerDown={(event) => takePointer(event, state, host)}
        onDblClick={(event) => {
          const cell = cellAt(event)
          if (cell !== undefined) host.point(cell, 'edit')
        }}
      >
        <div
          class="sheet-space"
          role="presentation"
          style={{ height: `${heightOf(extent) + HEAD_HEIGHT}px`, width: `${width}px` }}
        >
          <div
            class="sheet-view"
            role="presentation"
            style={{ height: `${extent.view + HEAD_HEIGHT}px`, width: `${width}px` }}
          >
            <SheetHead {...areas} {...props.head} />
            <Rows {...props} {...areas} />
          </div>
        </div>
      </div>
      {props.children}
    </div>
  )
}

type RowsProps<Row> = SheetProps<Row> & {
  readonly edges: readonly number[]
  readonly pinned: number
  readonly firstColumn: number
  readonly lastColumn: number
}

function Rows<Row>({
  id,
  state,
  columns,
  rowAt,
  isSelected,
  stateOf,
  edges,
  pinned,
  firstColumn,
  lastColumn,
}: RowsProps<Row>) {
  const { first, last } = state.drawn.value
  const { rowHeight } = state.layout.value
  const { top } = state.place.value
  const cursor = state.cursor.value
  const range = state.range.value
  const layer = Math.floor(first / LAYER) * LAYER
  const drawRow = (index: number, key: string | number) => {
    const row = rowAt(index)
    const inRange = rangeIn(range, index)
    return (
      <SheetRow
        key={key}
        sheetId={id}
        index={index}
        top={(index - layer) * rowHeight}
        height={rowHeight}
        row={row}
        columns={columns}
        edges={edges}
        pinned={pinned}
        firstColumn={firstColumn}
        lastColumn={lastColumn}
        isSelected={row !== undefined && isSelected(row)}
        state={row === undefined ? undefined : stateOf(row)}
        cursor={cursor.row === index ? cursor.column : undefined}
        rangeFirst={inRange?.first}
        rangeLast={inRange?.last}
      />
    )
  }
  const isAside = state.layout.value.rows > 0 && (cursor.row < first || cursor.row > last)
  return (
    <div
      class="sheet-rows"
      role="rowgroup"
      style={{ transform: `translateY(${HEAD_HEIGHT + layer * rowHeight - top}px)` }}
    >
      {rowsBySlot(first, last).map((index, slot) => drawRow(index, slot))}
      {isAside && drawRow(cursor.row, 'cursor')}
    </div>
  )
}

/** The rows in an order in which those that stay keep their place: their elements are not moved about. */
function rowsBySlot(first: number, last: number): readonly number[] {
  const slots = Math.max(0, last - first + 1)
  return Array.from({ length: slots }, (_, slot) => first + ((slot - (first % slots) + slots) % slots))
}

/** What the browser scrolls and what the state says are the same. */
function useScrolling(scroller: { readonly current: HTMLDivElement | null }, state: SheetState): void {
  // Where the browser stands, as far as it has said so: to ask it would have it lay out the page in the middle of a frame.
  const stands = useRef({ top: 0, left: 0 })
  useLayoutEffect(() => {
    const element = scroller.current!
    const measure = (): void => state.resize(element.clientWidth, element.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    let quiet: ReturnType<typeof setTimeout> | undefined
    const scrolled = (): void => {
      stands.current = { top: element.scrollTop, left: element.scrollLeft }
      state.scroll(stands.current.top, stands.current.left)
      clearTimeout(quiet)
      quiet = setTimeout(() => state.settle(), QUIET)
    }
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      observer.disconnect()
      clearTimeout(quiet)
      element.removeEventListener('scroll', scrolled)
    }
  }, [scroller, state])
  useSignalEffect(() => {
    const { scrollTop } = state.place.value
    const left = state.left.value
    const element = scroller.current
    // After the sheet has got as tall as that takes.
    queueMicrotask(() => {
      if (element === null || !element.isConnected) return
      const { top, left: from } = stands.current
      if (Math.abs(top - scrollTop) < 1 && Math.abs(from - left) < 1) return
      element.scrollTop = scrollTop
      element.scrollLeft = left
      // It goes no further than it is large.
      stands.current = { top: element.scrollTop, left: element.scrollLeft }
    })
  })
}

function isOfHead(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('.sheet-head') !== null
}

function takeKey(event: KeyboardEvent, keys: KeySituation, host: SheetHost): void {
  if (isOfHead(event)) return
  const command = sheetCommand(event, keys)
  if (command === undefined || !host.command(command)) return
  // What is typed is left to the browser, which puts it into the editor that has the focus by now.
  if (command.kind !== 'edit' || !command.typed) event.preventDefault()
  event.stopPropagation()
}

function putOnClipboard(event: ClipboardEvent, host: SheetHost, isCut: boolean): void {
  if (isOfHead(event)) return
  event.preventDefault()
  const text = host.copy(isCut)
  if (text !== undefined) event.clipboardData?.setData('text/plain', text)
}

function takeFromClipboard(event: ClipboardEvent, host: SheetHost): void {
  if (isOfHead(event)) return
  event.preventDefault()
  host.paste(event.clipboardData?.getData('text/plain') ?? '')
}

function cellAt(event: Event): Cell | undefined {
  if (!(event.target instanceof Element)) return undefined
  const row = event.target.closest<HTMLElement>('[data-row]')?.dataset['row']
  const column = event.target.closest<HTMLElement>('[data-column]')?.dataset['column']
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) }
}

function takePointer(event: PointerEvent, state: SheetState, host: SheetHost): void {
  if (event.button !== 0 || isOfHead(event) || !(event.target instanceof Element)) return
  const handle = event.target.closest('[data-handle]')
  if (handle !== null) {
    const row = Number(handle.closest<HTMLElement>('[data-row]')?.dataset['row'])
    host.toggle(row, event.shiftKey)
    return
  }
  const cell = cellAt(event)
  if (cell === undefined) return
  const { row, column } = state.cursor.peek()
  // Fingers have no second button: what was tapped before is edited.
  if (event.pointerType === 'touch' && row === cell.row && column === cell.column) return host.point(cell, 'edit')
  state.goTo(cell, event.shiftKey)
  if (event.pointerType !== 'touch') followPointer(event, state)
}

/** Draws the range to wherever the pointer goes, until it is let go. */
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
