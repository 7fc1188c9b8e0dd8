// Text that PostgreSQL cannot store, as text that it can: it refuses NUL and half surrogate pairs. Two texts are never stored
// as one, so that what is stored is compared by what it is.

/** Begins what is written in another way. No character: nobody means it. */
const MARK = '\ufdd0'

export function toStored(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.startsWith(MARK)) return text
  return `${MARK}${JSON.stringify(text).slice(1, -1)}`
}

export function fromStored(text: string): string {
  return text.startsWith(MARK) ? (JSON.parse(`"${text.slice(MARK.length)}"`) as string) : text
}

/** Of a statement. */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return toStored(value)
  return Array.isArray(value) ? value.map(toParameter) : value
}
