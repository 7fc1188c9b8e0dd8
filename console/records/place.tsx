// The place of records: the sheet and its surroundings. Contract 3 §1, 3 §2, 3 §7. The address holds every state that a
// colleague could want to see (`query.ts`).
import { signal, useComputed } from '@preact/signals'
import { createElement } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Locale } from '../fields/field.ts'
import { useLocale } from '../fields/use-locale.ts'
import { SheetState } from '../grid/sheet-state.ts'
import { Select } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { ErrorBox, LoadingLine } from '../kit/states.tsx'
import type { Console } from '../state/console.ts'
import type { GroupTools } from '../grid/groups.ts'
import { type BulkTaskName, type Panels, usePanel, usePanels } from '../state/panels.ts'
import { useCommands, useConsole } from '../state/context.ts'
import { tellMissing } from '../state/renewed.ts'
import { t } from '../words/place.ts'
import { ALL_SELECTED, countSelected, NOTHING_SELECTED, toBulkSelection } from '../grid/selection.ts'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { CellTools } from './cell-tools.tsx'
import { CellLine } from './cell-line.tsx'
import { CellWriter } from './cell-writer.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { SheetColumn } from './columns.ts'
import { NewRecord } from './new-record.tsx'
import { NoSchema, NothingFound } from './nothing-found.tsx'
import { RecordsState } from './records-state.ts'
import { RowFiles, useRowFiles } from './row-files.tsx'
import { listAround, scopeOfCell } from './rows.ts'
import { SelectionBar } from './selection-bar.tsx'
import { type CellTool, SheetActions } from './sheet-actions.ts'
import { followChanges, keepPlace, nextEmpty } from './sheet-life.ts'
import { SheetView } from './sheet-view.tsx'
import { Toolbar, type ToolbarProps } from './toolbar.tsx'
import { Wall } from './wall.tsx'

/** The task of the bulk panel, and the value that it begins with. */
interface BulkTask {
  readonly name: BulkTaskName
  readonly alias?: string
  readonly scope?: Scope
}

interface OpenMenu {
  readonly index: number
  readonly anchor: HTMLElement
}

export function Records() {
  const { model, router } = useConsole()
  const locale = useLocale()
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined)
  const parts = useParts(locale, setMenu)
  const { records } = parts
  const [filter, setFilter] = useState<ToolbarProps['filter']>(undefined)
  const { value: error } = records.error
  if (records.schema.value === undefined)
    return (
      <>
        <PlaceHead title={t('place.records')} />
        <NoSchema />
      </>
    )
  return (
    <div class="records">
      <PlaceHead
        title={t('place.records')}
        hasScope
        heading={<SchemaHeading records={records} />}
        actions={<NewRecord records={records} onMade={(id) => router.setQuery({ open: id }, { isStep: true })} />}
      />
      <Reading records={records} />
      <Toolbar records={records} sheet={parts.sheet} locale={locale} filter={filter} onFilter={setFilter} />
      {error !== undefined && <ErrorBox error={error} onRetry={() => records.retry()} />}
      <Body
        {...parts}
        mayWrite={model.may('records.update')}
        onMenu={(index, anchor) => setMenu(menu?.index === index ? undefined : { index, anchor })}
      />
      {menu !== undefined && (
        <ColumnMenu
          records={records}
          index={menu.index}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
          onFilter={(column) => setFilter({ target: targetOf(column), anchor: menu.anchor })}
        />
      )}
    </div>
  )
}

