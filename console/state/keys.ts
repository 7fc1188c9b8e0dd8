// Maps keys to commands. Letters are commands only outside of fields and sheets, and can be switched off. A sheet with
// selected rows sets `data-keys="letters"`: in this sheet, letters are also commands.
import type { Command } from './commands.ts'

/** The relevant members of a KeyboardEvent. */
interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly isComposing: boolean
}

interface KeySettings {
  readonly isMac: boolean
  readonly hasLetters: () => boolean
  readonly now: () => number
}

/** The place of the focus: letters type in texts and sheets; in texts, undo, finding and the clipboard are the browser's. */
export type KeyPlace = 'text' | 'sheet' | 'page'

const OF_TEXTS = /^ctrl\+(shift\+)?[acfhvxyz]$/

/** Milliseconds between the keys of a sequence. */
const SEQUENCE = 1500

export class Keys {
  readonly #settings: KeySettings
  readonly #commands: () => readonly Command[]
  #begun: { readonly key: string; readonly at: number } | undefined

  constructor(commands: () => readonly Command[], settings: KeySettings) {
    this.#commands = commands
    this.#settings = settings
  }

  /** The open command for the key; undefined: no command uses the key. */
  find(pressed: Pressed, place: KeyPlace): Command | undefined {
    if (pressed.isComposing) return undefined
    const key = keyOf(pressed, this.#settings.isMac)
    if (place === 'text' && OF_TEXTS.test(key)) return undefined
    if (!isAlwaysCommand(key) && (place !== 'page' || !this.#settings.hasLetters())) return undefined
    const { at = 0, key: first } = this.#begun ?? {}
    this.#begun = undefined
    const isSequence = first !== undefined && this.#settings.now() - at < SEQUENCE
    const asked = isSequence ? `${first} ${key}` : key
    const known = this.#commands().filter(({ keys }) => keys !== undefined)
    // The last registered command wins: a place has priority over the frame.
    const found = known.findLast(({ keys }) => keys!.split(' | ').includes(asked))
    if (found !== undefined) return found.closedBecause?.() === undefined ? found : undefined
    const begins = known.some(({ keys }) => keys!.split(' | ').some((keyed) => keyed.startsWith(`${key} `)))
    if (begins) this.#begun = { key, at: this.#settings.now() }
    return undefined
  }
}

/** `ctrl+shift+z`, `f8`, `g`, `?`. */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isMac: boolean): string {
  const isNamed = key.length > 1
  const parts = [
    (isMac ? metaKey : ctrlKey) ? 'ctrl' : '',
    altKey ? 'alt' : '',
    // For signs, Shift is part of the sign.
    shiftKey && (isNamed || /[a-z]/i.test(key)) ? 'shift' : '',
    key.toLowerCase(),
  ]
  return parts.filter(Boolean).join('+')
}

function isAlwaysCommand(key: string): boolean {
  return /^(ctrl|alt)\+/.test(key) || /^(shift\+)?f\d+$/.test(key)
}

/** The displayed form: `Ctrl+K`, `⌘K`, `g r`. */
export function keyText(keys: string, isMac: boolean): string {
  return keys
    .split(' | ')[0]!
    .split(' ')
    .map((key) =>
      key.includes('+') || key.length > 1
        ? key
            .split('+')
            .map((part) => nameOf(part, isMac))
            .join(isMac ? '' : '+')
        : key,
    )
    .join(' ')
}

function nameOf(part: string, isMac: boolean): string {
  if (part === 'ctrl') return isMac ? '⌘' : 'Ctrl'
  if (part === 'shift') return isMac ? '⇧' : 'Shift'
  if (part === 'alt') return isMac ? '⌥' : 'Alt'
  return part.length === 1 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1)
}
