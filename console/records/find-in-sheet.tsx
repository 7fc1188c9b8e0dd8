// The search within the sheet: hits are cells, in the order of the rows. Another place contains the panel.
import type { Signal } from '@preact/signals'
import { createElement } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SheetState } from '../grid/sheet-state.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/place.ts'
import type { RecordsState } from './records-state.ts'
import { scopeOfCell } from './rows.ts'

interface FindProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly isOpen: Signal<boolean>
}

export function FindInSheet({ records, sheet, isOpen }: FindProps) {
  const panel = usePanel('find', isOpen.value)
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [isOpen.value])
  if (!isOpen.value) return null
  const close = (): void => {
    setText('')
    isOpen.value = false
    document.querySelector<HTMLElement>('.sheet')?.focus()
  }
  // Keys pressed before the panel has loaded must not reach the cell of the cursor.
  if (panel === undefined)
    return (
      <form class="toolbar" onKeyDown={(event) => event.key === 'Escape' && close()}>
        <input
          ref={field}
          class="search"
          aria-label={t('records.find')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
    )
  const bar = records.scope.value
  return createElement(panel, {
    text,
    columns: records.columns.value.map((one) =>
      one.kind === 'field' ? one : { ...one, scope: scopeOfCell(one, bar) },
    ),
    list: () => {
      const { selection, sort } = records.question.peek()
      return { selection, sort, parts: records.groups?.groups.map(({ criterion }) => criterion) ?? [] }
    },
    from: () => {
      const { row } = sheet.cursor.peek()
      return records.groups?.placeOf(row) ?? { part: 0, row }
    },
    onGo: ({ part, row, column }) => {
      const at = records.groups?.rowOf(part, row) ?? row
      // The search may have unfolded a group to show the hit.
      sheet.layout.value = { ...sheet.layout.peek(), rows: records.store.length }
      sheet.goTo({ row: at, column })
    },
    onClose: close,
  })
}
