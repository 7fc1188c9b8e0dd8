// A sheet of any number of rows: the Grid pattern of ARIA, in which the whole grid has the focus and one cell is
// active. Rows are drawn in a layer that stays in view during scrolling. So very fast scrolling shows old rows, but
// never an empty area. G1.
import { type ComponentChildren, Fragment } from 'preact'
import { useRef } from 'preact/hooks'
import { type HeadColumn, type HeadProps, SheetHead } from './head.tsx'
import type { KeySituation } from './keys.ts'
import type { HeadRow } from './groups.ts'
import { cellId, type DrawnColumn, rangeIn, type RowState, SheetRow } from './row.tsx'
import {
  cellAt,
  type fileEvents,
  putOnClipboard,
  type SheetHost,
  takeFromClipboard,
  takeKey,
  takePointer,
  takeTap,
} from './sheet-events.ts'
import { HANDLE_WIDTH, HEAD_HEIGHT, type SheetState } from './sheet-state.ts'
import { useScrolling } from './use-scrolling.ts'
import { heightOf } from './window.ts'

export type SheetColumnView<Row> = HeadColumn & DrawnColumn<Row>

interface SheetProps<Row> {
  readonly id: string
  readonly label: string
  readonly state: SheetState
  readonly columns: readonly SheetColumnView<Row>[]
  /** The number of text lines of a row: `short`, `medium` or `tall`. */
  readonly lines: string
  readonly rowAt: (index: number) => Row | undefined
  readonly isSelected: (row: Row, index: number) => boolean
  /** Heads of groups; undefined: the rows are one list. */
  readonly heads?: SheetHeads | undefined
  readonly stateOf: (row: Row) => RowState | undefined
  readonly head: Pick<HeadProps, 'selection' | 'words' | 'onSelectAll' | 'onMenu' | 'onResize'>
  readonly keys: KeySituation
  readonly isBusy: boolean
  readonly isReadOnly: boolean
  readonly host: SheetHost
  /** Undefined: rows take no files. */
  readonly files?: ReturnType<typeof fileEvents> | undefined
  /** The editor, above the cells. */
  readonly children: ComponentChildren
}

interface SheetHeads {
  isHead(index: number): boolean
  draw(row: Omit<HeadRow, 'isSelected'>): ComponentChildren
}

/** Row positions count from the last multiple of this number, so that no coordinate is too large to draw. */
export const LAYER = 10_000

export function Sheet<Row>(props: SheetProps<Row>) {
  const { id, label, state, columns, keys, isBusy, isReadOnly, host } = props
  const scroller = useRef<HTMLDivElement>(null)
  useScrolling(scroller, state)
  const edges = state.edges.value
  const extent = state.extent.value
  // After a view with fewer columns is drawn once, the state receives their number.
  const { first: firstColumn, last } = state.drawnColumns.value
  const lastColumn = Math.min(last, columns.length - 1)
  const pinned = Math.min(state.pinned.value, columns.length)
  const cursor = state.cursor.value
  const width = HANDLE_WIDTH + edges.at(-1)!
  const areas = { columns, edges, pinned, firstColumn, lastColumn }
  return (
    <div class="sheet-frame">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the role depends on the groups */}
      <div
        ref={scroller}
        class="sheet"
        role={props.heads === undefined ? 'grid' : 'treegrid'}
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
        data-lines={props.lines}
        data-keys={keys.isCommanding ? 'letters' : 'sheet'}
        onKeyDown={(event) => takeKey(event, keys, host)}
        onCopy={(event) => putOnClipboard(event, host, false)}
        onCut={(event) => putOnClipboard(event, host, true)}
        onPaste={(event) => takeFromClipboard(event, host)}
        {...props.files}
        onPointerDown={(event) => takePointer(event, state, host)}
        onClick={(event) => takeTap(event, host)}
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
  heads,
  isReadOnly,
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
  const placeOf = (index: number) => ({
    sheetId: id,
    index,
    top: (index - layer) * rowHeight,
    height: rowHeight,
    cursor: cursor.row === index ? Math.min(cursor.column, columns.length - 1) : undefined,
  })
  const drawRow = (index: number, key: string | number) => {
    if (heads?.isHead(index) === true)
      return (
        <Fragment key={`head ${key}`}>
          {heads.draw({
            ...placeOf(index),
            cellId: cursor.row === index ? cellId(id, index, cursor.column) : undefined,
            width: HANDLE_WIDTH + edges.at(-1)!,
            columns: columns.length,
          })}
        </Fragment>
      )
    const row = rowAt(index)
    const inRange = rangeIn(range, index)
    return (
      <SheetRow
        key={key}
        {...placeOf(index)}
        row={row}
        columns={columns}
        edges={edges}
        pinned={pinned}
        firstColumn={firstColumn}
        lastColumn={lastColumn}
        isSelected={row !== undefined && isSelected(row, index)}
        level={heads && 2}
        state={row === undefined ? undefined : stateOf(row)}
        rangeFirst={inRange?.first}
        rangeLast={inRange?.last}
        fillAt={isReadOnly || index !== range.rows.last ? undefined : range.columns.last}
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

/** Orders the rows so that staying rows keep their slot, and their elements do not move in the DOM. */
export function rowsBySlot(first: number, last: number): readonly number[] {
  const slots = Math.max(0, last - first + 1)
  return Array.from({ length: slots }, (_, slot) => first + ((slot - (first % slots) + slots) % slots))
}
