// The actions of a column: sort, pin, repeat in another scope, filter, hide. G7.
import { Combobox } from '../kit/combobox.tsx'
import { Menu, type MenuEntry } from '../kit/menu.tsx'
import { Popover } from '../kit/popover.tsx'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { attributeColumn, type SheetColumn, sortKeyOf } from './columns.ts'
import { mayGroup } from './grouping.ts'
import type { RecordsState } from './records-state.ts'
import { isSameKey, sortedBy } from './sheet-columns.ts'

interface ColumnMenuProps {
  readonly records: RecordsState
  readonly index: number
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly onFilter: (column: SheetColumn) => void
}

export function ColumnMenu({ records, index, anchor, onClose, onFilter }: ColumnMenuProps) {
  const { model } = useConsole()
  const column = records.columns.value[index]
  if (column === undefined) return null
  const title = column.kind === 'field' ? t(`field.${column.field}`) : model.nameOf(column.attribute)
  const entries = [
    ...sortEntries(records, column),
    ...groupEntries(records, column),
    ...placeEntries(records, index),
    ...(column.kind === 'field' && column.field === 'image'
      ? []
      : [{ title: t('records.filterColumn'), icon: 'filter', run: () => onFilter(column) } as const]),
    {
      title: t('records.hide'),
      icon: 'close',
      run: () => records.changeColumns((columns) => columns.filter((_, at) => at !== index)),
    } as const,
  ]
  return (
    <Popover title={t('records.columnMenu', { name: title })} anchor={() => anchor} onClose={onClose}>
      <Menu entries={entries} label={title} onDone={onClose} />
      {column.kind === 'attribute' && <Repeat records={records} column={column} index={index} onDone={onClose} />}
    </Popover>
  )
}

function sortEntries(records: RecordsState, column: SheetColumn): MenuEntry[] {
  const bar = records.scope.value
  const own = sortKeyOf(column, bar)
  if (own === undefined) return []
  const { sort } = records.query.value
  const others = sort.filter((key) => !isSameKey(key, own))
  const by = (direction: SortKey['direction']): MenuEntry => ({
    title: t(direction === 'asc' ? 'records.sortUp' : 'records.sortDown'),
    icon: direction === 'asc' ? 'arrowUp' : 'arrowDown',
    run: () => records.ask({ sort: [{ ...own, direction }] }),
  })
  const none: MenuEntry = { title: t('records.sortNot'), icon: 'sort', run: () => records.ask({ sort: others }) }
  return [by('asc'), by('desc'), ...(sortedBy(column, { sort, bar }) === undefined ? [] : [none])]
}

function groupEntries(records: RecordsState, column: SheetColumn): MenuEntry[] {
  if (!mayGroup(column) || records.isWall.value) return []
  const isGrouped = records.groupColumn.value?.key === column.key
  return [
    {
      title: t(isGrouped ? 'records.groupNot' : 'records.groupThis'),
      icon: 'list',
      run: () => records.group(isGrouped ? undefined : column.key),
    },
  ]
}

function placeEntries(records: RecordsState, index: number): MenuEntry[] {
  const count = records.columns.value.length
  const moveTo = (to: number): void =>
    records.changeColumns((columns) => {
      const others = columns.filter((_, at) => at !== index)
      return [...others.slice(0, to), columns[index]!, ...others.slice(to)]
    })
  return [
    ...(index > 0 ? [{ title: t('records.pin'), icon: 'pin', run: () => moveTo(0) } as const] : []),
    ...(index > 0 ? [{ title: t('records.moveLeft'), icon: 'left', run: () => moveTo(index - 1) } as const] : []),
    ...(index < count - 1
      ? [{ title: t('records.moveRight'), icon: 'right', run: () => moveTo(index + 1) } as const]
      : []),
  ]
}

type AttributeColumn = Extract<SheetColumn, { readonly kind: 'attribute' }>

/** Repeats the column in another language, which the user finds by typing, because a model may have many. */
function Repeat(props: {
  readonly records: RecordsState
  readonly column: AttributeColumn
  readonly index: number
  readonly onDone: () => void
}) {
  const { records, column, index } = props
  const { model } = records.console
  const source = records.columnSource()
  const shown = new Set(records.columns.value.map(({ key }) => key))
  const { alias, dimensionIds } = column.attribute
  const repeated = model.dimensions.value
    .filter(({ id }) => dimensionIds.includes(id))
    .flatMap(({ id, segments }) => segments.map((segment) => ({ ...column.scope, [id]: segment.id })))
    .flatMap((scope) => (source && attributeColumn(alias, scope, source)) ?? [])
    .filter(({ key }) => !shown.has(key))
  if (repeated.length === 0) return null
  return (
    <Combobox
      label={t('records.repeat')}
      placeholder={t('records.repeat')}
      options={repeated.map(({ key, scope }) => ({ id: key, name: model.scopeName(scope) }))}
      value={null}
      onChange={(option) => {
        const one = repeated.find(({ key }) => key === option?.id)
        props.onDone()
        if (one !== undefined) records.changeColumns((columns) => columns.toSpliced(index + 1, 0, one))
      }}
    />
  )
}
