// How a value is written where there are no JSON types: in csv cells and xml. Decisions §6.
import type { DataTypeName } from './datatype-names.ts'

/** The field of a value that is written beside its text: a column, or an xml attribute, of its own. */
export type UnitField = 'currency' | 'unit'

export const UNIT_FIELDS: readonly UnitField[] = ['currency', 'unit']

export interface TextForm {
  /** What `String` makes the value's text of. A number or truth value stays one, so that csv can tell it from a text. */
  readonly toCell: (value: unknown) => string | number | boolean
  readonly unitField: UnitField | undefined
}

const plain: TextForm = { toCell: (value) => value as string | number | boolean, unitField: undefined }

function amountWith(unitField: UnitField): TextForm {
  return { toCell: (value) => (value as { amount: number }).amount, unitField }
}

const textForms = {
  text: plain,
  richText: plain,
  url: plain,
  number: plain,
  boolean: plain,
  date: plain,
  dateTime: plain,
  select: plain,
  // Option IDs hold no vertical bar.
  multiSelect: { ...plain, toCell: (value) => (value as string[]).join('|') },
  price: amountWith('currency'),
  measurement: amountWith('unit'),
  reference: plain,
  json: { ...plain, toCell: (value) => JSON.stringify(value) },
} satisfies Record<DataTypeName, TextForm>

export function textFormOf(attribute: { readonly dataType: DataTypeName }): TextForm {
  return textForms[attribute.dataType]
}

/** The unit or currency that is written beside the text of `value`. */
export function unitOf(value: unknown, unitField: UnitField): string {
  return (value as Record<UnitField, string>)[unitField]
}
