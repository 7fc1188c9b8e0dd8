// The languages of the console, and the choice of one. `ahead.ts` imports this file too, so it must import nothing
// else.

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Each language has two files of words: the words of the first screen, and the words of the places behind it. */
export const PARTS = ['start', 'places'] as const
export type Part = (typeof PARTS)[number]

/** The first of the browser's languages that the console speaks. */
export function languageOf(preferred: readonly string[]): Language {
  const tag = preferred.map((one) => one.split('-')[0]!).find(isLanguage)
  return tag ?? 'en'
}

export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(LANGUAGES, tag)
}

/** One text, or one for each plural form of `count` that the language has. */
export type Word = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>
export type Words = Readonly<Record<string, Word>>
