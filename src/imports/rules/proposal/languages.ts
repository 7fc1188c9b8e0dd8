// Finds columns that hold one attribute in several languages: `Name (de)`, `name_en`, `Beschreibung DE`. Contract 5 §1.
import { nameOfLanguage } from '../../../core/model/rules/language-dimension.ts'
import { foldHeader, meaningOf } from '../header-words.ts'

/** Without codes that are units, such as kg and ml. */
const CODES =
  'en,de,fr,es,it,nl,pl,pt,sv,da,nb,nn,no,fi,cs,sk,hu,ro,bg,el,tr,ru,uk,ja,zh,ko,ar,he,hr,sl,sr,et,lv,lt,ga,is,ca,eu,gl,th,vi'.split(
    ',',
  )
/** Words of European languages that no one writes as a code. */
const WORDS = new Set(['no', 'is', 'he', 'it', 'et', 'de', 'da', 'en', 'es', 'el'])
const NAMED_IN = ['en', 'de', 'fr']

/** Characters of a header that have a meaning: longer ones are sentences. */
export const MAX_MEANT = 80

export interface LanguageColumn {
  /** The header without its language. */
  readonly base: string
  /** As `de` or `de-AT`. */
  readonly language: string
  readonly isCertain: boolean
}

/** The columns that hold a language, by index; those without a language are left out. */
export function findLanguages(headers: readonly string[]): ReadonlyMap<number, LanguageColumn> {
  const found = new Map<number, LanguageColumn>()
  for (const [index, header] of headers.entries()) {
    const column = split(header)
    if (column !== undefined) found.set(index, column)
  }
  const together = Map.groupBy(found.values(), ({ base }) => keyOf(base))
  const several = [...together.values()].filter((some) => new Set(some.map(({ language }) => language)).size > 1)
  const confirmed = new Set(several.flat().map(({ language }) => language))
  return new Map(
    [...found].filter(
      ([, column]) =>
        column.isCertain || confirmed.has(column.language) || several.some((some) => some.includes(column)),
    ),
  )
}

/** Headers that mean the same thing have the same key: `Name` and `Bezeichnung`. */
export function keyOf(base: string): string {
  const folded = foldedOf(base)
  return meaningOf(folded)?.concept ?? folded
}

const folds = new Map<string, string>()
const MAX_FOLDS = 1000

/** The words of a header, remembered because each rule asks for them. */
export function foldedOf(header: string): string {
  const text = header.slice(0, MAX_MEANT)
  const known = folds.get(text)
  if (known !== undefined) return known
  if (folds.size >= MAX_FOLDS) folds.clear()
  const folded = foldHeader(text)
  folds.set(text, folded)
  return folded
}

const BRACKETED = /^(.*\S)\s*[([{]\s*([\p{L}_-]{2,20})\s*[)\]}]$/u
const JOINED = /^(.*[\p{L}\p{N}])\s*[_\-./:|]\s*([\p{L}]{2,20}(?:[-_][A-Za-z]{2})?)$/u
const BESIDE = /^(.*\S)\s+([\p{L}]{2,20}(?:[-_][A-Za-z]{2})?)$/u
const AHEAD = /^([a-z]{2}|[A-Z]{2})[_:]\s*(.*\S)$/

function split(header: string): LanguageColumn | undefined {
  const text = header.trim()
  if (text.length > MAX_MEANT) return undefined
  const [, base, inside] = BRACKETED.exec(text) ?? []
  const bracketed = inside === undefined ? undefined : languageOf(inside)
  if (bracketed !== undefined) return { base: base!, language: bracketed, isCertain: inside !== 'no' }
  return splitEnd(text, JOINED, false) ?? splitEnd(text, BESIDE, true) ?? splitBeginning(text)
}

/** @param isLoose whether the word at the end may also be a word of the base */
function splitEnd(text: string, pattern: RegExp, isLoose: boolean): LanguageColumn | undefined {
  const [, base, word] = pattern.exec(text) ?? []
  const language = word === undefined ? undefined : languageOf(word)
  if (language === undefined) return undefined
  const isName = word!.length > 3 && !/[-_]/.test(word!)
  if (isLoose && !isName && word === word!.toLowerCase() && WORDS.has(word)) return undefined
  return { base: base!, language, isCertain: isName }
}

function splitBeginning(text: string): LanguageColumn | undefined {
  const [, code, base] = AHEAD.exec(text) ?? []
  const language = code === undefined ? undefined : languageOf(code)
  return language === undefined ? undefined : { base: base!, language, isCertain: false }
}

let names: ReadonlyMap<string, string> | undefined

function languageOf(word: string): string | undefined {
  const [code = '', region] = word.split(/[-_]/)
  const known = CODES.includes(code.toLowerCase())
  if (known && region === undefined && code.length === 2) return code.toLowerCase()
  if (known && region?.length === 2) return `${code.toLowerCase()}-${region.toUpperCase()}`
  names ??= namesOfLanguages()
  return names.get(foldHeader(word))
}

function namesOfLanguages(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const spoken = NAMED_IN.map((language) => new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }))
  for (const code of CODES)
    for (const name of [nameOfLanguage(code), ...spoken.map((one) => one.of(code))])
      if (name !== undefined) found.set(foldHeader(name), code)
  // As adjectives of columns: `Name englisch`.
  for (const [word, code] of [
    ['englisch', 'en'],
    ['deutsch', 'de'],
    ['franzosisch', 'fr'],
    ['italienisch', 'it'],
    ['spanisch', 'es'],
  ] as const)
    found.set(word, code)
  return found
}