/** The sheet, or what is said instead of it; beside it, the open record and the bulk edit. */
function Body({
  records,
  sheet,
  writer,
  actions,
  locale,
  tool,
  task,
  mayWrite,
  onMenu,
}: ReturnType<typeof useParts> & {
  readonly mayWrite: boolean
  readonly onMenu: (index: number, anchor: HTMLElement) => void
}) {
  const { router } = useConsole()
  const isWall = records.isWall.value
  // New rows change nothing else in the surroundings.
  const isEmpty = useComputed(() => {
    void records.revision.value
    return records.store.total === 0 && records.store.isCurrent
  }).value
  const shared = { records, sheet, locale, mayWrite }
  const rowFiles = useRowFiles(records)
  return (
    <div class="records-body">
      <div class="records-main" data-region>
        {isEmpty && <NothingFound records={records} locale={locale} />}
        {!isEmpty && isWall && (
          <Wall
            records={records}
            sheet={sheet}
            actions={actions}
            onOpen={(id) => router.setQuery({ open: id }, { isStep: true })}
          />
        )}
        {!isEmpty && !isWall && (
          <>
            <SheetView {...shared} actions={actions} onMenu={onMenu} files={rowFiles.files} />
            <CellLine {...shared} />
          </>
        )}
        <RowFiles records={records} writer={writer} {...rowFiles} />
        <SelectionBar records={records} onTask={(name) => (task.value = { name })} />
        {!isWall && <CellTools records={records} sheet={sheet} writer={writer} tool={tool} />}
      </div>
      <RecordBeside records={records} sheet={sheet} writer={writer} />
      {task.value !== undefined && (
        <Bulk records={records} task={task.value} onClose={() => (task.value = undefined)} />
      )}
    </div>
  )
}

/** Tools for the cell of the cursor, as they stand in the command line. */
const TOOLS = [
  ['history', 'records.cellHistory'],
  ['comments', 'records.cellComments'],
  ['replace', 'bulk.kind.replace'],
] as const

/** The parts of the sheet, which live as long as the place is shown. */
function useParts(locale: Locale, onMenu: (menu: OpenMenu) => void) {
  const console = useConsole()
  const panels = usePanels()
  const parts = useMemo(() => makeParts(console, panels, locale, onMenu), [console])
  const { records, sheet, writer, actions } = parts
  // Runs before the first paint, and before the sheet requests rows.
  useLayoutEffect(() => {
    const stops = [followChanges(records, sheet, writer), keepPlace(records, sheet)]
    return () => {
      for (const stop of stops) stop()
      records.close()
    }
  }, [parts])
  parts.locale = locale
  useCommands(() => [
    { id: 'records-renew', group: 'here', title: () => t('records.renew'), run: () => records.renew() },
    {
      id: 'records-all',
      group: 'here',
      title: () => t('records.selectAll'),
      run: () => actions.command({ kind: 'selectAll' }),
    },
    ...TOOLS.map(([kind, word]) => ({
      id: `records-${kind}`,
      group: 'here' as const,
      title: () => t(word),
      run: () => actions.command({ kind }),
    })),
  ])
  return parts
}

function makeParts(console: Console, { groups }: Panels, locale: Locale, onMenu: (menu: OpenMenu) => void) {
  const { model, router, status } = console
  const loadTools = groups && (() => groups().catch(() => void tellMissing(console)) as Promise<GroupTools | undefined>)
  const records = new RecordsState(console, loadTools)
  const sheet = new SheetState()
  const writer = new CellWriter(records)
  const made = { records, sheet, writer, locale }
  const tool = signal<CellTool | undefined>(undefined)
  const task = signal<BulkTask | undefined>(undefined)
  const actions = new SheetActions(records, sheet, writer, {
    cellTool: (asked) => (tool.value = asked),
    find: (asked) => {
      if (asked === 'find') document.querySelector<HTMLInputElement>('.search')?.select()
      else task.value = replaceIn(records, sheet)
    },
    locale: () => made.locale,
    mayWrite: () => model.may('records.update'),
    open: (recordId) => router.setQuery({ open: recordId }, { isStep: true }),
    nextMissing: () => nextEmpty(records, sheet),
    columnMenu: (index) => {
      const anchor = document.querySelector<HTMLElement>(`.sheet-title[aria-colindex="${index + 2}"]`)
      if (anchor !== null) onMenu({ index, anchor })
    },
  })
  // The surroundings are drawn while the server searches for the first rows.
  records.start(() => {
    if (records.selected.peek() !== NOTHING_SELECTED) status.tell(t('records.selectionEnded'))
    records.selected.value = NOTHING_SELECTED
    sheet.editing.value = null
    sheet.goTo({ row: 0, column: sheet.cursor.peek().column })
    sheet.scrollTo(0)
  })
  return Object.assign(made, { actions, tool, task })
}

