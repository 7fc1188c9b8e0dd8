// What the console says, in the language of whoever reads it. English is typed and always there, other languages are loaded when
// they are first chosen. Numbers, dates and plurals are the browser's (Intl).
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { en } from './en.ts'
import type { English, Word, WordName, Words } from './word-types.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

type TextOf<Value> = Value extends string ? Value : Value[keyof Value] & string
type Holes<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never
/** What stands in the holes: numbers are written as the language does. */
type Fillings<Name extends WordName> = { readonly [hole in Holes<TextOf<English[Name]>>]: string | number }
type Counted<Name extends WordName> = English[Name] extends string
  ? Fillings<Name>
  : Fillings<Name> & { readonly count: number }

const LOADERS: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
}

const chosen = signal<{ readonly language: Language; readonly words: Words }>({ language: 'en', words: en })
const ownLocale = signal<string | undefined>(undefined)

export const language: ReadonlySignal<Language> = computed(() => chosen.value.language)
/** The locale of numbers and dates: the browser's, where it is one of the language. */
export const locale = computed(() => ownLocale.value ?? language.value)

/** @param preferred the browser's languages: `de-AT` writes numbers otherwise than `de` */
export async function speak(wanted: Language, preferred: readonly string[] = []): Promise<void> {
  const words = await LOADERS[wanted]()
  ownLocale.value = preferred.find((tag) => tag === wanted || tag.startsWith(`${wanted}-`))
  chosen.value = { language: wanted, words }
}

/** The first of the browser's languages that the console speaks. */
export function languageOf(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split('-')[0]!).find(isLanguage)
  return known ?? 'en'
}

export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(LANGUAGES, tag)
}

/** A text; in a component it changes with the language. */
export function t<Name extends WordName>(
  name: Name,
  ...[fillings]: object extends Counted<Name> ? [] : [fillings: Counted<Name>]
): string {
  const word: Word = chosen.value.words[name]
  const given: Readonly<Record<string, string | number>> = fillings ?? {}
  return textOf(word, given['count']).replaceAll(/\{(\w+)\}/g, (hole, key: string) => {
    const filling = given[key]
    if (filling === undefined) return hole
    return typeof filling === 'number' ? number(filling) : filling
  })
}

function textOf(word: Word, count: string | number | undefined): string {
  if (typeof word === 'string') return word
  const form = new Intl.PluralRules(locale.value).select(Number(count ?? 0))
  return word[form] ?? word.other
}

const numbers = computed(() => new Intl.NumberFormat(locale.value))
const moments = computed(() => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }))
const times = computed(() => new Intl.DateTimeFormat(locale.value, { timeStyle: 'short' }))
const days = computed(() => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium' }))
const distances = computed(() => new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto', style: 'short' }))

export function number(value: number): string {
  return numbers.value.format(value)
}

/** @param value of a hundred */
export function percent(value: number): string {
  return new Intl.NumberFormat(locale.value, { style: 'percent' }).format(value / 100)
}

/** Date and time of day, in the zone of the browser. */
export function moment(iso: string): string {
  return moments.value.format(new Date(iso))
}

export function day(iso: string): string {
  return days.value.format(new Date(iso))
}

export function time(iso: string): string {
  return times.value.format(new Date(iso))
}

const UNITS = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

/** `2 min. ago`, `now`; after a week the day. @param now milliseconds */
export function ago(iso: string, now: number): string {
  const distance = new Date(iso).getTime() - now
  if (Math.abs(distance) > 7 * 86_400_000) return day(iso)
  if (Math.abs(distance) < 60_000) return distances.value.format(0, 'second')
  const [unit, length] = UNITS.findLast((entry) => Math.abs(distance) >= entry[1]) ?? UNITS[0]
  return distances.value.format(Math.round(distance / length), unit)
}

/** `a, b and c`. */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(items)
}
