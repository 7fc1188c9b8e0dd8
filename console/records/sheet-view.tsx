// The view of the sheet of records: loaded rows, cells, the editor above the cells. G1–G6.
import { untracked, useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type { Locale } from '../fields/field.ts'
import { showValue } from '../fields/fields.ts'
import type { EditorHost, Suggestion } from '../grid/editor-host.ts'
import { CellReason, SheetEditor } from '../grid/editor.tsx'
import { isSelected } from '../grid/selection.ts'
import type { Editing, SheetState } from '../grid/sheet-state.ts'
import { Sheet } from '../grid/sheet.tsx'
import { matchOptions } from '../kit/choices.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { countSelected, ALL_SELECTED, NOTHING_SELECTED } from '../grid/selection.ts'
import { isGroupSelected } from './head-actions.ts'
import type { RecordsState } from './records-state.ts'
import { RowPresence } from './row-presence.tsx'
import type { SheetActions } from './sheet-actions.ts'
import { heightOf, rowHeight } from './row-heights.ts'
import { markKey, scopeOfCell } from './rows.ts'
import { type ColumnWorld, viewOfColumn } from './sheet-columns.ts'

interface SheetViewProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly actions: SheetActions
  readonly locale: Locale
  readonly mayWrite: boolean
  readonly onMenu: (column: number, anchor: HTMLElement) => void
  readonly files: Parameters<typeof Sheet>[0]['files']
}

const WIDTHS = 'widths'
/** The same object each time: a new object would redraw every row. */
const NO_WIDTHS: ColumnWorld['widths'] = {}
const ID = 'sheet'

export function SheetView({ records, sheet, actions, locale, mayWrite, onMenu, files }: SheetViewProps) {
  const { preferences, model, browser } = useConsole()
  const widths = (preferences.ofPlace(WIDTHS) ?? NO_WIDTHS) as ColumnWorld['widths']
  const columns = records.columns.value
  const bar = records.scope.value
  const { sort } = records.query.value
  const tall = rowHeight(records)
  const names = records.names.known.value
  const views = useMemo(
    () => columns.map((column) => viewOfColumn(column, { model, locale, bar, sort, widths, mayWrite, names })),
    [columns, model, locale, bar, sort, widths, mayWrite, names],
  )
  const { total = 0 } = records.store
  const rows = records.store.length
  void records.revision.value
  const sizes = views.map(({ width }) => width)
  const layout = useMemo(
    () => ({ rows, rowHeight: tall, widths: sizes, pinned: Math.min(1, sizes.length) }),
    [rows, tall, sizes.join()],
  )
  // Rows are drawn together with their surroundings, not a frame later.
  useLayoutEffect(() => {
    const { rowHeight: before } = sheet.layout.peek()
    const { top } = sheet.place.peek()
    sheet.layout.value = layout
    // After a change of the row height, the same row stays at the top.
    if (before !== layout.rowHeight) sheet.scrollTo((top / before) * layout.rowHeight)
  }, [sheet, layout])
  useSignalEffect(() => {
    void records.revision.value
    const { first, last } = sheet.seen.value
    const rows = Math.ceil(sheet.extent.value.view / sheet.layout.value.rowHeight)
    const { ahead } = records.store
    const end = Math.max(last, first + rows - 1)
    if (rows > 0)
      untracked(() => {
        records.store.want(first - ahead, end + ahead)
        records.names.want({ first, last: end })
      })
  })
  const selected = records.selected.value
  const count = countSelected(selected, total)
  const host = useMemo(() => editorHost(records, actions, locale), [records, actions, locale])
  const schema = records.schema.value
  return (
    <Sheet
      id={ID}
      label={t('records.sheet', { schema: schema === undefined ? '' : model.nameOf(schema) })}
      state={sheet}
      columns={views}
      lines={heightOf(records)}
      rowAt={(index) => records.store.row(index)}
      isSelected={({ record }, index) => isSelected(selected, record.id, records.groups?.groupAt(index)?.key)}
      heads={headsOf(records)}
      stateOf={({ state }) => state}
      head={{
        selection: count === 0 ? 'none' : count === total ? 'all' : 'some',
        words: {
          column: t('records.column'),
          selectAll: t('records.selectAll'),
          readOnly: t('records.readOnly'),
        },
        onSelectAll: () => {
          records.selected.value = count > 0 ? NOTHING_SELECTED : ALL_SELECTED
        },
        onMenu,
        onResize: (column, width) => preferences.setPlace(WIDTHS, { ...widths, [views[column]!.key]: width }),
      }}
      keys={{ isMac: browser.isMac, isCommanding: count > 0 && preferences.letterKeys.value }}
      isBusy={records.store.isReading}
      isReadOnly={!mayWrite}
      host={actions}
      files={files}
    >
      <SheetEditor id={ID} state={sheet} host={host} />
      <RowPresence records={records} sheet={sheet} />
      <Refusal records={records} sheet={sheet} />
    </Sheet>
  )
}

