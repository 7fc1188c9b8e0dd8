// The languages of the console, and which one is spoken. `ahead.ts` asks this too: nothing else may come with it.

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Words come in two files for each language: those of the first screen, and those of the places behind it. */
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
