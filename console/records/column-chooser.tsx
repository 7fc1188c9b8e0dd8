// The columns of the sheet: a searchable list of all possible columns. G7, G9.
import { useState } from 'preact/hooks'
import { fold } from '../kit/choices.ts'
import { Button } from '../kit/button.tsx'
import { Segmented } from '../kit/chips.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { attributeColumn, COLUMN_FIELDS, fieldColumn, type SheetColumn } from './columns.ts'
import { PopoverButton } from '../kit/popover.tsx'
import type { RecordsState } from './records-state.ts'
import { heightOf, HEIGHTS, setHeight } from './row-heights.ts'

/** Longest list; the search finds attributes beyond. */
const SHOWN = 300

export function ColumnChooser({ records }: { readonly records: RecordsState }) {
  return (
    <PopoverButton label={t('form.columns')} icon="model" kind="quiet" hasOnlyIcon>
      {() => <ColumnList records={records} />}
    </PopoverButton>
  )
}

function ColumnList({ records }: { readonly records: RecordsState }) {
  const { model, router } = useConsole()
  const [text, setText] = useState('')
  const source = records.columnSource()
  if (source === undefined) return null
  const nameOf = (column: SheetColumn): string =>
    column.kind === 'field' ? t(`field.${column.field}`) : model.nameOf(column.attribute)
  const all: SheetColumn[] = [
    ...source.attributes.flatMap(({ alias }) => attributeColumn(alias, {}, source) ?? []),
    ...COLUMN_FIELDS.flatMap((field) => fieldColumn(field, source) ?? []),
  ]
  const shown = new Map(records.columns.value.map((column) => [column.key, column]))
  const scoped = records.columns.value.filter(({ key }) => !all.some((column) => column.key === key))
  const wanted = fold(text.trim())
  const found = [...scoped, ...all].filter((column) => fold(`${nameOf(column)} ${column.key}`).includes(wanted))
  const toggle = (column: SheetColumn, isShown: boolean): void =>
    records.changeColumns((columns) =>
      isShown ? [...columns, column] : columns.filter(({ key }) => key !== column.key),
    )
  return (
    <div class="chooser">
      <Segmented
        label={t('records.height')}
        value={heightOf(records)}
        choices={HEIGHTS.map((id) => ({ id, name: t(`records.height.${id}`) }))}
        onChange={(height) => setHeight(records, height)}
      />
      <TextField label={t('records.columnsFind')} type="search" value={text} onInput={setText} />
      <div class="chooser-list">
        {found.slice(0, SHOWN).map((column) => (
          <Checkbox
            key={column.key}
            label={
              <span dir="auto">
                {nameOf(column)}
                {column.kind === 'attribute' && (
                  <small class="quiet"> {scopeOf(column, model.scopeName(column.scope))}</small>
                )}
              </span>
            }
            isChecked={shown.has(column.key)}
            onChange={(isShown) => toggle(column, isShown)}
          />
        ))}
      </div>
      <Button kind="quiet" onClick={() => router.setQuery({ cols: undefined })}>
        {t('records.columnsFirst')}
      </Button>
    </div>
  )
}

function scopeOf({ attribute }: Extract<SheetColumn, { readonly kind: 'attribute' }>, scope: string): string {
  return scope === '' ? attribute.alias : `${attribute.alias} [${scope}]`
}