/** The reason why the cell of the cursor was refused. */
function Refusal({ records, sheet }: Pick<SheetViewProps, 'records' | 'sheet'>) {
  void records.revision.value
  const cell = sheet.cursor.value
  const column = records.columns.value[cell.column]
  const row = records.store.row(cell.row)
  if (row === undefined || row.marks.size === 0 || column?.kind !== 'attribute') return null
  const mark = row.marks.get(markKey(column.attribute.alias, scopeOfCell(column, records.scope.value)))
  return mark?.kind === 'refused' ? <CellReason id={ID} state={sheet} text={mark.message} /> : null
}

/** Undefined: the rows are one list. */
function headsOf(records: RecordsState): Parameters<typeof Sheet>[0]['heads'] {
  const { groups, groupTools } = records
  const by = records.groupBy()
  if (groups === undefined || groupTools === undefined || by === undefined) return undefined
  return {
    isHead: (index) => groups.isHead(index),
    draw: (row) => {
      const group = groups.groupAt(row.index)!
      const isChosen = records.selected.value === ALL_SELECTED || isGroupSelected(records, group.key)
      return groupTools.drawHead({
        ...row,
        group,
        isFolded: groups.isFolded(group.key),
        isSelected: isChosen,
        by,
        onMore: groups.more,
      })
    },
  }
}

const FOUND = 12

function editorHost(records: RecordsState, actions: SheetActions, locale: Locale): EditorHost {
  const { model, call } = records.console
  const attributeOf = ({ cell }: Editing) => {
    const column = records.columns.peek()[cell.column]
    return column?.kind === 'attribute' ? column.attribute : undefined
  }
  return {
    commit: (editing, text, move) => actions.commit(editing, text, move),
    scopeName: (scope) => model.scopeName(scope),
    words: {
      value: (scope) => t('records.writesTo', { scope }),
      forAll: t('form.allScopes'),
      widen: t('records.widen'),
      choices: t('choices'),
    },
    reading: (editing, text) => {
      const attribute = attributeOf(editing)
      const reading = actions.read(editing, text)
      if (attribute === undefined || reading === undefined || text.trim() === '') return undefined
      if (reading.code !== undefined) return { text: reading.problem, isWrong: true }
      const shown = showValue(reading.value, attribute, locale)
      const isPlain =
        attribute.dataType === 'text' || attribute.dataType === 'richText' || attribute.dataType === 'json'
      return isPlain || shown === text.trim()
        ? undefined
        : { text: t('records.reads', { value: shown }), isWrong: false }
    },
    suggest: (editing, text, stop): readonly Suggestion[] | Promise<readonly Suggestion[]> => {
      const attribute = attributeOf(editing)
      if (attribute === undefined) return []
      if (editing.editor === 'record') return suggestRecords(text, stop)
      if (attribute.dataType === 'boolean') return [locale.yes, locale.no].map((word) => ({ id: word, text: word }))
      const last = editing.editor === 'choices' ? (text.split(/[;|\n]/).at(-1) ?? '') : text
      const isUntouched = text === editing.text
      const named = attribute.options.map((option) => ({
        id: option.id,
        name: showValue(option.id, { ...attribute, dataType: 'select' }, locale),
      }))
      return matchOptions(named, isUntouched ? '' : last).map(({ id, name }) => ({
        id,
        text: name,
        detail: name === id ? undefined : id,
      }))
    },
  }
  async function suggestRecords(text: string, stop: AbortSignal): Promise<readonly Suggestion[]> {
    if (text.trim() === '') return []
    const { body } = await call('GET /api/v1/records/suggest', {
      query: { query: text.trim(), limit: FOUND, include: 'image' },
      signal: stop,
    })
    return body.map(({ id, label, image }) => ({ id, text: id, detail: label ?? undefined, picture: image }))
  }
}
