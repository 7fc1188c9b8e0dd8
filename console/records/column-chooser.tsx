// The button of columns. The place of views contains the list. G7, G9.
import { createElement } from 'preact'
import { useState } from 'preact/hooks'
import { PopoverButton } from '../kit/popover.tsx'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/place.ts'
import { attributeColumn, COLUMN_FIELDS, fieldColumn, type SheetColumn } from './columns.ts'
import type { RecordsState } from './records-state.ts'
import { heightOf, setHeight } from './row-heights.ts'

export function ColumnChooser({ records }: { readonly records: RecordsState }) {
  const { model, router } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const panel = usePanel('columns', isOpen)
  const columns = isOpen ? columnsOf(records) : []
  const shown = new Set(records.columns.value.map(({ key }) => key))
  return (
    <PopoverButton
      label={t('form.columns')}
      icon="columns"
      kind="quiet"
      hasOnlyIcon
      open={{ isOpen: isOpen && panel !== undefined, onOpen: setOpen }}
    >
      {() =>
        createElement(panel!, {
          columns: columns.map((column) => ({
            key: column.key,
            isShown: shown.has(column.key),
            ...(column.kind === 'field'
              ? { name: t(`field.${column.field}`), detail: '' }
              : { name: model.nameOf(column.attribute), detail: detailOf(column, model.scopeName(column.scope)) }),
          })),
          height: heightOf(records),
          onToggle: (key, isShown) =>
            records.changeColumns((now) =>
              isShown ? [...now, columns.find((one) => one.key === key)!] : now.filter((one) => one.key !== key),
            ),
          onFirst: () => router.setQuery({ cols: undefined }),
          onHeight: (height) => setHeight(records, height),
        })
      }
    </PopoverButton>
  )
}

/** Returns the columns: shown columns with their own scope come first. */
function columnsOf(records: RecordsState): SheetColumn[] {
  const source = records.columnSource()
  if (source === undefined) return []
  const all: SheetColumn[] = [
    ...source.attributes.flatMap(({ alias }) => attributeColumn(alias, {}, source) ?? []),
    ...COLUMN_FIELDS.flatMap((field) => fieldColumn(field, source) ?? []),
  ]
  const keys = new Set(all.map(({ key }) => key))
  return [...records.columns.value.filter(({ key }) => !keys.has(key)), ...all]
}

function detailOf({ attribute }: Extract<SheetColumn, { readonly kind: 'attribute' }>, scope: string): string {
  return scope === '' ? attribute.alias : `${attribute.alias} [${scope}]`
}
