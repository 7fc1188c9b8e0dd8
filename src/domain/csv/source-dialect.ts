// How a csv that is imported was written: what may be said of it, and what is found by itself. Contract 3 §4.
import type { DECIMALS, DELIMITERS } from '../exports/csv-dialect.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]
export type Delimiter = (typeof DELIMITERS)[number]
export type Decimal = (typeof DECIMALS)[number]

/** What whoever sends the file says of it. */
export interface AskedDialect {
  readonly delimiter?: Delimiter | undefined
  readonly decimal?: Decimal | undefined
  readonly encoding?: Encoding | undefined
}

export interface SourceDialect {
  readonly delimiter: Delimiter
  readonly decimal: Decimal
  readonly encoding: Encoding
}

/** How the numbers of a file are written. guessed: with commas as it seems; a dot that can mean nothing else is one. */
export type NumberStyle = 'dot' | 'comma' | 'guessed comma'

export function numberStyleOf({ decimal }: Pick<SourceDialect, 'decimal'>, asked: AskedDialect): NumberStyle {
  if (decimal === '.') return 'dot'
  return asked.decimal === undefined ? 'guessed comma' : 'comma'
}

const WITH_COMMA = /^[+-]?(?:\d{1,3}(?:[.\u00a0\u202f ']\d{3})+|\d*)(?:,\d*)?(?:e[+-]?\d+)?$/i
const WITH_DOT = /^[+-]?\d*\.\d+(?:e[+-]?\d+)?$/i

/** The number with a dot that `text` writes with a comma; undefined where it is none. */
export function withDot(text: string, style: Exclude<NumberStyle, 'dot'>): string | undefined {
  const written = text.trim()
  if (WITH_COMMA.test(written)) return written.replaceAll(/[.\u00a0\u202f ']/g, '').replace(',', '.')
  return style === 'guessed comma' && WITH_DOT.test(written) ? written : undefined
}
