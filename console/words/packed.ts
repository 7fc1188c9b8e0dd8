// Words as the build packs them (`scripts/build/packed-words.ts`): the texts of a language in one, in the order of their names.
import type { Word, Words } from './words.ts'

/** Neither is in a text. */
const END = '\n'
const FORM = '\t'

/** @throws Error where a text cannot be packed */
export function packTexts(names: readonly string[], words: Words): string {
  return names.map((name) => packWord(words[name]!, name)).join(END)
}

/** @param first where the names end, words are called by their place, counted from this number on */
export function unpackTexts(names: string, first: number, texts: string): Record<string, Word> {
  const named = names.split(END)
  return Object.fromEntries(texts.split(END).map((text, at) => [named[at] || first + at, unpackWord(text)]))
}

function packWord(word: Word, name: string): string {
  const { one, other, ...others } = typeof word === 'string' ? { one: undefined, other: word } : word
  const texts = one === undefined ? [other] : [one, other]
  const isUnknown = Object.keys(others).length > 0 || (typeof word !== 'string' && one === undefined)
  if (isUnknown || texts.some((text) => text.includes(END) || text.includes(FORM)))
    throw new Error(`The word ${name} cannot be packed`)
  return texts.join(FORM)
}

function unpackWord(text: string): Word {
  const [first, other] = text.split(FORM)
  return other === undefined ? first! : { one: first!, other }
}
