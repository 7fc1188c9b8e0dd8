// Reads the names in a zip: which entries are files, which record a file belongs to, and in which order. Contract 4 §4.
import { findGroups, mayCompare, PatternWork } from '../../core/values/patterns.ts'
import { MAX_REFERENCES } from '../../core/values/rules.ts'
import { invalid, type PimletError, shorten } from '../../kernel/errors.ts'

/** A file of a zip that belongs to a record. */
export interface NamedFile {
  /** The path in the zip. */
  readonly path: string
  /** The place in the directory of the zip, from 1. */
  readonly line: number
  /** The number in the name, as text; '': none. */
  readonly n: string
}

/** Files of one record, in order; or files that no record can take. */
export interface FileGroup {
  readonly key: string
  readonly files: readonly NamedFile[]
  /** Why no record can take them. */
  readonly error?: PimletError | undefined
}

/** Directories, hidden files and additions of macOS are skipped. */
export function isSkipped(path: string): boolean {
  const names = path.split('/')
  return names.some((name) => name === '' || name.startsWith('.') || name === '__MACOSX')
}

/** Instructions × characters that a pattern may take for all names; usual patterns and names take 40,000,000. */
const MAX_WORK_OF_ZIP = 500_000_000
/** Characters of a number. */
const MAX_DIGITS = 18

/** @throws VALIDATION_ERROR where the pattern does not fit the name */
export function readName(
  path: string,
  pattern: string,
  work = new PatternWork(),
): { readonly key: string; readonly n: string } {
  const text = (pattern.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1)).normalize('NFC')
  if (!mayCompare(pattern, text, work))
    throw invalid('The pattern takes too much work, with this name and those before')
  const groups = findGroups(pattern, text, ['key', 'n'])
  if (groups === undefined) throw invalid(`The name does not match the pattern ${shorten(pattern, 200)}`)
  const [key = '', n = ''] = groups
  if (key.trim() === '') throw invalid('The group key of the pattern is empty')
  if (n !== '' && !/^\d+$/.test(n))
    throw invalid(`The group n of the pattern takes '${shorten(n, 64)}', which is no number`)
  const digits = n.replace(/^0+(?=\d)/, '')
  if (digits.length > MAX_DIGITS) throw invalid(`The group n of the pattern takes more than ${MAX_DIGITS} digits`)
  return { key: key.trim(), n: digits }
}

/** A file without a number comes first, then by number, then by path. */
export function inOrderOfNumbers(one: NamedFile, other: NamedFile): number {
  if (one.n !== other.n) return one.n.length - other.n.length || (one.n < other.n ? -1 : 1)
  return one.path < other.path ? -1 : 1
}

/** Puts files of the same record together, in the order in which the first one is found. */
export class Grouping {
  readonly #pattern: string
  readonly #groups = new Map<string, NamedFile[]>()
  readonly #faults: FileGroup[] = []
  readonly #work = new PatternWork(MAX_WORK_OF_ZIP)
  #count = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  /** How many files there are. */
  get count(): number {
    return this.#count
  }

  add(path: string, line: number): void {
    this.#count += 1
    try {
      const { key, n } = readName(path, this.#pattern, this.#work)
      const files = this.#groups.get(key)
      if (files === undefined) this.#groups.set(key, [{ path, line, n }])
      else files.push({ path, line, n })
    } catch (error) {
      this.#faults.push({ key: '', files: [{ path, line, n: '' }], error: error as PimletError })
    }
  }

  /** Yields the same groups in the same order for the same zip and pattern. */
  *groups(): Generator<FileGroup, void> {
    for (const [key, files] of this.#groups)
      if (files.length <= MAX_REFERENCES) yield { key, files: files.toSorted(inOrderOfNumbers) }
      else
        yield {
          key,
          files,
          error: invalid(`A record takes at most ${MAX_REFERENCES} files: '${shorten(key)}' has ${files.length}`),
        }
    yield* this.#faults
  }
}
