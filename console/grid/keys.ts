// The meaning of keys in the sheet: §4 of the console's behaviour as a table. Pure; `Ctrl` is Cmd on a Mac.
import { own } from '../../src/kernel/own.ts'
import type { Move } from './cursor.ts'

export type SheetCommand =
  | { readonly kind: 'move'; readonly move: Move; readonly extends: boolean }
  /** With `typed` the editor begins empty, and the browser puts the key into the editor. */
  | { readonly kind: 'edit'; readonly typed: boolean }
  | {
      readonly kind:
        | 'selectRow'
        | 'selectAll'
        | 'clear'
        | 'fillDown'
        | 'fillSeries'
        | 'open'
        | 'nextMissing'
        | 'giveUp'
        | 'columnMenu'
        | 'history'
        | 'comments'
        | 'find'
        | 'replace'
    }

/** The relevant members of a keyboard event. */
export interface KeyPress {
  readonly key: string
  /** The place of the key on the keyboard. */
  readonly code?: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly isComposing?: boolean
}

export interface KeySituation {
  readonly isMac: boolean
  /** While rows are selected, letter keys are commands of the selection, so the sheet ignores them. */
  readonly isCommanding: boolean
}

const MOVES: Readonly<Record<string, readonly [plain: Move, withCtrl: Move]>> = {
  ArrowLeft: ['left', 'rowStart'],
  ArrowRight: ['right', 'rowEnd'],
  ArrowUp: ['up', 'top'],
  ArrowDown: ['down', 'bottom'],
  Home: ['rowStart', 'sheetStart'],
  End: ['rowEnd', 'sheetEnd'],
  PageUp: ['pageUp', 'top'],
  PageDown: ['pageDown', 'bottom'],
}

const PLAIN: Readonly<Record<string, SheetCommand>> = {
  Enter: { kind: 'edit', typed: false },
  F2: { kind: 'edit', typed: false },
  F8: { kind: 'nextMissing' },
  Delete: { kind: 'clear' },
  Backspace: { kind: 'clear' },
  Escape: { kind: 'giveUp' },
  ' ': { kind: 'selectRow' },
}

const WITH_CTRL: Readonly<Record<string, SheetCommand>> = {
  a: { kind: 'selectAll' },
  d: { kind: 'fillDown' },
  f: { kind: 'find' },
  h: { kind: 'replace' },
  Enter: { kind: 'open' },
}
/** Commands by the place of the key, because with Alt a key has other characters on some keyboards. */
const WITH_ALT: Readonly<Record<string, SheetCommand>> = {
  KeyH: { kind: 'history' },
  KeyC: { kind: 'comments' },
}
const WITH_CTRL_AND_SHIFT: Readonly<Record<string, SheetCommand>> = {
  D: { kind: 'fillSeries' },
  d: { kind: 'fillSeries' },
  // Cmd+H hides a program on a Mac.
  H: { kind: 'replace' },
  h: { kind: 'replace' },
}

/** Returns the command of a key; undefined: the sheet does not use this key. */
export function sheetCommand(press: KeyPress, situation: KeySituation): SheetCommand | undefined {
  const { key, shiftKey } = press
  if (press.altKey) return commandWithAlt(press, situation)
  const isCtrl = situation.isMac ? press.metaKey : press.ctrlKey
  const move = MOVES[key]
  if (move !== undefined) return { kind: 'move', move: move[isCtrl ? 1 : 0], extends: shiftKey }
  if (isCtrl) return (shiftKey ? WITH_CTRL_AND_SHIFT : WITH_CTRL)[key]
  if (!shiftKey && Object.hasOwn(PLAIN, key)) return PLAIN[key]
  if (key === 'Enter') return { kind: 'move', move: 'up', extends: false }
  return typing(press, situation)
}

function commandWithAlt(press: KeyPress, situation: KeySituation): SheetCommand | undefined {
  if (press.key === 'ArrowDown') return { kind: 'columnMenu' }
  const isAlone = !press.ctrlKey && !press.metaKey && !press.shiftKey
  return (isAlone ? own(WITH_ALT, press.code ?? '') : undefined) ?? typing(press, situation)
}

function typing(press: KeyPress, { isCommanding }: KeySituation): SheetCommand | undefined {
  return isTyped(press) && !isCommanding ? { kind: 'edit', typed: true } : undefined
}

/** Returns whether the key types text: one character, or the beginning of one. AltGr arrives as Ctrl and Alt. */
function isTyped({ key, ctrlKey, metaKey, altKey, isComposing }: KeyPress): boolean {
  if (key === 'Dead' || key === 'Process' || isComposing === true) return true
  const isOneCharacter = Array.from(key).length === 1
  return isOneCharacter && !metaKey && (!ctrlKey || altKey)
}
