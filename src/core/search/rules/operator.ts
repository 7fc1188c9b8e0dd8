// The interface of an operator. Contract 1 §4.2, 2 §5, 3 §1.
//
// An operator has two forms: a test of one value, and a condition for a lookup in the index. Both must agree. If they
// differ, the test is right, and the condition is wrong.
import type { EqualityKey } from '../../datatypes/data-type.ts'
import { type DataTypeName, dataTypeOf } from '../../datatypes/data-types.ts'
import { foldText } from '../../../kernel/text.ts'

/** Members of an attribute that an operator needs. */
export interface AskedAttribute {
  readonly alias: string
  readonly dataType: DataTypeName
}

/** Converts values for tests. Callers that run many tests on the same values pass a caching reader. */
export interface ValueReader {
  fold(text: string): string
  keys(value: unknown): readonly EqualityKey[]
}

/** The comparand: '' if the operator takes none, a list for `list` and `range`. */
export type Comparand = string | readonly string[]

/** A range of numbers (time: milliseconds). */
export interface Bounds {
  readonly from: number
  readonly to: number
  readonly isFromIncluded: boolean
  readonly isToIncluded: boolean
}

/**
 * A condition names the keys that the search index looks up. Where the index has the exact rows of a condition, a search
 * judges no record by `Operator.test`. So a condition describes exactly the values that pass the test. An operator that no
 * kind describes needs a new kind, with its sets in `plan/to-sets.ts`.
 * `text`: the value contains the text; `prefix`: the value begins with it; `filled`: not empty; `none`: no value matches.
 */
export type Condition =
  | { readonly kind: 'point'; readonly key: EqualityKey }
  | { readonly kind: 'points'; readonly keys: readonly EqualityKey[] }
  | ({ readonly kind: 'range' } & Bounds)
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'filled' | 'anyKey' }
  | { readonly kind: 'none' }

export interface Operator {
  /** Describes when a value passes, for the description of the API. */
  readonly meaning: string
  /** The kind of comparand: none, one text, 1 to 1,000 texts, or two texts (from and to). */
  readonly operand: 'none' | 'text' | 'list' | 'range'
  /** True: the operator holds if no value passes. `test` and `condition` then belong to the opposite operator. */
  readonly isNegated: boolean
  /**
   * Returns the fault of the operator and its value, as `field problem`, or undefined.
   * @param attributes with the same alias, in one or more schemas
   */
  findFault(value: Comparand, attributes: readonly [AskedAttribute, ...AskedAttribute[]]): string | undefined
  /** Returns the test that one value must pass. */
  test(value: Comparand, attribute: AskedAttribute, reader?: ValueReader): (candidate: unknown) => boolean
  /** Returns the condition that fits exactly the values that pass the test. */
  condition(value: Comparand, attribute: AskedAttribute): Condition
}

export const NO_VALUE: Condition = { kind: 'none' }
export const never = (): boolean => false

export function readerOf(attribute: AskedAttribute): ValueReader {
  return { fold: foldText, keys: (value) => dataTypeOf(attribute).equalityKeys(value) }
}

/** Returns the text of an operator with a single text. */
export function one(value: Comparand): string {
  return typeof value === 'string' ? value : (value[0] ?? '')
}

export function all(value: Comparand): readonly string[] {
  return typeof value === 'string' ? [value] : value
}
