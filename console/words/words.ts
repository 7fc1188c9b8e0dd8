// What the console says, in the language of whoever reads it: the words that every place may need. Those of a place come with it
// (`words/PLACE.ts`). English types the words, the others say the same. Numbers, dates and plurals are the browser's (Intl).
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { commonWords as germanCommon } from './de/common.ts'
import { formWords as germanForms } from './de/forms.ts'
import { shellWords as germanShell } from './de/shell.ts'
import { commonWords } from './en/common.ts'
import { formWords } from './en/forms.ts'
import { shellWords } from './en/shell.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** One text, or one for each plural form of `count` that the language has. */
export type Word = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>
export type Words = Readonly<Record<string, Word>>
/** Every language says everything. */
type Spoken<English> = { readonly en: English } & Record<Exclude<Language, 'en'>, Readonly<Record<keyof English, Word>>>

type TextOf<Value> = Value extends string ? Value : Value[keyof Value] & string
type Holes<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never
/** What stands in the holes: numbers are written as the language does. */
type Fillings<Value> = { readonly [hole in Holes<TextOf<Value>>]: string | number }
type Counted<Value> = [Value] extends [string] ? Fillings<Value> : Fillings<Value> & { readonly count: number }
/** A text; in a component it changes with the language. */
type Say<English> = <Name extends keyof English>(
  name: Name,
  ...[fillings]: object extends Counted<English[Name]> ? [] : [fillings: Counted<English[Name]>]
) => string

const shared = {
  en: { ...commonWords, ...formWords, ...shellWords },
  de: { ...germanCommon, ...germanForms, ...germanShell },
}
type Shared = typeof shared.en
export type SharedWord = keyof Shared

/** Of whatever is loaded. */
const known: Record<Language, Record<string, Word>> = { ...shared }

const chosen = signal<Language>('en')
const ownLocale = signal<string | undefined>(undefined)

export const language: ReadonlySignal<Language> = chosen
/** The locale of numbers and dates: the browser's, where it is one of the language. */
export const locale = computed(() => ownLocale.value ?? language.value)

/** @param preferred the browser's languages: `de-AT` writes numbers otherwise than `de` */
export function speak(wanted: Language, preferred: readonly string[] = []): void {
  ownLocale.value = preferred.find((tag) => tag === wanted || tag.startsWith(`${wanted}-`))
  chosen.value = wanted
}

/** The first of the browser's languages that the console speaks. */
export function languageOf(preferred: readonly string[]): Language {
  const tag = preferred.map((one) => one.split('-')[0]!).find(isLanguage)
  return tag ?? 'en'
}

export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(LANGUAGES, tag)
}

export const t: Say<Shared> = say

/** The `t` of a place, which knows its words and the shared ones. */
export function wordsOf<const English extends Words>(words: Spoken<English>): Say<Shared & English> {
  for (const each of Object.keys(LANGUAGES) as Language[]) Object.assign(known[each], words[each])
  return say
}

function say(name: PropertyKey, fillings: Readonly<Record<string, string | number>> = {}): string {
  return textOf(known[chosen.value][String(name)]!, fillings['count']).replaceAll(/\{(\w+)\}/g, (hole, key: string) => {
    const filling = fillings[key]
    if (filling === undefined) return hole
    return typeof filling === 'number' ? number(filling) : filling
  })
}

function textOf(word: Word, count: string | number | undefined): string {
  if (typeof word === 'string') return word
  const form = plurals.value.select(Number(count ?? 0))
  return word[form] ?? word.other
}

const plurals = computed(() => new Intl.PluralRules(locale.value))
const numbers = computed(() => new Intl.NumberFormat(locale.value))
const percents = computed(() => new Intl.NumberFormat(locale.value, { style: 'percent' }))
const moments = computed(() => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }))
const times = computed(() => new Intl.DateTimeFormat(locale.value, { timeStyle: 'short' }))
const days = computed(() => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium' }))
const distances = computed(() => new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto', style: 'short' }))

export function number(value: number): string {
  return numbers.value.format(value)
}

/** @param value of a hundred */
export function percent(value: number): string {
  return percents.value.format(value / 100)
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
