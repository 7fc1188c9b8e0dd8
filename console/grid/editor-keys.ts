// Keys of a sheet's editor that its list of suggestions does not use.
import type { Move } from './cursor.ts'
import type { SheetState } from './sheet-state.ts'

interface EditorActions {
  readonly state: SheetState
  readonly end: (move: Move | undefined) => void
  readonly giveUp: () => void
}

export function takeEditorKey(event: KeyboardEvent, { state, end, giveUp }: EditorActions): void {
  const isCtrl = event.ctrlKey || event.metaKey
  if (event.key === 'Escape') giveUp()
  else if (event.key === '.' && isCtrl) state.widen()
  else if (event.key === 'Tab') end(event.shiftKey ? 'left' : 'right')
  else if (event.key === 'Enter' && event.altKey) insertLine(event.currentTarget)
  else if (event.key === 'Enter') end(event.shiftKey ? 'up' : 'down')
  else return
  event.preventDefault()
}

function insertLine(field: EventTarget | null): void {
  if (!(field instanceof HTMLTextAreaElement)) return
  field.setRangeText('\n', field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
