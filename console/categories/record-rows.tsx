// A list of records. If the order can be changed, Alt with arrows and dragging move a record. C4.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'
import { t } from '../words/place.ts'
import type { FoundRecord } from './category-records.ts'

interface RecordRowsProps {
  readonly records: readonly FoundRecord[]
  /** Undefined: the order cannot be changed. */
  readonly onKey?: ((id: string, key: string) => void) | undefined
  readonly onDrop?: (id: string, target: string) => void
  readonly onRemove?: ((id: string) => void) | undefined
}

export function RecordRows({ records, onKey, onDrop, onRemove }: RecordRowsProps) {
  const { model, scope } = useConsole()
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<string | undefined>(undefined)
  const [dragged, setDragged] = useState<string | undefined>(undefined)
  const [over, setOver] = useState<string | undefined>(undefined)
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
    if (onKey === undefined || !event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    moved.current = id
    onKey(id, event.key)
  }
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const dragging = (id: string) =>
    onKey === undefined
      ? {}
      : {
          draggable: true,
          onDragStart: (event: DragEvent) => {
            event.dataTransfer?.setData('text/plain', id)
            setDragged(id)
          },
          onDragOver: (event: DragEvent) => {
            if (dragged === undefined) return
            event.preventDefault()
            setOver(id)
          },
          onDragEnd: end,
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            if (dragged !== undefined) onDrop?.(dragged, id)
            end()
          },
        }
  return (
    <ol ref={list} class="record-rows">
      {records.map((record) => {
        const schema = model.schema(record.schemaId)
        const label = labelOf(record, schema, scope.current.value)
        return (
          <li
            key={record.id}
            data-id={record.id}
            class={over === record.id ? 'drop' : undefined}
            {...dragging(record.id)}
          >
            {onKey !== undefined && (
              <button
                type="button"
                class="drag"
                aria-label={t('categories.moveRecord', { name: label })}
                title={t('categories.moveRecordHelp')}
                onKeyDown={(event) => orderKey(event, record.id)}
                onBlur={() => (moved.current = undefined)}
              >
                <Icon name="drag" />
              </button>
            )}
            <a class="grow" dir="auto" draggable={false} href={writeAddress({ place: 'records', id: record.id })}>
              {label}
            </a>
            <span class="quiet">{model.stateName(schema?.workflowId ?? '', record.lifecycleStateId)}</span>
            {onRemove !== undefined && (
              <Button
                kind="quiet"
                icon="close"
                label={t('categories.takeOut', { name: label })}
                onClick={() => onRemove(record.id)}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}
