// A list of records. If the order can be changed, Alt with arrows and dragging move a record. C4.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { useDragging } from '../kit/dragging.ts'
import { Icon } from '../kit/icon.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'
import { t } from '../words/place.ts'
import type { FoundRecord } from './category-records.ts'

interface RecordRowsProps {
  readonly records: readonly FoundRecord[]
  readonly canOrder?: boolean
  readonly onKey?: (id: string, key: string) => void
  readonly onDrop?: (id: string, target: string) => void
  readonly onRemove?: (record: FoundRecord) => void
}

export function RecordRows({ records, canOrder = false, onKey, onDrop, onRemove }: RecordRowsProps) {
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<string | undefined>(undefined)
  const dragging = useDragging<string>((id, target) => onDrop?.(id, target))
  // A row that moves in the DOM loses the focus.
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    const rows = [...(list.current?.children ?? [])] as HTMLElement[]
    rows
      .find((row) => row.dataset['id'] === moved.current)
      ?.querySelector<HTMLElement>('.drag')
      ?.focus()
  }, [records])
  const orderKey = (event: KeyboardEvent, id: string) => {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    moved.current = id
    onKey?.(id, event.key)
  }
  return (
    <ol ref={list} class="record-rows">
      {records.map((record) => (
        <li
          key={record.id}
          data-id={record.id}
          class={dragging.over === record.id ? 'drop' : undefined}
          {...(canOrder && { ...dragging.handle(record.id, record.id), ...dragging.target(record.id) })}
        >
          <RecordRow
            record={record}
            canOrder={canOrder}
            onKey={(event) => orderKey(event, record.id)}
            onLeave={() => (moved.current = undefined)}
            onRemove={() => onRemove?.(record)}
          />
        </li>
      ))}
    </ol>
  )
}

interface RecordRowProps {
  readonly record: FoundRecord
  readonly canOrder: boolean
  /** Called for a key in the handle of the row, and when the handle loses the focus. */
  readonly onKey: (event: KeyboardEvent) => void
  readonly onLeave: () => void
  readonly onRemove: () => void
}

function RecordRow({ record, canOrder, onKey, onLeave, onRemove }: RecordRowProps) {
  const { model, scope } = useConsole()
  const schema = model.schema(record.schemaId)
  const name = labelOf(record, schema, scope.current.value)
  return (
    <>
      {canOrder && (
        <button
          type="button"
          class="drag"
          aria-label={t('categories.moveRecord', { name })}
          title={t('categories.moveRecordHelp')}
          onKeyDown={onKey}
          onBlur={onLeave}
        >
          <Icon name="drag" />
        </button>
      )}
      <a class="grow" dir="auto" draggable={false} href={writeAddress({ place: 'records', id: record.id })}>
        {name}
      </a>
      <span class="quiet">{model.stateName(schema?.workflowId ?? '', record.lifecycleStateId)}</span>
      {canOrder && <Button kind="quiet" icon="close" label={t('categories.takeOut', { name })} onClick={onRemove} />}
    </>
  )
}
