// Guesses the attribute of a column whose header no attribute has: by similar words, or by the values of its cells. A
// person checks each guess. Pure. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { foldHeader, meaningOf, wordsOfConcept } from './header-words.ts'
import { partsOf, shareOfOptions } from './sample-fit.ts'

const BY_VALUES = 55
const BY_PART = 50
const BY_SPELLING = 45
/** Letters of a word that says something by itself. */
const LEAST = 4
/** Names that the columns of a file are compared with: 500 columns with 1,000 attributes of four names. */
const MAX_COMPARED = 2_000_000

interface Guess {
  readonly attribute: Attribute
  readonly score: number
}

interface Unexplained {
  /** As `foldHeader` returns it. */
  readonly phrase: string
  readonly samples: readonly string[]
}

/** Yields after each attribute. */
export type Guesser = (column: Unexplained) => Generator<void, Guess[]>

/** Yields after each attribute. */
export function* createGuesser(attributes: readonly Attribute[]): Generator<void, Guesser> {
  const counts = Map.groupBy(attributes, ({ dataType }) => dataType)
  const known: (Words & { readonly attribute: Attribute; readonly isOnly: boolean })[] = []
  for (const attribute of attributes) {
    known.push({ attribute, isOnly: counts.get(attribute.dataType)!.length === 1, ...wordsFor(attribute) })
    yield
  }
  let compared = 0
  return function* guess({ phrase, samples }) {
    const own = phrase.split(' ')
    const pairs = pairsOf(phrase)
    const cells = { samples, parts: partsOf(samples) }
    const guesses: Guess[] = []
    for (const { attribute, isOnly, names, words } of known) {
      const score = valuesFit(cells, attribute, isOnly) ? BY_VALUES : hasWord(own, words) ? BY_PART : 0
      if (score > 0) guesses.push({ attribute, score })
      else if ((compared += names.length) <= MAX_COMPARED && names.some((name) => isMisspelt(pairs, name)))
        guesses.push({ attribute, score: BY_SPELLING })
      yield
    }
    return guesses
  }
}

/** Whether a word of the column is a part of one of the attribute, or has one as a part. */
function hasWord(own: readonly string[], words: readonly string[]): boolean {
  const [first] = own
  if (words.some((word) => own.some((one) => endsWith(one, word) || endsWith(word, one)))) return true
  return own.length === 1 && first!.length >= 3 && words.some((word) => word.startsWith(first!))
}

type Words = ReturnType<typeof wordsFor>

function wordsFor({ alias, name, names: inLanguages }: Attribute) {
  const texts = [alias, name, ...Object.values(inLanguages ?? {})]
  const names = texts.flatMap((text) => (text === undefined ? [] : [foldHeader(text)]))
  const concepts = new Set(names.flatMap((text) => meaningOf(text)?.concept ?? []))
  const words = [...names, ...[...concepts].flatMap((concept) => wordsOfConcept(concept))]
  return {
    names: names.map((text) => new Set(pairsOf(text))),
    words: [...new Set(words)].filter((word) => !word.includes(' ')),
  }
}

/** `Teesorte` is a `Sorte`: the last part of a compound names the thing. */
function endsWith(word: string, part: string): boolean {
  return part.length >= LEAST && word.length > part.length && word.endsWith(part)
}

/** Whether most pairs of letters are the same. */
function isMisspelt(pairs: readonly string[], name: ReadonlySet<string>): boolean {
  const [fewer, more] = [Math.min(pairs.length, name.size), Math.max(pairs.length, name.size)]
  if (fewer < LEAST || more > 1.4 * fewer) return false
  return (2 * pairs.filter((pair) => name.has(pair)).length) / (fewer + more) > 0.7
}

/** Each two letters that stand together. */
const pairsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))

const EAN = /^(?:\d{8}|\d{12,14})$/
const DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:$|[T ])/

interface Cells {
  readonly samples: readonly string[]
  /** As `partsOf` returns them. */
  readonly parts: readonly string[]
}

/** Whether the cells can hardly be of another attribute. `isOnly`: the attribute is the only one of its data type. */
function valuesFit({ samples, parts }: Cells, attribute: Attribute, isOnly: boolean): boolean {
  if (samples.length === 0) return false
  const are = (test: (sample: string) => boolean): boolean => samples.every((sample) => test(sample.trim()))
  switch (attribute.dataType) {
    case 'select':
    case 'multiSelect':
      return shareOfOptions(parts, attribute) >= 2 / 3
    case 'date':
    case 'dateTime':
      return isOnly && are((sample) => DATE.test(sample))
    case 'url':
      return isOnly && are((sample) => /^https?:\/\//i.test(sample))
    case 'text':
      return meaningOf(foldHeader(attribute.alias))?.concept === 'ean' && are((sample) => EAN.test(sample))
    default:
      return false
  }
}
