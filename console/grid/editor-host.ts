// What the editor of a sheet asks of whoever shows it. G3.
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Move } from './cursor.ts'
import type { Editing } from './sheet-state.ts'

/** Something that can be chosen; `text` is what is written then. */
export interface Suggestion {
  readonly id: string
  readonly text: string
  readonly detail?: string | undefined
}

export interface EditorHost {
  /** What is typed is to be kept; then the cursor goes on. */
  commit(editing: Editing, text: string, move: Move | undefined): void
  /** For choices and references; of several choices the one that is typed last. */
  suggest(editing: Editing, text: string, signal: AbortSignal): readonly Suggestion[] | Promise<readonly Suggestion[]>
  /** How a text reads, where that is worth saying; or what is wrong with it. */
  reading(editing: Editing, text: string): { readonly text: string; readonly isWrong: boolean } | undefined
  scopeName(scope: Scope): string
  readonly words: {
    readonly value: (scope: string) => string
    readonly forAll: string
    readonly widen: string
    readonly choices: string
  }
}
