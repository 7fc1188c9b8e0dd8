// The one editor of a sheet. It stands above the cells, so that redrawn rows do not affect it. Its fields exist in
// advance: the key that opens the editor goes into the field, also with dead keys and input methods. G3.
import { useSignal, useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Move } from './cursor.ts'
import { EditorFoot, labelOf } from './editor-foot.tsx'
import type { EditorHost, Suggestion } from './editor-host.ts'
import { takeEditorKey } from './editor-keys.ts'
import { HANDLE_WIDTH, HEAD_HEIGHT, type Editing, type SheetState } from './sheet-state.ts'

/** Hands the text of a chosen suggestion to the field: several choices stand behind each other. */
const BETWEEN = /[;|\n]/

interface EditorProps {
  readonly id: string
  readonly state: SheetState
  readonly host: EditorHost
}

/** Pixels; wider where the cell is. */
const NARROWEST = 180
const LINES_WIDTH = 320
const SHOWN = 50

export function SheetEditor({ id, state, host }: EditorProps) {
  const frame = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLInputElement>(null)
  const lines = useRef<HTMLTextAreaElement>(null)
  const suggestions = useSignal<readonly Suggestion[]>([])
  const marked = useSignal(-1)
  const typed = useSignal('')
  useLayoutEffect(() => {
    openers.set(state, (editing, isTyped) => {
      const field = editing.editor === 'lines' ? lines.current! : line.current!
      // Visible at once: the field must take the focus before the browser delivers the key.
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
  const editing = state.editing.value
  const isLines = editing?.editor === 'lines'
  const end = (move: Move | undefined): void => {
    const open = state.editing.peek()
    if (open === null) return
    const field = open.editor === 'lines' ? lines.current! : line.current!
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
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.isComposing || event.key === 'Process') return
    const at = marked.peek()
    const count = suggestions.peek().length
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (isArrow && count > 0) {
      marked.value = (at + (event.key === 'ArrowDown' ? 1 : -1) + count) % count
      event.preventDefault()
    } else if (event.key === 'Enter' && at >= 0 && !event.altKey) {
      choose(at)
      event.preventDefault()
      if (state.editing.peek()?.editor !== 'choices') end(event.shiftKey ? 'up' : 'down')
    } else takeEditorKey(event, { state, end, giveUp: () => close(state, frame.current!) })
  }
  const fieldProps = {
    tabIndex: -1,
    dir: 'auto' as const,
    spellcheck: true,
    autocomplete: 'off' as const,
    'aria-describedby': `${id}-scope ${id}-reading`,
    onKeyDown,
    onInput: (event: Event) => (typed.value = (event.currentTarget as HTMLInputElement).value),
    // The field keeps the focus if the whole window loses it.
    onBlur: () => document.hasFocus() && end(undefined),
  }
  const isChoice = editing !== null && !isLines && editing.editor !== 'line'
  return (
    <div
      ref={frame}
      class="sheet-editor"
      style={{ visibility: editing === null ? 'hidden' : 'visible', ...placeOf(state, editing) }}
    >
      <input
        ref={line}
        type="text"
        hidden={isLines}
        {...fieldProps}
        aria-label={labelOf(editing, host)}
        {...(isChoice
          ? {
              role: 'combobox' as const,
              'aria-expanded': suggestions.value.length > 0,
              'aria-controls': `${id}-choices`,
              'aria-activedescendant': marked.value < 0 ? undefined : `${id}-choice-${marked.value}`,
            }
          : {})}
      />
      <textarea ref={lines} hidden={!isLines} rows={1} {...fieldProps} aria-label={labelOf(editing, host)} />
      {editing !== null && <EditorFoot id={id} state={state} host={host} editing={editing} text={typed.value} />}
      {isChoice && suggestions.value.length > 0 && (
        <div id={`${id}-choices`} class="sheet-choices" role="listbox" aria-label={host.words.choices}>
          {suggestions.value.map((found, at) => (
            // Keys are those of the field, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={found.id}
              id={`${id}-choice-${at}`}
              role="option"
              aria-selected={at === marked.value}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => {
                choose(at)
                if (editing.editor !== 'choices') end(undefined)
              }}
            >
              <span dir="auto">{found.text}</span>
              {found.detail !== undefined && <small dir="auto">{found.detail}</small>}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

function placeOf(state: SheetState, editing: Editing | null): { readonly transform: string; readonly width: string } {
  const { row, column } = editing?.cell ?? { row: 0, column: 0 }
  const edges = state.edges.value
  const isPinned = column < state.pinned.value
  const { width, height } = state.view.value
  const wanted = Math.max(
    (edges[column + 1] ?? 0) - (edges[column] ?? 0),
    editing?.editor === 'lines' ? LINES_WIDTH : NARROWEST,
  )
  const wide = Math.min(wanted, width - HANDLE_WIDTH)
  const left = (edges[column] ?? 0) + HANDLE_WIDTH - (isPinned ? 0 : state.left.value)
  const x = Math.max(0, Math.min(left, width - wide))
  const y = HEAD_HEIGHT + row * state.layout.value.rowHeight - state.place.value.top
  // A hidden editor stays where it causes no scrolling.
  const top = editing === null ? HEAD_HEIGHT : Math.min(y, Math.max(HEAD_HEIGHT, height - HEAD_HEIGHT))
  return { transform: `translate(${Math.round(x)}px, ${Math.round(top)}px)`, width: `${Math.round(wide)}px` }
}

type Open = (editing: Editing, isTyped: boolean) => void
const openers = new WeakMap<SheetState, Open>()

/** Opens the editor now. @param isTyped the field begins empty and receives the pressed key */
export function openEditor(state: SheetState, editing: Editing, isTyped: boolean): void {
  openers.get(state)?.(editing, isTyped)
}

/** Returns the focus to the sheet, which then handles the keys. */
function close(state: SheetState, frame: HTMLElement): void {
  const sheet = frame.parentElement?.querySelector<HTMLElement>('[role=grid]')
  const hadFocus = frame.contains(document.activeElement)
  state.editing.value = null
  frame.style.visibility = 'hidden'
  if (hadFocus) sheet?.focus({ preventScroll: true })
}
