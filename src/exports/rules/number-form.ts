// How spreadsheets show the numbers of an attribute: its `display` as a number format. Contract 5 §2.
import { type Attribute } from '../../core/model/rules/attributes.ts'
import { MAX_SHOWN_DECIMALS } from '../../core/model/rules/number-display.ts'

/** A number format, as `#,##0.00 "kg"`. */
export interface NumberForm {
  readonly code: string
}

/** Undefined: as the spreadsheet shows all numbers. */
export function numberForm({ display, validation }: Pick<Attribute, 'display' | 'validation'>): NumberForm | undefined {
  if (display === undefined) return undefined
  const { style, decimals, unit } = display
  const usual = validation.integer === true ? 0 : (validation.maxDecimals ?? 2)
  const shown = Math.min(decimals ?? usual, MAX_SHOWN_DECIMALS)
  const fraction = shown === 0 ? '' : `.${'0'.repeat(shown)}`
  const number = style === 'grouped' ? `#,##0${fraction}` : decimals === undefined ? 'General' : `0${fraction}`
  return { code: unit === undefined ? number : `${number} "${unit}"` }
}
