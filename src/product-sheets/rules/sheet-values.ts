// Texts of values in a language, as a reader of a sheet sees them. Contract 5 §4.
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { FileValue } from '../../core/datatypes/file.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Named } from '../../core/model/rules/names.ts'
import { plainText } from '../../core/values/plain-text.ts'
import { own } from '../../kernel/own.ts'

/** Characters of one value; a longer text ends in an ellipsis. */
const MAX_TEXT = 20_000
/** Characters of formatted text that are read. */
const MAX_HTML = 40_000
const DAY = { dateStyle: 'medium', timeZone: 'UTC' } as const
const MOMENT = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const

/** The formats of a language. */
export class SheetLanguage {
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly #numbers: Intl.NumberFormat
  readonly #days: Intl.DateTimeFormat
  readonly #moments: Intl.DateTimeFormat
  readonly #prices = new Map<string, Intl.NumberFormat>()

  constructor(tag: string) {
    this.tag = tag
    this.direction = isRightToLeft(tag) ? 'rtl' : 'ltr'
    this.#numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 20 })
    this.#days = new Intl.DateTimeFormat(tag, DAY)
    this.#moments = new Intl.DateTimeFormat(tag, MOMENT)
  }

  /** The name in this language, in the language without its region, or the default one. */
  nameOf({ name, names }: Named): string {
    return own(names, this.tag) ?? own(names, this.tag.split('-')[0]!) ?? name
  }

  number(value: number): string {
    return this.#numbers.format(value)
  }

  price(amount: number, currency: string): string {
    const known = this.#prices.get(currency)
    const format = known ?? new Intl.NumberFormat(this.tag, { style: 'currency', currency, maximumFractionDigits: 6 })
    this.#prices.set(currency, format)
    return format.format(amount)
  }

  day(text: string): string {
    const moment = Date.parse(text)
    return Number.isNaN(moment) ? text : this.#days.format(moment)
  }

  moment(text: string): string {
    const moment = Date.parse(text)
    return Number.isNaN(moment) ? text : `${this.#moments.format(moment)} UTC`
  }
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb'])

function isRightToLeft(tag: string): boolean {
  return RIGHT_TO_LEFT.has(tag.split('-')[0]!.toLowerCase())
}

/**
 * The text of a value. @param labelOf the label of a record; its ID where the role may not read the record
 */
export function textOf(
  attribute: Attribute,
  value: unknown,
  language: SheetLanguage,
  labelOf: (recordId: string) => string,
): string {
  return shortened(writers[attribute.dataType](value as never, attribute, language, labelOf))
}

type Write = (
  value: never,
  attribute: Attribute,
  language: SheetLanguage,
  labelOf: (recordId: string) => string,
) => string

const asText: Write = (value: string) => value
const optionText: Write = (value: string, { options }, language) => {
  const option = options.find(({ id }) => id === value)
  return option === undefined ? value : language.nameOf(option)
}
const records: Write = (value: unknown, attribute, _language, labelOf) =>
  (dataTypeOf(attribute).records?.named(value) ?? []).map(labelOf).join(', ')

const writers: Readonly<Record<Attribute['dataType'], Write>> = {
  text: asText,
  url: asText,
  richText: (value: string) => plainText(value.slice(0, MAX_HTML)),
  number: (value: number, _attribute, language) => language.number(value),
  boolean: (value: boolean) => (value ? '✓' : '✗'),
  date: (value: string, _attribute, language) => language.day(value),
  dateTime: (value: string, _attribute, language) => language.moment(value),
  select: optionText,
  multiSelect: (value: readonly string[], attribute, language, labelOf) =>
    value.map((id) => optionText(id as never, attribute, language, labelOf)).join(', '),
  price: ({ amount, currency }: { amount: number; currency: string }, _attribute, language) =>
    language.price(amount, currency),
  measurement: ({ amount, unit }: { amount: number; unit: string }, _attribute, language) =>
    `${language.number(amount)}\u00a0${unit}`,
  reference: records,
  references: records,
  file: ({ fileName }: FileValue) => fileName,
  json: (value: unknown) => JSON.stringify(value, undefined, 1),
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()} …`
}
