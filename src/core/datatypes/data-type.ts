// The questions that every data type answers about its values. A type without an answer gives `undefined` or the value
// itself. Contract 2 §3, 2 §5, 2 §6.
import type { PatternWork } from '../values/patterns.ts'
import type { ValueRules } from '../values/rules.ts'
import type { ValueFault } from '../values/value-fault.ts'

/** The key that `equals` compares: a number for data types with an order, otherwise a text. */
export type EqualityKey = string | number

/** The fields that are written beside a value's text, in a column or an xml attribute of their own. */
export const UNIT_FIELDS = ['currency', 'unit'] as const
export type UnitField = (typeof UNIT_FIELDS)[number]

/** The value that a text stands for, or `problem`, the rest of a sentence. The rules of the attribute are not checked. */
export type TextReading = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string }

/** The list of an attribute, such as its options, of which values name members. */
interface Choices {
  /** The word for one choice in messages. */
  readonly noun: string
  readonly list: (attribute: ValueRules) => readonly string[]
  /** Whether an empty list allows all values. */
  readonly isOpenWhenEmpty: boolean
  /** The choices that a value names. */
  readonly named: (value: unknown) => readonly string[]
  /** The value without removed choices; undefined: nothing remains. */
  readonly keep: (value: unknown, isKept: (choice: string) => boolean) => unknown
}

/** The records that values name. */
interface RecordNames {
  /** Whether a record that a value names cannot be deleted. */
  readonly areKept: boolean
  /** The IDs that a value names. */
  readonly named: (value: unknown) => readonly string[]
  /** The value without some of the records; undefined: nothing remains. */
  readonly keep: (value: unknown, isKept: (recordId: string) => boolean) => unknown
}

/** Members of values that searches may ask for. */
export const VALUE_PARTS = ['fileName', 'mediaType', 'size', 'width', 'height'] as const
export type ValuePart = (typeof VALUE_PARTS)[number]

export interface DataType {
  /** Describes a value in the API documentation. */
  readonly form: string
  /** The stored value for the input of a client. */
  read(input: unknown): unknown
  /** The fault of `value`, or undefined. `work` limits the patterns of one write, where the value is part of one. */
  findFault(value: unknown, attribute: ValueRules, work?: PatternWork): ValueFault | undefined
  isEmpty(value: unknown): boolean
  /** The value without fields that the data type does not know. */
  withoutUnknownFields(value: unknown): unknown
  readonly choices: Choices | undefined
  /** Undefined: values name no records. */
  readonly records: RecordNames | undefined
  /** The hashes of the files that a value names. Undefined: values name no files. */
  readonly files?: ((value: unknown) => readonly string[]) | undefined
  /** Members of a value that a search may ask for, with the data types that they have there. Undefined: none. */
  readonly parts?: Readonly<Record<ValuePart, 'text' | 'select' | 'number'>> | undefined

  /** One key, or one for each element. */
  equalityKeys(value: unknown): readonly EqualityKey[]
  readonly keysPerValue: 'one' | 'many'
  /** The key of a criterion's value; undefined where no value of this type can equal it. */
  parseKey(text: string): EqualityKey | undefined
  /** Whether every empty value has only the empty text as key. If not, a value with another key may be empty, too. */
  readonly areKeysExact: boolean
  /** Whether `contains` and the full-text search look into values. */
  readonly isText: boolean
  /** `gt` and `lt` compare the equality keys, which are numbers (time: milliseconds since 1970 UTC); undefined: no order. */
  readonly order: 'number' | 'time' | undefined

  /**
   * The value for csv and xml, whose text `String` makes. A number or truth value keeps its type, so that csv can tell
   * it from a text.
   */
  readonly toCell: (value: unknown) => string | number | boolean
  /** The cell for a later import, where `fromCell` cannot read that of `toCell`. */
  readonly toExactCell?: ((value: unknown) => string) | undefined
  /** The inverse of `toCell`. @param unit the text of the unit field's cell; '' without such a cell */
  fromCell(text: string, unit: string): TextReading
  readonly unitField: UnitField | undefined
  /** Whether an empty text or an empty list is a value. If not, an empty cell means no value. */
  readonly mayBeEmptyText: boolean
}

/** The unit or currency that is written beside the text of `value`. */
export function unitOf(value: unknown, unitField: UnitField): string {
  return (value as Record<UnitField, string>)[unitField]
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** The defaults of most data types: a single JSON value, which is its own key and its own text. */
export const singleValue = {
  read: (input) => input,
  withoutUnknownFields: (value) => value,
  choices: undefined,
  records: undefined,
  keysPerValue: 'one',
  areKeysExact: true,
  isText: false,
  order: undefined,
  toCell: (value) => value as string | number | boolean,
  unitField: undefined,
} satisfies Partial<DataType>

/** Most parts of a cell. No valid value has so many, but a cell may be as long as a line. */
const MAX_PARTS = 20_000
/** The rest of a sentence. */
export const TOO_MANY_PARTS = `has more than ${MAX_PARTS} parts`

/** The parts of a cell that holds a list; undefined: too many. */
export function partsOfCell(text: string, separator: string): string[] | undefined {
  const parts = text.split(separator, MAX_PARTS + 1)
  return parts.length > MAX_PARTS ? undefined : parts
}

/** A list of IDs, none of which is empty or holds a vertical bar. */
export const severalIds = {
  ...singleValue,
  isEmpty: (value) => (value as string[]).length === 0,
  equalityKeys: (value) => value as string[],
  keysPerValue: 'many',
  parseKey: (text) => (text === '' ? undefined : text),
  toCell: (value) => (value as string[]).join('|'),
  fromCell: (text) => {
    const value = text === '' ? [] : partsOfCell(text, '|')
    return value === undefined ? { problem: TOO_MANY_PARTS } : { value }
  },
  mayBeEmptyText: true,
} satisfies Partial<DataType>

/** The members of a list that are kept; undefined: none. */
export function keepSome(ids: readonly string[], isKept: (id: string) => boolean): readonly string[] | undefined {
  const kept = ids.filter(isKept)
  return kept.length > 0 ? kept : undefined
}

/** A string; the empty string is an empty value. */
export const singleText = {
  ...singleValue,
  isEmpty: (value) => value === '',
  equalityKeys: (value) => [value as string],
  parseKey: (text) => text,
  fromCell: (text) => ({ value: text }),
  mayBeEmptyText: true,
} satisfies Partial<DataType>
