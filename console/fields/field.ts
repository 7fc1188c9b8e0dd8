// What the console has to know of a data type to show its values, to read what somebody types, and to edit them.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Named } from '../../src/core/model/rules/names.ts'
import type { FaultCode } from '../../src/core/values/value-fault.ts'

/** How the user writes and is spoken to. */
export interface Locale {
  /** BCP 47, of numbers and dates. */
  readonly tag: string
  readonly timeZone?: string | undefined
  /** What true and false are called. */
  readonly yes: string
  readonly no: string
  /** What a part of the model is called in the user's language. */
  readonly nameOf: (named: Named) => string
}

/** What of an attribute matters to its values. */
export type FieldAttribute = Pick<Attribute, 'alias' | 'dataType' | 'options' | 'units' | 'currencies' | 'validation'>

/** `value` null: nothing was typed, so there is none. */
export type Reading =
  | { readonly value: unknown; readonly code?: undefined }
  /** `problem` is the rest of a sentence, as the server would say it. */
  | { readonly code: FaultCode; readonly problem: string }

/** line: one line; lines: several; choice, choices: from the attribute's list; record: a record of any schema. */
export type EditorKind = 'line' | 'lines' | 'choice' | 'choices' | 'record'

export interface Field {
  readonly editor: EditorKind
  /** Numbers stand at the end of their cell, so that their digits are below each other. */
  readonly align: 'start' | 'end'
  /** On one line, for reading. */
  show(value: unknown, attribute: FieldAttribute, locale: Locale): string
  /** For editing and for the clipboard: `read` makes the same value of it. */
  write(value: unknown, attribute: FieldAttribute, locale: Locale): string
  /** Whether the value keeps the attribute's rules is not asked. `before`: the value in force, whose unit is taken where none is typed. */
  read(text: string, attribute: FieldAttribute, locale: Locale, before?: unknown): Reading
}

export function misread(problem: string, code: FaultCode = 'type'): Reading {
  return { code, problem }
}
