// Mentions in a text: `@[ID]` in the server's form, `@Name` in the form that people write and read.

export interface Mention {
  readonly id: string
  readonly name: string
}

/** A part of a stored text. */
type TextPart = string | Mention

const STORED = /@\[([A-Za-z0-9][A-Za-z0-9._~-]{0,127})\]/g

/** @param names of mentioned users; a user without a name shows the ID */
export function partsOf(text: string, names: ReadonlyMap<string, string>): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const found of text.matchAll(STORED)) {
    if (found.index > end) parts.push(text.slice(end, found.index))
    const id = found[1]!
    parts.push({ id, name: names.get(id) ?? id })
    end = found.index + found[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The text for the field, with names. */
export function toWritten(parts: readonly TextPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : `@${part.name}`)).join('')
}

/** The text for the server. The longest name is tried first: `@Ann Lee` is not `@Ann`. */
export function toStored(text: string, mentions: readonly Mention[]): string {
  const byLength = mentions.toSorted((one, other) => other.name.length - one.name.length)
  let stored = ''
  for (let at = 0; at < text.length;) {
    const found = text[at] === '@' ? byLength.find(({ name }) => text.startsWith(name, at + 1)) : undefined
    stored += found === undefined ? text[at] : `@[${found.id}]`
    at += found === undefined ? 1 : found.name.length + 1
  }
  return stored
}

/** The beginning of a mention before the cursor. */
interface Begun {
  /** The place of `@`. */
  readonly at: number
  readonly query: string
}

const LONGEST_QUERY = 40

/** Finds a begun mention; undefined: none. @param mentions finished ones, which need no menu */
export function begunMention(text: string, cursor: number, mentions: readonly Mention[]): Begun | undefined {
  const at = text.lastIndexOf('@', cursor - 1)
  if (at < 0 || cursor - at > LONGEST_QUERY) return undefined
  const before = text[at - 1]
  if (before !== undefined && !/[\s([{"'„“]/.test(before)) return undefined
  const query = text.slice(at + 1, cursor)
  if (/[\n@[\]]/.test(query) || query.startsWith(' ')) return undefined
  if (mentions.some(({ name }) => query.startsWith(name))) return undefined
  return { at, query }
}

/** Returns the text with the chosen person, and the cursor after the person. */
export function withMention(
  text: string,
  { at, query }: Begun,
  name: string,
): { readonly text: string; readonly cursor: number } {
  const inserted = `@${name} `
  const rest = text.slice(at + 1 + query.length).replace(/^ /, '')
  return { text: text.slice(0, at) + inserted + rest, cursor: at + inserted.length }
}
