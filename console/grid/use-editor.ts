// The work of the editor of a sheet: it opens, suggests, handles keys, and passes its text to the sheet. G3.
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Move } from './cursor.ts'
import type { EditorHost, Suggestion } from './editor-host.ts'
import type { Editing, SheetState } from './sheet-state.ts'

/** Stands between several choices. */
const BETWEEN = /[;|\n]/
const SHOWN = 50

export function useEditor(state: SheetState, host: EditorHost) {
  const frame = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLInputElement>(null)
  const lines = useRef<HTMLTextAreaElement>(null)
  const marked = useSignal(-1)
  const typed = useSignal('')
  const suggestions = useSuggestions(state, host, typed, marked)
  const fieldOf = ({ editor }: Editing) => (editor === 'lines' ? lines.current! : line.current!)
  useLayoutEffect(() => {
    openers.set(state, (editing, isTyped) => {
      const field = fieldOf(editing)
      // The editor is visible at once: its field must have the focus before the browser delivers the key.
      frame.current!.style.visibility = 'visible'
      state.editing.value = editing
      field.hidden = false
      field.value = isTyped ? '' : editing.text
      typed.value = field.value
      field.focus({ preventScroll: true })
      field.setSelectionRange(field.value.length, field.value.length)
    })
    return () => void openers.delete(state)
  }, [state, typed])
  const end = (move: Move | undefined): void => {
    const open = state.editing.peek()
    if (open === null) return
    const field = fieldOf(open)
    // A text that is the beginning of a single suggestion chooses that suggestion.
    if (move !== undefined && suggestions.peek().length === 1 && host.reading(open, field.value)?.isWrong) choose(0)
    close(state, frame.current!)
    host.commit(open, field.value, move)
  }
  const choose = (at: number): void => {
    const open = state.editing.peek()
    const found = suggestions.peek()[at]
    if (open === null || found === undefined) return
    const before = open.editor === 'choices' ? line.current!.value.split(BETWEEN).slice(0, -1) : []
    line.current!.value = [...before.map((text) => text.trim()), found.text].join('; ')
    typed.value = line.current!.value
    line.current!.focus({ preventScroll: true })
  }
  /** Chooses an option, and closes the editor unless the cell takes several choices. */
  const chooseLast = (at: number, move: Move | undefined): void => {
    choose(at)
    if (state.editing.peek()?.editor !== 'choices') end(move)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.isComposing || event.key === 'Process') return
    const at = marked.peek()
    const count = suggestions.peek().length
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (isArrow && count > 0) marked.value = (at + (event.key === 'ArrowDown' ? 1 : -1) + count) % count
    else if (event.key === 'Enter' && at >= 0 && !event.altKey) chooseLast(at, event.shiftKey ? 'up' : 'down')
    else return takeEditorKey(event, { state, end, giveUp: () => close(state, frame.current!) })
    event.preventDefault()
  }
  return { frame, line, lines, suggestions, marked, typed, end, chooseLast, onKeyDown }
}

/** The suggestions for the typed text; none for free text. */
function useSuggestions(state: SheetState, host: EditorHost, typed: Signal<string>, marked: Signal<number>) {
  const suggestions = useSignal<readonly Suggestion[]>([])
  useSignalEffect(() => {
    const editing = state.editing.value
    const text = typed.value
    marked.value = -1
    if (editing === null || editing.editor === 'line' || editing.editor === 'lines') {
      suggestions.value = []
      return undefined
    }
    const stop = new AbortController()
    void Promise.resolve(host.suggest(editing, text, stop.signal)).then(
      (found) => {
        if (!stop.signal.aborted) suggestions.value = found.slice(0, SHOWN)
      },
      () => undefined,
    )
    return () => stop.abort()
  })
  return suggestions
}

type Open = (editing: Editing, isTyped: boolean) => void
const openers = new WeakMap<SheetState, Open>()

/** Opens the editor now. @param isTyped the field begins empty and receives the pressed key */
export function openEditor(state: SheetState, editing: Editing, isTyped: boolean): void {
  openers.get(state)?.(editing, isTyped)
}

/** Returns the focus to the sheet, which then handles the keys. */
function close(state: SheetState, frame: HTMLElement): void {
  const sheet = frame.parentElement?.querySelector<HTMLElement>('.sheet')
  const hadFocus = frame.contains(document.activeElement)
  state.editing.value = null
  frame.style.visibility = 'hidden'
  if (hadFocus) sheet?.focus({ preventScroll: true })
}

interface EditorActions {
  readonly state: SheetState
  readonly end: (move: Move | undefined) => void
  readonly giveUp: () => void
}

/** Keys that the list of suggestions does not use. */
function takeEditorKey(event: KeyboardEvent, { state, end, giveUp }: EditorActions): void {
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
