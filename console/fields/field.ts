// Per data type: shows values, reads typed text, chooses the editor.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Named } from '../../src/core/model/rules/names.ts'
import type { FaultCode } from '../../src/core/values/value-fault.ts'

/** The number format, the time zone and the words of the user. */
export interface Locale {
  /** BCP 47 tag for numbers and dates. */
  readonly tag: string
  readonly timeZone?: string | undefined
  /** The words for true and false. */
  readonly yes: string
  readonly no: string
  /** The name of a part of the model in the user's language. */
  readonly nameOf: (named: Named) => string
}

/** The members of an attribute that affect its values. */
export type FieldAttribute = Pick<
  Attribute,
  'alias' | 'dataType' | 'options' | 'units' | 'currencies' | 'validation' | 'display'
>

/** `value` null: the text is empty, so it has no value. */
export type Reading =
  | { readonly value: unknown; readonly code?: undefined }
  /** `problem` is the rest of a sentence, in the words of the server. */
  | { readonly code: FaultCode; readonly problem: string }

/**
 * line: one line; lines: several; choice, choices: from the attribute's list; record: a record of any schema; file: an
 * uploaded file.
 */
export type EditorKind = 'line' | 'lines' | 'choice' | 'choices' | 'record' | 'file'

export interface Field {
  readonly editor: EditorKind
  /** Numbers are aligned at the end of their cell, so that digits stand below each other. */
  readonly align: 'start' | 'end'
  /** One line, for reading. */
  show(value: unknown, attribute: FieldAttribute, locale: Locale): string
  /** Returns text for editing and for the clipboard: `read` turns this text back into the same value. */
  write(value: unknown, attribute: FieldAttribute, locale: Locale): string
  /**
   * Reads a text, without checking the rules of the attribute. `before`: the value in force; its unit applies if no
   * unit is typed.
   */
  read(text: string, attribute: FieldAttribute, locale: Locale, before?: unknown): Reading
}

export function misread(problem: string, code: FaultCode = 'type'): Reading {
  return { code, problem }
}
