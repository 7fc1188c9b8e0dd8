// The records of a schema of pictures as a wall of thumbnails: the same rows, selection and scrolling as the sheet.
// Contract 4 §2.
import { untracked, useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { sheetCommand } from '../grid/keys.ts'
import { cellId } from '../grid/row.tsx'
import { ALL_SELECTED, isSelected } from '../grid/selection.ts'
import { HEAD_HEIGHT, type SheetState } from '../grid/sheet-state.ts'
import { LAYER, rowsBySlot } from '../grid/sheet.tsx'
import { useScrolling } from '../grid/use-scrolling.ts'
import { heightOf } from '../grid/window.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { RecordsState } from './records-state.ts'
import type { SheetActions } from './sheet-actions.ts'
import { Tile } from './tile.tsx'
import type { FileName } from '../../src/core/datatypes/file.ts'
import { scopedValues } from '../../src/core/records/rules/record.ts'
import { type RecordRow, valueOfCell } from './rows.ts'
import { attributeColumn } from './columns.ts'

const ID = 'wall'
/** Pixels. */
const NARROWEST = 172
const HEIGHT = 204
/** Rows of tiles that are read ahead. */
const AHEAD = 8

interface WallProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly actions: Pick<SheetActions, 'toggle'>
  readonly onOpen: (recordId: string) => void
}

export function Wall({ records, sheet, actions, onOpen }: WallProps) {
  const { model, browser } = useConsole()
  const scroller = useRef<HTMLDivElement>(null)
  useScrolling(scroller, sheet)
  const { across, width, total } = useLayout(records, sheet)
  const schema = records.schema.value
  const extent = sheet.extent.value
  const indexOf = ({ row, column }: { readonly row: number; readonly column: number }): number =>
    Math.min(row * across + column, total - 1)
  const at = indexOf(sheet.cursor.value)
  const open = (index: number): void => {
    const found = records.store.row(index)
    if (found !== undefined) onOpen(found.record.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = sheetCommand(event, { isMac: browser.isMac, isCommanding: true })
    // Keys may arrive faster than the page is drawn.
    const present = indexOf(sheet.cursor.peek())
    if (command?.kind === 'move') sheet.move(command.move)
    else if (command?.kind === 'open' || command?.kind === 'edit') open(present)
    else if (command?.kind === 'selectRow') actions.toggle(present, event.shiftKey)
    else if (command?.kind === 'selectAll') records.selected.value = ALL_SELECTED
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const place = (index: number) => sheet.goTo({ row: Math.floor(index / across), column: index % across })
  return (
    <div class="sheet-frame">
      <div
        ref={scroller}
        class="sheet wall"
        role="grid"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a grid is a widget, and holds the focus for its cells
        tabIndex={0}
        aria-label={t('records.wall', { schema: schema === undefined ? '' : model.nameOf(schema) })}
        aria-multiselectable={true}
        aria-readonly={true}
        aria-rowcount={extent.rows}
        aria-colcount={across}
        aria-busy={records.store.isReading}
        aria-activedescendant={total > 0 ? cellId(ID, 0, at) : undefined}
        data-keys="letters"
        onKeyDown={onKeyDown}
      >
        <div class="sheet-space" role="presentation" style={{ height: `${heightOf(extent) + HEAD_HEIGHT}px` }}>
          <div class="sheet-view" role="presentation" style={{ height: `${extent.view + HEAD_HEIGHT}px` }}>
            <Tiles
              records={records}
              sheet={sheet}
              across={across}
              width={width}
              total={total}
              at={at}
              onPoint={place}
              onOpen={open}
              onToggle={(index, isRange) => actions.toggle(index, isRange)}
            />
          </div>
        </div>
      </div>
    </div>
  )
}

/** The number of tiles in a row follows the width. */
function useLayout(records: RecordsState, sheet: SheetState) {
  void records.revision.value
  const view = sheet.view.value.width
  // Nothing is drawn before the width is known.
  const total = view === 0 ? 0 : (records.store.total ?? 0)
  const across = Math.max(2, Math.floor(view / NARROWEST))
  const width = Math.floor(view / across)
  const layout = useMemo(
    () => ({
      rows: Math.ceil(total / across),
      rowHeight: HEIGHT,
      widths: Array.from({ length: across }, () => width),
      pinned: 0,
    }),
    [total, across, width],
  )
  useLayoutEffect(() => {
    sheet.layout.value = layout
  }, [sheet, layout])
  useSignalEffect(() => {
    void records.revision.value
    const { first, last } = sheet.seen.value
    const lines = Math.ceil(sheet.extent.value.view / HEIGHT)
    const count = sheet.layout.value.widths.length
    const ahead = records.store.total === undefined ? 0 : AHEAD
    const from = (first - ahead) * count
    const to = (Math.max(last, first + lines - 1) + ahead + 1) * count
    if (lines > 0) untracked(() => records.store.want(from, to))
  })
  return { across, width, total }
}

interface TilesProps extends Pick<WallProps, 'records' | 'sheet'> {
  readonly across: number
  readonly width: number
  readonly total: number
  /** The index of the cursor. */
  readonly at: number
  readonly onPoint: (index: number) => void
  readonly onOpen: (index: number) => void
  readonly onToggle: (index: number, isRange: boolean) => void
}

function Tiles({ records, sheet, across, width, total, at, onPoint, onOpen, onToggle }: TilesProps) {
  const { first, last } = sheet.drawn.value
  const { top } = sheet.place.value
  const selected = records.selected.value
  const layer = Math.floor(first / LAYER) * LAYER
  // The same functions each time, so that tiles are not drawn again.
  const events = useRef({ onPoint, onOpen, onToggle })
  Object.assign(events.current, { onPoint, onOpen, onToggle })
  const labelOf = labelOfRow(records)
  const cursorRow = Math.floor(at / across)
  const isAside = total > 0 && (cursorRow < first || cursorRow > last)
  const drawRow = (index: number, key: string | number) => (
    <div
      key={key}
      class="wall-row"
      role="row"
      aria-rowindex={index + 1}
      style={{ transform: `translateY(${(index - layer) * HEIGHT}px)`, height: `${HEIGHT}px` }}
    >
      {Array.from({ length: Math.max(0, Math.min(across, total - index * across)) }, (_, column) => {
        const place = index * across + column
        const row = records.store.row(place)
        return (
          <Tile
            key={column}
            id={cellId(ID, 0, place)}
            index={place}
            column={column}
            width={width}
            row={row}
            label={row === undefined ? String(place + 1) : labelOf(row)}
            isSelected={row !== undefined && isSelected(selected, row.record.id)}
            isCursor={place === at}
            events={events.current}
          />
        )
      })}
    </div>
  )
  return (
    <div class="sheet-rows" role="rowgroup" style={{ transform: `translateY(${layer * HEIGHT - top}px)` }}>
      {rowsBySlot(first, last).map(drawRow)}
      {isAside && drawRow(cursorRow, 'cursor')}
    </div>
  )
}

/** Names a picture by the label of its record, or else by the file's name, or else by the ID. */
function labelOfRow(records: RecordsState): (row: RecordRow) => string {
  const { schema, scope } = records
  const source = records.columnSource()
  const column = source && attributeColumn(schema.value?.labelAttribute ?? '', {}, source)
  const bar = scope.value
  return (row) => {
    const label = column?.kind === 'attribute' ? valueOfCell(row, column, bar).value : undefined
    if (typeof label === 'string') return label
    const [file] = scopedValues(row.record.values, schema.peek()?.imageAttribute ?? '')
    return (file?.value as FileName | undefined)?.fileName ?? row.record.id
  }
}
