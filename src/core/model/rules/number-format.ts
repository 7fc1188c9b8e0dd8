// The formats of numbers for people: the console and product sheets show the same. Contract 5 §2.
import type { NumberDisplay } from './number-display.ts'

/** More digits than any number here has. */
const MOST_DIGITS = 20

/** @param fraction fewest digits behind the decimal sign, unless `display` says how many */
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
