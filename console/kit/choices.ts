// What a combobox offers for what is typed, and where the arrows lead in it.

export interface Option {
  readonly id: string
  readonly name: string
  /** Beside the name: the ID, where it was found. */
  readonly detail?: string
}

/** How many are in the list at once: nobody reads more, and each is an element. */
export const MAX_OFFERED = 100

/** Those whose name or ID has every word; names that begin with the text first. Not more than `MAX_OFFERED`. */
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

/** Where a key leads in a list of `count` from `at`, -1 for none; undefined where the key is not for the list. */
export function stepIn(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return at >= count - 1 ? 0 : at + 1
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1
  if (key === 'PageDown') return Math.min(count - 1, at + 10)
  if (key === 'PageUp') return Math.max(0, at - 10)
  return undefined
}

export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
