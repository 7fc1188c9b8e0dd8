// How a value is written where there are no JSON types: in csv cells and xml. Decisions §6.
import type { DataTypeName } from './datatype-names.ts'

/** The field of a value that is written beside its text: a column, or an xml attribute, of its own. */
export type UnitField = 'currency' | 'unit'

export const UNIT_FIELDS: readonly UnitField[] = ['currency', 'unit']

export interface TextForm {
  readonly toText: (value: unknown) => string
  readonly unitField: UnitField | undefined
  /** Whether a spreadsheet reads the text as what it is, a number or a truth value, and never as a formula. */
  readonly isLiteral: boolean
}

const plain: TextForm = { toText: String, unitField: undefined, isLiteral: false }
const literal: TextForm = { ...plain, isLiteral: true }

function amountWith(unitField: UnitField): TextForm {
  return { toText: (value) => String((value as { amount: number }).amount), unitField, isLiteral: true }
}

const textForms = {
  text: plain,
  richText: plain,
  url: plain,
  number: literal,
  boolean: literal,
  date: plain,
  dateTime: plain,
  select: plain,
  // Option IDs hold no vertical bar.
  multiSelect: { ...plain, toText: (value) => (value as string[]).join('|') },
  price: amountWith('currency'),
  measurement: amountWith('unit'),
  reference: plain,
  json: { ...plain, toText: (value) => JSON.stringify(value) },
} satisfies Record<DataTypeName, TextForm>

export function textFormOf(attribute: { readonly dataType: DataTypeName }): TextForm {
  return textForms[attribute.dataType]
}

/** The unit or currency that is written beside the text of `value`. */
export function unitOf(value: unknown, unitField: UnitField): string {
  return (value as Record<UnitField, string>)[unitField]
}
