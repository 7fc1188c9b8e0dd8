// One row of a sheet, drawn again only after its own changes. A row that leaves the screen gives its element to another
// row. G1, G2.
import { Component } from 'preact'
import { own } from '../../src/kernel/own.ts'
import { StateRing } from '../kit/state-mark.tsx'
import { Thumb } from '../kit/thumb.tsx'
import type { Picture } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import type { CellRange } from './cursor.ts'
import { HANDLE_WIDTH } from './sheet-state.ts'
import type { Span } from './window.ts'

/** The content of a cell. */
export interface CellView {
  readonly text: string
  /** quiet: the value is inherited. */
  readonly ink: 'full' | 'quiet'
  /** The number of narrower scopes with a different value. */
  readonly more?: number
  readonly mark?: 'saving' | 'refused' | undefined
  /** True: the value has open threads. */
  readonly hasThreads?: boolean | undefined
  /** Whether a required value is missing. */
  readonly isMissing?: boolean | undefined
  /** The origin of the value or the reason of a refusal, for pointers and screen readers. */
  readonly hint?: string | undefined
  /** A percentage, drawn as a bar. */
  readonly percent?: number | undefined
  readonly picture?: Picture | undefined
  /** The position of a state in its workflow, drawn as a ring. */
  readonly state?: { readonly at: number; readonly count: number } | undefined
  /** Options of a list, drawn as chips instead of the text. */
  readonly chips?: readonly Chip[] | undefined
}

interface Chip {
  readonly text: string
  /** From 0 to 5, as `.hue-0` in the styles. */
  readonly hue: number
}

export interface DrawnColumn<Row> {
  readonly key: string
  readonly width: number
  readonly align: 'start' | 'end'
  readonly isEditable: boolean
  readonly view: (row: Row) => CellView
}

/** gone: the record no longer matches the query; moving: it goes to another group; deleted: it is deleted. */
export type RowState = 'gone' | 'moving' | 'deleted'

interface RowProps<Row> {
  readonly sheetId: string
  readonly index: number
  readonly top: number
  readonly height: number
  readonly row: Row | undefined
  readonly columns: readonly DrawnColumn<Row>[]
  readonly edges: readonly number[]
  readonly pinned: number
  readonly firstColumn: number
  readonly lastColumn: number
  readonly isSelected: boolean
  /** In a sheet with groups: the level below the heads. */
  readonly level: 2 | undefined
  readonly state: RowState | undefined
  /** The column of the cursor, if the cursor is in this row. */
  readonly cursor: number | undefined
  /** The columns of the range in this row, if the range has several cells. */
  readonly rangeFirst: number | undefined
  /** The column with the handle that fills further cells. */
  readonly fillAt: number | undefined
  readonly rangeLast: number | undefined
}

export function cellId(sheetId: string, row: number, column: number): string {
  return `${sheetId}-${row}-${column}`
}

/** Returns the columns of the range in the row; undefined: the range has one cell. */
export function rangeIn({ rows, columns }: CellRange, row: number): Span | undefined {
  const isOneCell = rows.first === rows.last && columns.first === columns.last
  return isOneCell || row < rows.first || row > rows.last ? undefined : columns
}

export class SheetRow<Row> extends Component<RowProps<Row>> {
  override shouldComponentUpdate(next: Readonly<RowProps<Row>>): boolean {
    const before = this.props as unknown as Readonly<Record<string, unknown>>
    const after = next as unknown as Readonly<Record<string, unknown>>
    return Object.keys(after).some((name) => name !== 'children' && after[name] !== own(before, name))
  }

