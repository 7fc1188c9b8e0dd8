// The console's words in the user's language. Each language has its own files of words, which `speak` loads. The
// English words define the type that all languages must have. The browser (Intl) formats numbers, dates and plurals.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { words as placeWords } from './en/places.ts'
import type { words as startWords } from './en/start.ts'
import { ENGLISH, type Language, type Part, type Word } from './languages.ts'
import { loadPlaces, loadStart } from './word-files.ts'

type TextOf<Value> = Value extends string ? Value : Value[keyof Value] & string
type Holes<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never
/** The values of placeholders: numbers are formatted in the language. */
type Fillings<Value> = { readonly [hole in Holes<TextOf<Value>>]: string | number }
type Counted<Value> = [Value] extends [string] ? Fillings<Value> : Fillings<Value> & { readonly count: number }
/** A text; in a component it changes with the language. */
export type Say<English> = <Name extends keyof English>(
  name: Name,
  ...[fillings]: object extends Counted<English[Name]> ? [] : [fillings: Counted<English[Name]>]
) => string

type StartWords = typeof startWords
export type StartWord = keyof StartWords
export type PlaceWords = StartWords & typeof placeWords

const FILES = { start: loadStart, places: loadPlaces } as const satisfies Record<Part, unknown>

/** Letters from right to left. A name with such letters must not move the words around it, so isolates enclose the name. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The loaded words, by language. */
const known = new Map<Language, Map<string, Word>>()
/** Names of loaded files. */
const loaded = new Set<string>()
/** The parts of the words that must be loaded before the console shows a language. */
const needed = new Set<Part>(['start'])
let asked: Language = ENGLISH
let speaking = Promise.resolve()

const chosen = signal<Language>(ENGLISH)
const ownLocale = signal<string | undefined>(undefined)

export const language: ReadonlySignal<Language> = chosen
/** The locale for a browser without English, which is rarely American: days before months, and 24 hours. */
const FAR_ENGLISH = 'en-GB'

/** The locale of numbers and dates: the browser's locale, if it belongs to the language. */
export const locale = computed(() => ownLocale.value ?? (language.value === ENGLISH ? FAR_ENGLISH : language.value))

/**
 * Loads the words of the language, and then switches to it: until then the old language stays. @param preferred the
 * browser's languages: `de-AT` formats numbers differently from `de` @throws TypeError if words cannot be loaded
 */
export function speak(wanted: Language, preferred: readonly string[] = []): Promise<void> {
  asked = wanted
  speaking = speakLoaded(wanted, preferred)
  return speaking
}

async function speakLoaded(wanted: Language, preferred: readonly string[]): Promise<void> {
  // Another part may become necessary meanwhile, and is also loaded.
  for (const part of needed) await load(wanted, part)
  if (asked !== wanted) return
  ownLocale.value = preferred.find((tag) => tag === wanted || tag.startsWith(`${wanted}-`))
  chosen.value = wanted
}

/** Resolves when no language is loading, also after a failure. */
export function spoken(): Promise<void> {
  return speaking.catch(() => undefined)
}

/** Whether any words are loaded. */
export function hasWords(): boolean {
  return loaded.size > 0
}

/** Loads the words of all places: every place except the start awaits this before it is shown. @throws TypeError */
export async function loadPlaceWords(): Promise<void> {
  await spoken()
  let current: Language
  do {
    current = chosen.peek()
    await load(current, 'places')
  } while (chosen.peek() !== current)
  // From now on every language needs these words.
  needed.add('places')
}

async function load(wanted: Language, part: Part): Promise<void> {
  const file = `${wanted} ${part}`
  if (loaded.has(file)) return
  const { words } = await FILES[part](wanted)
  const all = known.get(wanted) ?? new Map<string, Word>()
  known.set(wanted, all)
  for (const [name, word] of Object.entries(words)) all.set(name, word)
  loaded.add(file)
}

/** Says words of the first screen, and words that all places share. */
export const t: Say<StartWords> = say

/** Returns the text of any word: for `place.ts`, and for computed names of words. */
export function say(name: PropertyKey, fillings: Readonly<Record<string, string | number>> = {}): string {
  // Nothing is shown before words are loaded, but code may run: the name of the word is used instead.
  const word = known.get(chosen.value)?.get(String(name)) ?? String(name)
  return textOf(word, fillings['count']).replaceAll(/\{(\w+)\}/g, (hole, key: string) => {
    const filling = fillings[key]
    if (filling === undefined) return hole
    if (typeof filling === 'number') return number(filling)
    return RIGHT_TO_LEFT.test(filling) ? `\u2068${filling}\u2069` : filling
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

/** @param value from 0 to 100 */
export function percent(value: number): string {
  return percents.value.format(value / 100)
}

/** Date and time of day, in the zone of the browser. */
export function moment(at: string | number): string {
  return moments.value.format(new Date(at))
}

export function day(iso: string): string {
  return days.value.format(new Date(iso))
}

export function time(iso: string): string {
  return times.value.format(new Date(iso))
}

const UNITS = [
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

/** `2 min ago`, `12 sec ago`, `now`; after a week the date. @param now milliseconds */
export function ago(iso: string, now: number): string {
  const distance = new Date(iso).getTime() - now
  if (Math.abs(distance) > 7 * 86_400_000) return day(iso)
  if (Math.abs(distance) < 5000) return distances.value.format(0, 'second')
  const [unit, length] = UNITS.findLast((entry) => Math.abs(distance) >= entry[1]) ?? UNITS[0]
  return distances.value.format(Math.round(distance / length), unit)
}

/** `a, b and c`. */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(items)
}
