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

interface Guess {
  readonly attribute: Attribute
  readonly score: number
}

interface Unexplained {
  /** As `foldHeader` returns it. */
  readonly phrase: string
  readonly samples: readonly string[]
}

export function createGuesser(attributes: readonly Attribute[]): (column: Unexplained) => Guess[] {
  const known = attributes.map((attribute) => ({ attribute, ...wordsFor(attribute) }))
  return ({ phrase, samples }) => {
    const own = phrase.split(' ')
    const pairs = pairsOf(phrase)
    const parts = partsOf(samples)
    return known.flatMap(({ attribute, names, words }) => {
      const score = Math.max(
        valuesFit({ samples, parts }, attribute, attributes) ? BY_VALUES : 0,
        words.some((word) => own.some((one) => endsWith(one, word) || endsWith(word, one))) ? BY_PART : 0,
        own.length === 1 && own[0]!.length >= 3 && words.some((word) => word.startsWith(phrase)) ? BY_PART : 0,
        names.some((name) => isMisspelt(pairs, name)) ? BY_SPELLING : 0,
      )
      return score === 0 ? [] : [{ attribute, score }]
    })
  }
}

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

/** Whether the cells can hardly be of another attribute. */
function valuesFit({ samples, parts }: Cells, attribute: Attribute, all: readonly Attribute[]): boolean {
  if (samples.length === 0) return false
  const are = (test: (sample: string) => boolean): boolean => samples.every((sample) => test(sample.trim()))
  const isOnly = () => all.filter(({ dataType }) => dataType === attribute.dataType).length === 1
  switch (attribute.dataType) {
    case 'select':
    case 'multiSelect':
      return shareOfOptions(parts, attribute) >= 2 / 3
    case 'date':
    case 'dateTime':
      return are((sample) => DATE.test(sample)) && isOnly()
    case 'url':
      return are((sample) => /^https?:\/\//i.test(sample)) && isOnly()
    case 'text':
      return meaningOf(foldHeader(attribute.alias))?.concept === 'ean' && are((sample) => EAN.test(sample))
    default:
      return false
  }
}
