// Texts of values in a language, as a reader of a sheet sees them. Contract 5 §4.
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { FileValue } from '../../core/datatypes/file.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { NumberDisplay } from '../../core/model/rules/number-display.ts'
import { formatOptions, withUnit } from '../../core/model/rules/number-format.ts'
import type { Named } from '../../core/model/rules/names.ts'
import { plainText } from '../../core/values/plain-text.ts'
import { parseRich, type RichNode } from '../../core/values/rich-markup.ts'
import { findById } from '../../kernel/found-by-id.ts'
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
  readonly #days: Intl.DateTimeFormat
  readonly #moments: Intl.DateTimeFormat
  /** By display and currency. */
  readonly #numbers = new Map<string, Intl.NumberFormat>()

  constructor(tag: string) {
    this.tag = tag
    this.direction = RIGHT_TO_LEFT.has(tag.split('-')[0]!.toLowerCase()) ? 'rtl' : 'ltr'
    this.#days = new Intl.DateTimeFormat(tag, DAY)
    this.#moments = new Intl.DateTimeFormat(tag, MOMENT)
  }

  /** The name in this language, in the language without its region, or the default one. */
  nameOf({ name, names }: Named): string {
    return own(names, this.tag) ?? own(names, this.tag.split('-')[0]!) ?? name
  }

  number(value: number, display: NumberDisplay | undefined): string {
    const format = this.#formatOf(display, '', () => formatOptions(display))
    return withUnit(format.format(value), display)
  }

  price(amount: number, currency: string, display: NumberDisplay | undefined): string {
    const format = this.#formatOf(display, currency, () => ({
      style: 'currency',
      currency,
      ...formatOptions(display, fractionOf(currency)),
    }))
    return format.format(amount)
  }

  #formatOf(
    display: NumberDisplay | undefined,
    currency: string,
    options: () => Intl.NumberFormatOptions,
  ): Intl.NumberFormat {
    const key = `${display?.style} ${display?.decimals} ${currency}`
    const format = this.#numbers.get(key) ?? new Intl.NumberFormat(this.tag, options())
    this.#numbers.set(key, format)
    return format
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

/** The usual digits of the currency behind the decimal sign. */
function fractionOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().minimumFractionDigits!
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb'])

/** The text of a value. @param labelOf the label of a record; its ID where the role may not read the record */
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
  const option = findById(options, value)
  return option === undefined ? value : language.nameOf(option)
}
const records: Write = (value: unknown, attribute, _language, labelOf) =>
  (dataTypeOf(attribute).records?.named(value) ?? []).map(labelOf).join(', ')

const writers: Readonly<Record<Attribute['dataType'], Write>> = {
  text: asText,
  url: asText,
  richText: (value: string) => plainText(value.slice(0, MAX_HTML)),
  number: (value: number, { display }, language) => language.number(value, display),
  boolean: (value: boolean) => (value ? '✓' : '✗'),
  date: (value: string, _attribute, language) => language.day(value),
  dateTime: (value: string, _attribute, language) => language.moment(value),
  select: optionText,
  multiSelect: (value: readonly string[], attribute, language, labelOf) =>
    value.map((id) => optionText(id as never, attribute, language, labelOf)).join(', '),
  price: ({ amount, currency }: { amount: number; currency: string }, { display }, language) =>
    language.price(amount, currency, display),
  measurement: ({ amount, unit }: { amount: number; unit: string }, { display }, language) =>
    `${language.number(amount, display)}\u00a0${unit}`,
  reference: records,
  references: records,
  file: ({ fileName }: FileValue) => fileName,
  json: (value: unknown) => JSON.stringify(value, undefined, 1),
}

/** The tree of a formatted text. Undefined: the text is too long, or has more than simple markup. */
export function markupOf({ dataType }: Pick<Attribute, 'dataType'>, value: unknown): RichNode[] | undefined {
  if (dataType !== 'richText' || typeof value !== 'string' || value.length > MAX_TEXT) return undefined
  return parseRich(value)
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()} …`
}
