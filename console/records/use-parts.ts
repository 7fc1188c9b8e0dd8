// The parts of the sheet: state, actions and writer, with the commands of the place.
import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type { Locale } from '../fields/field.ts'
import type { GroupTools } from '../grid/groups.ts'
import { ALL_SELECTED, NOTHING_SELECTED } from '../grid/selection.ts'
import { SheetState } from '../grid/sheet-state.ts'
import type { Console } from '../state/console.ts'
import { useCommands, useConsole } from '../state/context.ts'
import type { BulkTaskName } from '../state/panel-props.ts'
import { type Panels, usePanels } from '../state/panels.ts'
import { tellMissing } from '../state/renewed.ts'
import { t } from '../words/place.ts'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { CellWriter } from './cell-writer.ts'
import { RecordsState } from './records-state.ts'
import { scopeOfCell } from './rows.ts'
import { type CellTool, SheetActions } from './sheet-actions.ts'
import { followChanges, followMoves, holdRange, keepPlace, nextEmpty } from './sheet-life.ts'

/** The task of the bulk panel, and its first value. */
export interface BulkTask {
  readonly name: BulkTaskName
  readonly alias?: string
  readonly scope?: Scope
}

export interface OpenMenu {
  readonly index: number
  readonly anchor: HTMLElement
}

/** Tools for the cell of the cursor, with their keys outside of the sheet. */
const TOOLS = [
  ['history', 'records.cellHistory'],
  ['comments', 'records.cellComments'],
  ['find', 'records.find', 'ctrl+f'],
  // Cmd+H hides a program on a Mac.
  ['replace', 'bulk.kind.replace', 'ctrl+shift+h | ctrl+h'],
] as const

/** The parts of the sheet, which live as long as the place is shown. */
export function useParts(locale: Locale, onMenu: (menu: OpenMenu) => void) {
  const console = useConsole()
  const panels = usePanels()
  const parts = useMemo(() => makeParts(console, panels, locale, onMenu), [console])
  const { records, sheet, writer, actions } = parts
  // Runs before the first paint, and before the sheet requests rows.
  useLayoutEffect(() => {
    const stops = [
      followChanges(records, sheet, writer),
      keepPlace(records, sheet),
      followMoves(records, sheet),
      holdRange(records, sheet),
    ]
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
    ...TOOLS.map(([kind, word, keys]) => ({
      id: `records-${kind}`,
      group: 'here' as const,
      title: () => t(word),
      keys,
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
  const isFinding = signal(false)
  const actions = new SheetActions(records, sheet, writer, {
    cellTool: (asked) => (tool.value = asked),
    hasTool: () => tool.peek() !== undefined,
    find: (asked) => {
      // Letters typed before the code of the bar has loaded are no commands.
      document.querySelector<HTMLElement>('.sheet')?.focus()
      if (asked === 'find') isFinding.value = true
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
    if (sheet.editing.peek() !== null) document.querySelector<HTMLElement>('.sheet')?.focus()
    sheet.editing.value = null
    sheet.goTo({ row: 0, column: sheet.cursor.peek().column })
    sheet.scrollTo(0)
  })
  return Object.assign(made, { actions, tool, task, isFinding })
}

/** Returns the task of replacing in the column of the cursor: in the selected records, in those of the range, or in all. */
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
      else if (!records.store.isHead(at)) {
        status.complain(t('records.notRead'))
        return undefined
      }
    }
    records.selected.value = ids.length > 1 ? { kind: 'these', ids: new Set(ids) } : ALL_SELECTED
  }
  return { name: 'replace', alias: column.attribute.alias, scope: scopeOfCell(column, records.scope.peek()) }
}
