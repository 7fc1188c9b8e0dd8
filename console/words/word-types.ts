// What a language consists of: English says which words there are.
import type { en } from './en.ts'

/** One text, or one for each plural form of `count` that the language has. */
export type Word = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>
export type English = typeof en
export type WordName = keyof English
/** Every language says everything. */
export type Words = Readonly<Record<WordName, Word>>
