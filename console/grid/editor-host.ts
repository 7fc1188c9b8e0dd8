// The services that the editor of a sheet needs from its host. G3.
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Picture } from '../state/pictures.ts'
import type { Move } from './cursor.ts'
import type { Editing } from './sheet-state.ts'

/** A possible choice; `text` is the written form. */
export interface Suggestion {
  readonly id: string
  readonly text: string
  readonly detail?: string | undefined
  readonly picture?: Picture | null | undefined
}

export interface EditorHost {
  /** Saves the typed text, then moves the cursor. */
  commit(editing: Editing, text: string, move: Move | undefined): void
  /** Suggests choices and references; for several choices, it completes the last one. */
  suggest(editing: Editing, text: string, signal: AbortSignal): readonly Suggestion[] | Promise<readonly Suggestion[]>
  /** Returns the parsed text, if it differs noticeably, or the problem of the text. */
  reading(editing: Editing, text: string): { readonly text: string; readonly isWrong: boolean } | undefined
  scopeName(scope: Scope): string
  readonly words: {
    readonly value: (scope: string) => string
    readonly forAll: string
    readonly widen: string
    readonly choices: string
  }
}
