// The display of an attribute's numbers for people: in the console, on product sheets, and in spreadsheets. Stored
// values do not change. Contract 5 §2.
import * as v from 'valibot'
import { wholeNumber } from '../../../kernel/input/validation.ts'
import type { DataTypeName } from '../../datatypes/data-types.ts'

export const NUMBER_STYLES = ['plain', 'grouped'] as const
export const MAX_SHOWN_DECIMALS = 10
const MAX_UNIT = 20

export const NumberDisplay = v.object({
  style: v.optional(v.picklist(NUMBER_STYLES, "must be 'plain' or 'grouped'")),
  decimals: v.optional(wholeNumber(0, MAX_SHOWN_DECIMALS)),
  unit: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(MAX_UNIT, `must be at most ${MAX_UNIT} characters long`),
      v.regex(/^[^\p{C}"]*$/u, 'must have no control characters and no quotation marks'),
    ),
  ),
})
export type NumberDisplay = v.InferOutput<typeof NumberDisplay>

/** Returns the fault of an attribute's display as `field problem`, or undefined. */
export function findDisplayFault(dataType: DataTypeName, display: NumberDisplay | undefined): string | undefined {
  if (display === undefined) return undefined
  if (dataType !== 'number' && dataType !== 'price' && dataType !== 'measurement')
    return 'display is for the data types number, price and measurement only'
  return dataType !== 'number' && display.unit !== undefined
    ? 'display.unit is for the data type number only'
    : undefined
}
