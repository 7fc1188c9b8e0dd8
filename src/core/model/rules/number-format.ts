// The formats of numbers for people, for both the console and product sheets. Contract 5 §2.
import type { NumberDisplay } from './number-display.ts'

/** More digits than any number of a record has. */
const MOST_DIGITS = 20

/** @param fraction fewest digits after the decimal sign, if `display` sets none */
export function formatOptions({ style, decimals }: NumberDisplay = {}, fraction = 0): Intl.NumberFormatOptions {
  return {
    // Years and other numbers of four digits have no separators.
    useGrouping: style === undefined ? 'min2' : style === 'grouped' && 'always',
    minimumFractionDigits: decimals ?? fraction,
    maximumFractionDigits: decimals ?? MOST_DIGITS,
  }
}

export function withUnit(number: string, display: NumberDisplay | undefined): string {
  return display?.unit === undefined ? number : `${number} ${display.unit}`
}
