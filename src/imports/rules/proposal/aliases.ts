// IDs for attributes, made of the headers of a file: legal and unique for any header. Contract 5 §1.
import { foldHeader } from '../header-words.ts'

const MAX_ALIAS = 60
/** Characters of a header that an ID is made of. */
const MAX_READ = 200

/** `Net weight (kg)` → `netWeightKg`; a header without Latin letters gets the number of its column. */
export function aliasOf(header: string, index: number): string {
  const words = foldHeader(header.slice(0, MAX_READ))
    .split(' ')
    .map((word) => word.replaceAll(/[^a-z0-9]/g, ''))
    .filter((word) => word !== '')
  const joined = words.map((word, at) => (at === 0 ? word : `${word[0]!.toUpperCase()}${word.slice(1)}`)).join('')
  const alias = joined.slice(0, MAX_ALIAS)
  if (alias === '') return `column${index + 1}`
  return /^[a-z]/.test(alias) ? alias : `column${alias[0]!.toUpperCase()}${alias.slice(1)}`.slice(0, MAX_ALIAS)
}

/** Names, each once: a name that is taken gets a number behind it. */
export class FreeNames {
  readonly #taken = new Set<string>()
  /** The last number of each name. */
  readonly #counts = new Map<string, number>()

  take(name: string): string {
    let free = name
    for (let count = this.#counts.get(name) ?? 1; this.#taken.has(free); free = `${name}${count}`) {
      count += 1
      this.#counts.set(name, count)
    }
    this.#taken.add(free)
    return free
  }
}
