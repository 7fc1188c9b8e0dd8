// The options of a combobox for the typed text, and the moves of the arrow keys.
import { fold } from '../state/fold.ts'
import type { Picture } from '../state/pictures.ts'

export interface Option {
  readonly id: string
  readonly name: string
  /** Text beside the name: the ID, if the typed text matched the ID. */
  readonly detail?: string
  readonly picture?: Picture | null | undefined
}

/** The most entries of a list: nobody reads more, and each option is an element. */
export const MAX_OFFERED = 100

/**
 * Returns options whose name or ID contains every word; names that begin with the text come first. At most
 * `MAX_OFFERED`.
 */
export function matchOptions<Of extends Option>(options: readonly Of[], text: string): Of[] {
  const asked = fold(text.trim())
  if (asked === '') return options.slice(0, MAX_OFFERED)
  const words = asked.split(/\s+/)
  const [first, others]: [Of[], Of[]] = [[], []]
  for (const option of options) {
    const [name, id] = [fold(option.name), fold(option.id)]
    if (!words.every((word) => name.includes(word) || id.includes(word))) continue
    if (name.startsWith(asked) || id === asked) first.push(option)
    else others.push(option)
  }
  return [...first, ...others].slice(0, MAX_OFFERED)
}

/** The index after a key in a list of `count`; `at` -1: none is marked. Undefined: the list does not use the key. */
export function stepIn(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return at >= count - 1 ? 0 : at + 1
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1
  if (key === 'PageDown') return Math.min(count - 1, at + 10)
  if (key === 'PageUp') return Math.max(0, at - 10)
  return undefined
}
