// IDs for attributes, made of the headers of a file: legal and unique for any header. Contract 5 §1.
import { foldHeader } from '../header-words.ts'

const MAX_ALIAS = 60

/** `Net weight (kg)` → `netWeightKg`; a header without Latin letters gets the number of its column. */
export function aliasOf(header: string, index: number): string {
  const words = foldHeader(header)
    .split(' ')
    .map((word) => word.replaceAll(/[^a-z0-9]/g, ''))
    .filter((word) => word !== '')
  const joined = words.map((word, at) => (at === 0 ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`)).join('')
  const alias = joined.slice(0, MAX_ALIAS)
  if (alias === '') return `column${index + 1}`
  return /^[a-z]/.test(alias) ? alias : `column${alias[0]!.toUpperCase()}${alias.slice(1)}`.slice(0, MAX_ALIAS)
}

/** The same name with a number behind it, if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let count = 2; ; count += 1) if (!taken.has(`${name}${count}`)) return `${name}${count}`
}