/** Find and replace in the column of the cursor: in the selected records, in those of the range, or in all. */
function replaceIn(records: RecordsState, sheet: SheetState): BulkTask | undefined {
  const { model, status } = records.console
  const column = records.columns.peek()[sheet.cursor.peek().column]
  const isText = column?.kind === 'attribute' && dataTypeOf(column.attribute).isText
  if (!isText || column.access !== 'write' || !model.may('records.update')) {
    status.tell(t('records.replaceClosed'))
    return undefined
  }
  if (records.selected.peek() === NOTHING_SELECTED) {
    const { rows } = sheet.range.peek()
    const ids: string[] = []
    for (let at = rows.first; at <= rows.last; at += 1) {
      const row = records.store.row(at)
      if (row !== undefined) ids.push(row.record.id)
    }
    records.selected.value = ids.length > 1 ? { kind: 'these', ids: new Set(ids) } : ALL_SELECTED
  }
  return { name: 'replace', alias: column.attribute.alias, scope: scopeOfCell(column, records.scope.peek()) }
}

function Reading({ records }: { readonly records: RecordsState }) {
  void records.revision.value
  return <LoadingLine isBusy={records.store.isReading} />
}

function targetOf(column: SheetColumn): string {
  return column.kind === 'field' ? column.key : column.attribute.alias
}

function SchemaHeading({ records }: { readonly records: RecordsState }) {
  const { model, router } = useConsole()
  const schemas = model.schemas.value
  const schema = records.schema.value!
  if (schemas.length === 1) return <>{model.nameOf(schema)}</>
  return (
    <Select
      label={t('schema')}
      value={schema.id}
      choices={schemas.map((one) => ({ id: one.id, name: model.nameOf(one) }))}
      onChange={(id) => router.go({ place: 'records', query: { ...scopeOf(router.query.peek()), schema: id } })}
    />
  )
}

function scopeOf({ scope }: Readonly<Record<string, string>>): Record<string, string> {
  return scope === undefined ? {} : { scope }
}

interface BesideProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly writer: CellWriter
}

/** The open record of the address, beside the sheet. */
function RecordBeside({ records, sheet, writer }: BesideProps) {
  const { router } = useConsole()
  const recordId = router.query.value['open']
  const panel = usePanel('record', recordId !== undefined)
  if (recordId === undefined || panel === undefined) return null
  void records.revision.value
  const found = [...records.store.entries()].find(([, { record }]) => record.id === recordId)
  const total = records.store.total ?? 0
  const step = (by: 1 | -1): void => {
    let to = (found?.[0] ?? sheet.cursor.peek().row) + by
    while (records.store.isHead(to)) to += by
    const next = records.store.row(to)
    const across = sheet.layout.peek().widths.length
    const wall = { row: Math.floor(to / across), column: to % across }
    sheet.goTo(records.isWall.peek() ? wall : { row: to, column: sheet.cursor.peek().column })
    if (next !== undefined) router.setQuery({ open: next.record.id })
  }
  return createElement(panel, {
    key: recordId,
    recordId,
    place: found === undefined ? undefined : { at: records.store.numberOf(found[0]) + 1, total },
    list: found === undefined ? undefined : () => listAround(found[0], total, (index) => records.store.row(index)),
    onStep: step,
    onClose: () => {
      router.setQuery({ open: undefined })
      document.querySelector<HTMLElement>('.sheet')?.focus()
    },
    onChanged: (id) => void writer.readAgain([id]).catch(() => undefined),
  })
}

function Bulk({
  records,
  task,
  onClose,
}: {
  readonly records: RecordsState
  readonly task: BulkTask
  readonly onClose: () => void
}) {
  const panel = usePanel('bulk', true)
  void records.revision.value
  const selected = records.selected.value
  const count = countSelected(selected, records.store.total ?? 0)
  if (panel === undefined || count === 0) return null
  return createElement(panel, {
    selection: toBulkSelection(selected, records.question.value.selection),
    count,
    task: task.name,
    target: task.alias === undefined ? undefined : { alias: task.alias, scope: task.scope ?? {} },
    key: `${task.name} ${task.alias}`,
    schemaId: records.query.value.schemaId,
    onClose,
    onDone: () => records.renew(),
  })
}
