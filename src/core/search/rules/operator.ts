// The interface of an operator. Contract 1 §4.2, 2 §5, 3 §1.
//
// It is said twice: as a test of one value, and as a condition that a search index can look up. Where they differ, the test
// is right: storage is tested against it.
import type { EqualityKey } from '../../datatypes/data-type.ts'
import { type DataTypeName, dataTypeOf } from '../../datatypes/data-types.ts'
import { foldText } from '../../../kernel/text.ts'

/** The parts of an attribute that an operator needs. */
export interface AskedAttribute {
  readonly alias: string
  readonly dataType: DataTypeName
}

/** How a test looks at a value. Whoever asks many tests of the same values remembers what it sees. */
export interface ValueReader {
  fold(text: string): string
  keys(value: unknown): readonly EqualityKey[]
}

/** The comparand: '' if the operator takes none, a list for `list` and `range`. */
export type Comparand = string | readonly string[]

/** Numbers from one to another (time: milliseconds). */
export interface Bounds {
  readonly from: number
  readonly to: number
  readonly isFromIncluded: boolean
  readonly isToIncluded: boolean
}

/** The common trait of matching values: a key, or a text that they contain or begin with; `filled`: not empty; `none`: no value matches. */
export type Condition =
  | { readonly kind: 'point'; readonly key: EqualityKey }
  | { readonly kind: 'points'; readonly keys: readonly EqualityKey[] }
  | ({ readonly kind: 'range' } & Bounds)
  | { readonly kind: 'text' | 'prefix'; readonly text: string }
  | { readonly kind: 'filled' | 'anyKey' }
  | { readonly kind: 'none' }

export interface Operator {
  /** When a value passes, for the description of the interface. */
  readonly meaning: string
  /** The kind of comparand: none, one text, 1 to 1,000 texts, or two texts (from and to). */
  readonly operand: 'none' | 'text' | 'list' | 'range'
  /** Whether it holds where no value passes: `test` and `condition` are those of its opposite. */
  readonly isNegated: boolean
  /**
   * What is wrong with it and its value, as `field problem`, or undefined. `attributes` are those that it is asked of: one
   * alias in one or more schemas.
   */
  findFault(value: Comparand, attributes: readonly [AskedAttribute, ...AskedAttribute[]]): string | undefined
  /** The test that one value must pass. */
  test(value: Comparand, attribute: AskedAttribute, reader?: ValueReader): (candidate: unknown) => boolean
  condition(value: Comparand, attribute: AskedAttribute): Condition
}

export const NO_VALUE: Condition = { kind: 'none' }
export const never = (): boolean => false

export function readerOf(attribute: AskedAttribute): ValueReader {
  return { fold: foldText, keys: (value) => dataTypeOf(attribute).equalityKeys(value) }
}

/** The text of an operator that takes one. */
export function one(value: Comparand): string {
  return typeof value === 'string' ? value : (value[0] ?? '')
}

export function all(value: Comparand): readonly string[] {
  return typeof value === 'string' ? [value] : value
}
