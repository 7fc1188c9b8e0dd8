// A suggested record: its label, and the place of the typed text.
// Contract 3 §1.
import { aliasOfWhole } from '../../values/value-parts.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Schema } from '../../model/rules/model.ts'
import type { ValueLayers } from '../../records/rules/record.ts'
import { labelValues, textValues } from '../../records/rules/record-label.ts'
import type { Scope } from '../../scopes/scope.ts'
import { foldText } from '../../../kernel/text.ts'
import { beginningOf } from './sorting.ts'

interface SuggestionMatch {
  readonly attributeAlias: string
  readonly scope: Scope
  /** The text around the match. */
  readonly excerpt: string
}

export interface Suggestion {
  /** The value of the schema's label attribute, or of its first text; otherwise the ID. */
  readonly label: string
  /** Null: the ID matched. */
  readonly match: SuggestionMatch | null
}

/** UTF-16 units. */
const MAX_LABEL = 200
const AROUND = 40

/** @param needles searched texts, not folded */
export function suggestionOf(
  id: string,
  layers: ValueLayers,
  schema: Schema,
  role: Role,
  needles: readonly string[],
): Suggestion {
  const searched = schema.searched.filter(
    (attribute) => dataTypeOf(attribute).isText && canRead(role, schema.id, aliasOfWhole(attribute.alias)),
  )
  const texts = searched.filter(({ alias }) => schema.attribute(alias) !== undefined)
  return { label: labelOf(texts, layers, schema.labelAttribute) ?? id, match: matchIn(searched, layers, needles) }
}

function labelOf(
  texts: readonly Attribute[],
  layers: ValueLayers,
  labelAttribute: string | undefined,
): string | undefined {
  const values = labelValues(texts, layers, labelAttribute)
  const whole = values.find(({ scope }) => Object.keys(scope).length === 0) ?? values[0]
  return whole === undefined ? undefined : beginningOf(whole.value as string, MAX_LABEL)
}

function matchIn(texts: readonly Attribute[], layers: ValueLayers, needles: readonly string[]): SuggestionMatch | null {
  for (const needle of needles.map(foldText))
    for (const attribute of texts)
      for (const { scope, value } of textValues(attribute, layers)) {
        const text = value as string
        const at = foldText(text).indexOf(needle)
        if (at !== -1)
          return { attributeAlias: aliasOfWhole(attribute.alias), scope, excerpt: excerptOf(text, at, needle.length) }
      }
  return null
}

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND)
  const end = Math.min(text.length, at + length + AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, end).toWellFormed()}${end < text.length ? '…' : ''}`
}
