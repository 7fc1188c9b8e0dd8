// Names of files as people see them. Contract 4 §1.

/** Characters. */
export const MAX_FILE_NAME = 255
const UNNAMED = 'file'

/**
 * The name without paths, control characters and surroundings of spaces and dots, at most 255 characters with its ending. A name
 * of which nothing remains is `file`.
 */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  // \p{C} has control characters, formats such as the right-to-left override, and halves of surrogate pairs.
  const plain = last.replace(/\p{C}/gu, '').replace(/\s+/gu, ' ').trim()
  const kept = /^\.*$/.test(plain) ? UNNAMED : plain
  if (kept.length <= MAX_FILE_NAME) return kept
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(kept)?.[0] ?? ''
  let stem = ''
  for (const character of Array.from(kept.slice(0, MAX_FILE_NAME + 1))) {
    if (stem.length + character.length + ending.length > MAX_FILE_NAME) break
    stem += character
  }
  return stem + ending
}
