// How well a header names an attribute: by its names, by words with the same meaning, or by a part. Pure. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { FILLERS, foldHeader, meaningOf, UNITS } from './header-words.ts'

/** An attribute, with the words for it. */
export interface Known {
  readonly attribute: Attribute
  readonly texts: readonly string[]
  readonly plain: ReadonlySet<string>
  readonly concepts: ReadonlySet<string>
  /** The words of each text that is long enough to be a part of a header. */
  readonly parts: readonly (readonly string[])[]
}

export function knownOf(attribute: Attribute): Known {
  const { alias, name, names } = attribute
  const texts = [alias, name, ...Object.values(names ?? {})].filter((text) => text !== undefined).map(foldHeader)
  return {
    attribute,
    texts,
    plain: new Set(texts.map(withoutFillers)),
    concepts: new Set(texts.flatMap(conceptsOf)),
    parts: texts.filter((text) => text.length > 2).map((text) => text.split(' ')),
  }
}

export interface Phrase {
  readonly text: string
  readonly plain: string
  readonly concepts: readonly string[]
  readonly words: ReadonlySet<string>
}

export function phraseOf(text: string): Phrase {
  const plain = withoutFillers(text)
  return { text, plain, concepts: conceptsOf(text), words: new Set(plain.split(' ')) }
}

/** How well a header names an attribute, from 0 to 100. */
export function scoreOf({ text, plain, concepts, words }: Phrase, known: Known): number {
  if (known.texts.includes(text)) return 100
  if (known.plain.has(plain)) return 90
  if (concepts.some((concept) => known.concepts.has(concept))) return 80
  return known.parts.some((part) => part.every((word) => words.has(word))) ? 50 : 0
}

function conceptsOf(phrase: string): string[] {
  return [phrase, withoutFillers(phrase)].flatMap((text) => meaningOf(text)?.concept ?? []).slice(0, 1)
}

function withoutFillers(phrase: string): string {
  const words = phrase.split(' ')
  const rest = words.filter((word, index) => !FILLERS.has(word) && (index === 0 || !UNITS.has(word)))
  return rest.length === 0 ? phrase : rest.join(' ')
}
