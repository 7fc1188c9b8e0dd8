// The one editor of a sheet. The editor is drawn above the cells, so that redrawn rows do not affect it. Its fields
// exist in advance: the key that opens the editor goes into the field, also with dead keys and input methods. G3.
import { Thumb } from '../kit/thumb.tsx'
import type { EditorHost, Suggestion } from './editor-host.ts'
import { type Editing, HANDLE_WIDTH, HEAD_HEIGHT, type SheetState } from './sheet-state.ts'
import { useEditor } from './use-editor.ts'

interface EditorProps {
  readonly id: string
  readonly state: SheetState
  readonly host: EditorHost
}

/** Least width in pixels; the editor of a wider cell is wider. */
const NARROWEST = 180
const LINES_WIDTH = 320

export function SheetEditor({ id, state, host }: EditorProps) {
  const { frame, line, lines, suggestions, marked, typed, end, chooseLast, onKeyDown } = useEditor(state, host)
  const editing = state.editing.value
  const isLines = editing?.editor === 'lines'
  const isChoice = editing !== null && !isLines && editing.editor !== 'line'
  const hasChoices = suggestions.value.length > 0
  const fieldProps = {
    tabIndex: -1,
    dir: 'auto' as const,
    spellcheck: true,
    autocomplete: 'off' as const,
    'aria-label': labelOf(editing, host),
    'aria-describedby': `${id}-scope ${id}-reading`,
    onKeyDown,
    onInput: (event: Event) => (typed.value = (event.currentTarget as HTMLInputElement).value),
    // The field keeps the focus if the whole window loses it.
    onBlur: () => document.hasFocus() && end(undefined),
  }
  const choiceProps = isChoice && {
    role: 'combobox' as const,
    'aria-expanded': hasChoices,
    'aria-controls': `${id}-choices`,
    'aria-activedescendant': marked.value < 0 ? undefined : `${id}-choice-${marked.value}`,
  }
  return (
    <div
      ref={frame}
      class="sheet-editor"
      style={{ visibility: editing === null ? 'hidden' : 'visible', ...placeOf(state, editing) }}
    >
      <input ref={line} type="text" hidden={isLines} {...fieldProps} {...choiceProps} />
      <textarea ref={lines} hidden={!isLines} rows={1} {...fieldProps} />
      {editing !== null && <EditorFoot id={id} state={state} host={host} editing={editing} text={typed.value} />}
      {isChoice && hasChoices && (
        <Choices
          id={id}
          label={host.words.choices}
          found={suggestions.value}
          marked={marked.value}
          onChoose={(at) => chooseLast(at, undefined)}
        />
      )}
    </div>
  )
}

function Choices(props: {
  readonly id: string
  readonly label: string
  readonly found: readonly Suggestion[]
  readonly marked: number
  readonly onChoose: (at: number) => void
}) {
  return (
    <div id={`${props.id}-choices`} class="sheet-choices" role="listbox" aria-label={props.label}>
      {props.found.map(({ id, text, detail, picture }, at) => (
        // Keys are those of the field, which keeps the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={id}
          id={`${props.id}-choice-${at}`}
          role="option"
          aria-selected={at === props.marked}
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.onChoose(at)}
        >
          {picture && <Thumb picture={picture} />}
          <span dir="auto">{text}</span>
          {detail !== undefined && <small dir="auto">{detail}</small>}
        </div>
      ))}
    </div>
  )
}

/** A message below the cell of the cursor, such as the reason of a refusal. */
export function CellReason({
  id,
  state,
  text,
}: {
  readonly id: string
  readonly state: SheetState
  readonly text: string
}) {
  const { row, column } = state.cursor.value
  const edges = state.edges.value
  const left = (edges[column] ?? 0) + HANDLE_WIDTH - (column < state.pinned.value ? 0 : state.left.value)
  const top = HEAD_HEIGHT + (row + 1) * state.layout.value.rowHeight - state.place.value.top
  const { width, height } = state.view.value
  const isInView = top > HEAD_HEIGHT && top < height && left >= 0 && left < width
  return (
    <div
      id={`${id}-reason`}
      class="sheet-reason"
      role="tooltip"
      hidden={!isInView || state.editing.value !== null}
      style={{
        transform: `translate(${Math.round(Math.min(left, Math.max(0, width - NARROWEST)))}px, ${Math.round(top)}px)`,
      }}
    >
      {text}
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
  // A hidden editor stays where it causes no scrolling. 100% is its own height: the foot stays in view.
  const top = editing === null ? 0 : Math.round(y)
  const place = `${Math.round(x)}px, clamp(${HEAD_HEIGHT}px, ${top}px, ${height}px - 100%)`
  return { transform: `translate(${place})`, width: `${Math.round(wide)}px` }
}

/** The scope of the value, and the parsed value. G3. */
function EditorFoot({
  id,
  state,
  host,
  editing,
  text,
}: {
  readonly id: string
  readonly state: SheetState
  readonly host: EditorHost
  readonly editing: Editing
  readonly text: string
}) {
  const reading = host.reading(editing, text)
  return (
    <div class="sheet-foot">
      <span id={`${id}-scope`} role="status">
        {scopeLabel(editing, host)}
      </span>
      {editing.scopes.length > 1 && (
        <button
          type="button"
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => state.widen()}
        >
          {host.words.widen}
        </button>
      )}
      <output id={`${id}-reading`} data-wrong={reading?.isWrong === true ? '' : undefined} dir="auto">
        {reading?.text}
      </output>
    </div>
  )
}

function scopeLabel({ scopes, chosen }: Editing, host: EditorHost): string {
  const scope = scopes[chosen] ?? {}
  return Object.keys(scope).length === 0 ? host.words.forAll : host.scopeName(scope)
}

/** The label of the editor's field. */
function labelOf(editing: Editing | null, host: EditorHost): string {
  return editing === null ? host.words.value('') : host.words.value(scopeLabel(editing, host))
}
