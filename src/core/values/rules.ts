// The rules that an attribute may set for its values, and the limits of every text and number. Contract 2 §3.
import * as v from 'valibot'
import { LostNumber } from '../../kernel/json/lost-numbers.ts'
import { findMismatch, type PatternWork } from './patterns.ts'
import { countCharacters } from '../../kernel/text.ts'
import { Flag, Id, listOf } from '../../kernel/input/validation.ts'
import { faultOf, type ValueFault } from './value-fault.ts'

const Count = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be a whole number'),
  v.minValue(0, 'must be 0 or more'),
)
const Bound = v.pipe(v.number('must be a number'), v.finite('must be a finite number'))

/** Most records that one list refers to: each is looked up when the list is written. */
export const MAX_REFERENCES = 200

const Pixels = v.pipe(Count, v.minValue(1, 'must be 1 or more'), v.maxValue(1_000_000, 'must be at most 1000000'))
const PixelRule = v.pipe(
  v.object({ width: v.optional(Pixels), height: v.optional(Pixels) }),
  v.check(({ width, height }) => width !== undefined || height !== undefined, 'must have width or height'),
)
export type PixelRule = v.InferOutput<typeof PixelRule>
const MediaTypes = listOf(
  v.pipe(
    v.string('must be a string'),
    v.maxLength(100, 'must be at most 100 characters long'),
    v.regex(/^[\w.+-]+\/(?:\*|[\w.+-]+)$/, "must be a media type such as 'image/png' or 'image/*'"),
  ),
  50,
)

export const ValidationRules = v.object({
  minLength: v.optional(Count),
  maxLength: v.optional(Count),
  pattern: v.optional(v.pipe(v.string('must be a string'), v.maxLength(1000, 'must be at most 1000 characters long'))),
  min: v.optional(Bound),
  max: v.optional(Bound),
  integer: v.optional(Flag),
  maxDecimals: v.optional(v.pipe(Count, v.maxValue(15, 'must be at most 15'))),
  maxItems: v.optional(Count),
  maxCount: v.optional(
    v.pipe(Count, v.minValue(1, 'must be 1 or more'), v.maxValue(MAX_REFERENCES, `must be at most ${MAX_REFERENCES}`)),
  ),
  schemaId: v.optional(Id),
  mediaTypes: v.optional(v.pipe(MediaTypes, v.minLength(1, 'must not be empty'))),
  maxBytes: v.optional(Count),
  minPixels: v.optional(PixelRule),
  maxPixels: v.optional(PixelRule),
})
export type ValidationRules = v.InferOutput<typeof ValidationRules>

/** The validation rules of an attribute. */
export interface ValueRules {
  readonly alias: string
  readonly validation: ValidationRules
  readonly options: readonly { readonly id: string }[]
  readonly units: readonly string[]
  readonly currencies: readonly string[]
}

/** The fault of `text`, or undefined. Lengths count Unicode code points. All values of one write share `work`. */
export function findTextFault(text: string, rules: ValidationRules, work?: PatternWork): ValueFault | undefined {
  const { minLength, maxLength, pattern } = rules
  if (minLength !== undefined || maxLength !== undefined) {
    const length = countCharacters(text)
    if (minLength !== undefined && length < minLength)
      return faultOf('length', `must be at least ${minLength} characters long`)
    if (maxLength !== undefined && length > maxLength)
      return faultOf('length', `must be at most ${maxLength} characters long`)
  }
  return pattern === undefined ? undefined : faultOf('pattern', findMismatch(pattern, text, work))
}

export function findNumberFault(value: unknown, rules: ValidationRules): ValueFault | undefined {
  if (value instanceof LostNumber) return faultOf('type', value.problem)
  if (typeof value !== 'number' || !Number.isFinite(value)) return faultOf('type', 'must be a finite number')
  return faultOf('range', findRangeProblem(value, rules))
}

function findRangeProblem(value: number, rules: ValidationRules): string | undefined {
  const { min, max, integer, maxDecimals } = rules
  if (min !== undefined && value < min) return `must be at least ${min}`
  if (max !== undefined && value > max) return `must be at most ${max}`
  if (integer === true && !Number.isInteger(value)) return 'must be a whole number'
  if (maxDecimals !== undefined && countDecimals(value) > maxDecimals)
    return `must have at most ${maxDecimals} decimal places`
  return undefined
}

/** Decimal places of the shortest decimal notation of `value`. */
function countDecimals(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const fraction = mantissa.split('.')[1] ?? ''
  return Math.max(0, fraction.length - Number(exponent))
}
