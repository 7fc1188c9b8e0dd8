// The words of summaries: a file for each language. Contract 5 §7. Nothing but the name of its file names a language.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { parse } from '../../kernel/input/parse.ts'
import { own } from '../../kernel/own.ts'

/** The language of people whose language has no words. */
const ENGLISH = 'en'

const Text = v.pipe(v.string('must be a text'), v.minLength(1, 'must not be empty'))
const Maybe = v.optional(Text)
/** A text for each plural form that the language has. */
const Counted = exactObject({ zero: Maybe, one: Maybe, two: Maybe, few: Maybe, many: Maybe, other: Text })

const WordsInput = exactObject({
  subject: Counted,
  hello: Text,
  somebody: Text,
  records: Counted,
  work: Text,
  news: Text,
  due: Text,
  overdue: Text,
  notices: exactObject({
    mention: Text,
    reply: Text,
    comment: Text,
    assignment: Text,
    exportFailed: Text,
    importEnded: Text,
  }),
  more: Counted,
  /** How to switch summaries off: with an address, and without one. */
  off: Text,
  offInConsole: Text,
  trial: exactObject({ subject: Text, text: Text }),
})

export interface SummaryWords extends v.InferOutput<typeof WordsInput> {
  /** A tag such as `en`. */
  readonly language: string
}

/** By language. @param files `en.json` and its content @throws VALIDATION_ERROR naming file and word */
export function summaryWordsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, SummaryWords> {
  const words = [...files].map(([name, text]): readonly [string, SummaryWords] => {
    const [language] = Intl.getCanonicalLocales(name.replace(/\.json$/, ''))
    return [language!, { language: language!, ...parse(WordsInput, JSON.parse(text), name) }]
  })
  return new Map(words)
}

/** The words of the tag, or else of its language, or else the English ones. */
export function wordsFor(tag: string, known: ReadonlyMap<string, SummaryWords>): SummaryWords {
  const [language = ENGLISH] = tag.toLowerCase().split('-')
  const exact = [...known.keys()].find((one) => one.toLowerCase() === tag.toLowerCase())
  return known.get(exact ?? language) ?? known.get(ENGLISH)!
}

/** The text with values in place of `{name}`; a value is never searched for places itself. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => own(values, name) ?? place)
}

export function fillCounted(
  { language }: Pick<SummaryWords, 'language'>,
  forms: SummaryWords['subject'],
  count: number,
): string {
  const form = new Intl.PluralRules(language).select(count)
  return fill(forms[form] ?? forms.other, { count: String(count) })
}
