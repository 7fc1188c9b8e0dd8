// The foot of a sheet's editor: the scope of the value, and the parsed value. G3.
import type { EditorHost } from './editor-host.ts'
import type { Editing, SheetState } from './sheet-state.ts'

export function EditorFoot({
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
export function labelOf(editing: Editing | null, host: EditorHost): string {
  return editing === null ? host.words.value('') : host.words.value(scopeLabel(editing, host))
}
