// The place of records: the sheet and its surroundings. Contract 3 §1, 3 §2, 3 §7. The address holds every state that a
// colleague could want to see (`query.ts`).
import { useComputed } from '@preact/signals'
import { useState } from 'preact/hooks'
import { useLocale } from '../fields/use-locale.ts'
import { Select } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { ErrorBox, LoadingLine } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { Bulk, RecordBeside } from './beside.tsx'
import { CellTools } from './cell-tools.tsx'
import { CellLine } from './cell-line.tsx'
import { ColumnMenu } from './column-menu.tsx'
import type { SheetColumn } from './columns.ts'
import { FindInSheet } from './find-in-sheet.tsx'
import { NoSchema, NothingFound } from './nothing-found.tsx'
import type { RecordsState } from './records-state.ts'
import { RowFiles, useRowFiles } from './row-files.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SheetView } from './sheet-view.tsx'
import { Toolbar, type ToolbarProps } from './toolbar.tsx'
import { type OpenMenu, useParts } from './use-parts.ts'
import { Wall } from './wall.tsx'
import { createElement } from 'preact'
import { usePanel } from '../state/panels.ts'
import { PopoverButton } from '../kit/popover.tsx'

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

/** The sheet, or the message that replaces it; beside it, the open record and the bulk edit. */
function Body({
  records,
  sheet,
  writer,
  actions,
  locale,
  tool,
  task,
  isFinding,
  mayWrite,
  onMenu,
}: ReturnType<typeof useParts> & {
  readonly mayWrite: boolean
  readonly onMenu: (index: number, anchor: HTMLElement) => void
}) {
  const { router } = useConsole()
  const isWall = records.isWall.value
  // New rows change nothing else around the sheet.
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
            <FindInSheet records={records} sheet={sheet} isOpen={isFinding} />
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

interface NewRecordProps {
  readonly records: RecordsState
  readonly onMade: (recordId: string) => void
}

/** The button for a new record. */
function NewRecord({ records, onMade }: NewRecordProps) {
  const { model, router } = useConsole()
  const schema = records.schema.value
  const isOpen = router.query.value['new'] !== undefined
  const panel = usePanel('newRecord', isOpen)
  if (schema === undefined || !model.may('records.create')) return null
  const onOpen = (isNew: boolean) => router.setQuery({ new: isNew ? '1' : undefined })
  // The form receives the focus when it opens, so the popover waits for its code.
  return (
    <PopoverButton
      label={t('records.new')}
      icon="add"
      kind="main"
      open={{ isOpen: isOpen && panel !== undefined, onOpen }}
    >
      {(close) =>
        createElement(panel!, {
          schemaId: schema.id,
          onMade: (id) => {
            records.made.add(id)
            records.renew()
            close()
            onMade(id)
          },
        })
      }
    </PopoverButton>
  )
}
