// The dialect of an imported csv: the options of the client, and the rules to detect it. Contract 3 §4.
import type { DECIMALS, DELIMITERS } from './csv-dialect.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]
export type Delimiter = (typeof DELIMITERS)[number]
export type Decimal = (typeof DECIMALS)[number]

/** The format that the client gives for the file. */
export interface AskedDialect {
  readonly delimiter?: Delimiter | undefined
  readonly decimal?: Decimal | undefined
  readonly encoding?: Encoding | undefined
}

/** How the numbers of a file are written. `grouped`: with a dot, and with signs between thousands. */
export type NumberStyle = 'dot' | 'comma' | 'grouped'

const WITH_COMMA = /^[+-]?(?:\d{1,3}(?:[.\u00a0\u202f ']\d{3})+|\d*)(?:,\d*)?(?:e[+-]?\d+)?$/i
const WITH_DOT = /^[+-]?\d*\.\d+(?:e[+-]?\d+)?$/i

/** The number with a dot that a file with decimal commas means; undefined where it is none. A dot that can be no group is a decimal sign. */
export function withDot(text: string): string | undefined {
  const written = text.trim()
  return fromComma(written) ?? (WITH_DOT.test(written) ? written : undefined)
}

/** The same where every dot stands between groups. */
export function fromComma(text: string): string | undefined {
  const written = text.trim()
  return WITH_COMMA.test(written) ? written.replaceAll(/[.\u00a0\u202f ']/g, '').replace(',', '.') : undefined
}

const GROUPED_WITH_DOT = /^[+-]?\d{1,3}(?:[,\u00a0\u202f ']\d{3})+(?:\.\d*)?$/

/** The number of a file with decimal dots, without the signs between its thousands; undefined where it has none. */
export function withoutGroups(text: string): string | undefined {
  const written = text.trim()
  return GROUPED_WITH_DOT.test(written) ? written.replaceAll(/[,\u00a0\u202f ']/g, '') : undefined
}

const EITHER = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/
const GROUPED = { '.': /^[+-]?\d{1,3}(?:\.\d{3}){2,}$/, ',': /^[+-]?\d{1,3}(?:,\d{3}){2,}$/ } as const

/** Whether three digits behind the only sign can be thousands or decimals. */
export function isEither(written: string): boolean {
  return EITHER.test(written)
}

/** Whether the sign stands more than once, and so between thousands. */
export function isGroupedBy(sign: Decimal, written: string): boolean {
  return GROUPED[sign].test(written)
}