  override render({
    index,
    top,
    height,
    row,
    isSelected,
    level,
    state,
    edges,
    pinned,
    firstColumn,
    lastColumn,
    cursor,
  }: RowProps<Row>) {
    const width = HANDLE_WIDTH + edges.at(-1)!
    const isAside = cursor !== undefined && cursor >= pinned && (cursor < firstColumn || cursor > lastColumn)
    return (
      <div
        class="sheet-row"
        role="row"
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        aria-level={level}
        data-row={index}
        data-state={state}
        data-odd={index % 2 === 1 ? '' : undefined}
        style={{ transform: `translateY(${top}px)`, height: `${height}px`, width: `${width}px` }}
      >
        <div class="sheet-handle" role="rowheader" aria-colindex={1} data-handle="">
          <span class="sheet-check" />
          <span class="unseen">{index + 1}</span>
        </div>
        {this.#cells(0, pinned - 1)}
        <div
          role="presentation"
          style={{ width: `${Math.max(0, edges[firstColumn]! - edges[pinned]!)}px`, flex: 'none' }}
        />
        {row === undefined && pinned === 0 ? (
          <span class="sheet-number">{index + 1}</span>
        ) : (
          this.#cells(firstColumn, lastColumn)
        )}
        {isAside && this.#cell(cursor, edges[cursor]! + HANDLE_WIDTH)}
      </div>
    )
  }

  #cells(first: number, last: number) {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => this.#cell(first + at))
  }

  /** @param left position outside the flow: the cursor cell is always in the DOM, also out of view */
  #cell(at: number, left?: number) {
    const { sheetId, index, row, columns, edges, pinned, cursor, rangeFirst, rangeLast, fillAt } = this.props
    const column = columns[at]!
    const isPinned = at < pinned
    const view = row === undefined ? undefined : column.view(row)
    const isInRange = rangeFirst !== undefined && at >= rangeFirst && at <= rangeLast!
    const aside = left === undefined ? {} : { position: 'absolute', left: `${left}px` }
    const place = isPinned ? { left: `${HANDLE_WIDTH + edges[at]!}px` } : aside
    return (
      <div
        key={left === undefined ? column.key : `aside ${column.key}`}
        id={cursor === at ? cellId(sheetId, index, at) : undefined}
        class={isPinned ? 'sheet-cell sheet-pinned' : 'sheet-cell'}
        role="gridcell"
        aria-colindex={at + 2}
        aria-describedby={cursor === at && view?.mark === 'refused' ? `${sheetId}-reason` : undefined}
        data-column={at}
        data-align={column.align}
        {...attributesOf(column.isEditable, view)}
        data-cursor={cursor === at ? '' : undefined}
        data-range={isInRange ? '' : undefined}
        style={{ width: `${column.width}px`, ...place }}
      >
        {view === undefined ? at === 0 && <span class="sheet-number">{index + 1}</span> : <CellContent view={view} />}
        {at === fillAt && <span class="sheet-fill" data-fill="" aria-hidden="true" />}
      </div>
    )
  }
}

/** The ARIA members of a cell. Some checkers do not know all of them yet. */
function attributesOf(
  isEditable: boolean,
  { hint, ink, mark, hasThreads = false, isMissing = false }: Partial<CellView> = {},
) {
  return {
    title: hint,
    'aria-description': hint,
    'aria-readonly': !isEditable,
    'aria-invalid': mark === 'refused' || undefined,
    'data-ink': ink,
    'data-mark': mark,
    'data-threads': hasThreads ? '' : undefined,
    'data-missing': isMissing ? '' : undefined,
  }
}

function CellContent({ view }: { readonly view: CellView }) {
  const { text, more = 0, percent, picture, state, chips } = view
  if (picture !== undefined) return <Thumb picture={picture} alt={t('field.image')} />
  return (
    <>
      {percent !== undefined && <meter class="sheet-bar" min={0} max={100} value={percent} aria-hidden="true" />}
      {state !== undefined && <StateRing {...state} />}
      <span class="sheet-text" dir="auto">
        {chips === undefined ? text : <Chips chips={chips} />}
      </span>
      {more > 0 && <span class="sheet-more">+{more}</span>}
    </>
  )
}

function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  return chips.map(({ text, hue }, at) => (
    <>
      {at > 0 && <span class="unseen">, </span>}
      <span class={`sheet-chip hue-${hue}`}>{text}</span>
    </>
  ))
}
