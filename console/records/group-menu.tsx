// The button of groups. The place of groups contains its panel.
import { createElement } from 'preact'
import { useState } from 'preact/hooks'
import { PopoverButton } from '../kit/popover.tsx'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/place.ts'
import { type GroupColumn, groupColumns } from './grouping.ts'
import type { RecordsState } from './records-state.ts'

export function GroupMenu({ records }: { readonly records: RecordsState }) {
  const { model } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const panel = usePanel('groupBy', isOpen)
  const column = records.groupColumn.value
  const source = records.columnSource()
  const nameOf = (one: GroupColumn): string => {
    if (one.kind === 'catalog') return t('records.groupCatalog', { name: model.nameOf(one.catalog) })
    if (one.kind === 'field') return t(`field.${one.field}`)
    const scope = model.scopeName(one.scope)
    return scope === '' ? model.nameOf(one.attribute) : `${model.nameOf(one.attribute)} [${scope}]`
  }
  if (source === undefined) return null
  const all = groupColumns(source, model.workspace.value?.catalogs ?? [])
  // A column with its own scope is listed while the rows are grouped by this column.
  const own = column === undefined || all.some(({ key }) => key === column.key) ? [] : [column]
  return (
    <PopoverButton
      label={column === undefined ? t('records.group') : t('records.groupedBy', { name: nameOf(column) })}
      title={t('records.groupColumn')}
      icon="list"
      kind="quiet"
      open={{ isOpen: isOpen && panel !== undefined, onOpen: setOpen }}
    >
      {(close) =>
        createElement(panel!, {
          options: [...own, ...all].map((one) => ({ id: one.key, name: nameOf(one) })),
          value: column?.key,
          onChange: (key) => {
            records.group(key)
            if (key !== undefined) close()
          },
          onMore: records.groups?.more,
          onFold: (isFolded) => {
            records.groups?.foldAll(isFolded)
            close()
          },
        })
      }
    </PopoverButton>
  )
}
