// Builds the index rows of a record's values: a row for each stored value in force, and the folded text of text values.
// `field-rows.ts` adds fields.
import { createHash, hash } from 'node:crypto'
import type { EqualityKey } from '../../datatypes/data-type.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import { inheritedValues } from '../../scopes/effective-values.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { scopedValues, type ValueLayers } from '../../records/rules/record.ts'
import { type ScopedValue, scopeKey } from '../../scopes/scope.ts'
import { endOfPart } from '../../../kernel/text.ts'
import { foldForIndex } from './index-text.ts'
import type { IndexKey } from './sets.ts'
import { textKey } from './text-keys.ts'

/** The key of every empty value. */
export const EMPTY_KEY = ''

/** Longer texts that are not sorted are represented by their SHA-256. */
const MAX_TEXT_KEY = 100

/** UTF-16 units. */
const HASHED_AT_ONCE = 65_536

export interface IndexRow {
  readonly alias: string
  /** In the form of `scopeKey`. */
  readonly scope: string
  /** Whether a variant inherits the value from its parent. */
  readonly isInherited: boolean
  readonly key: IndexKey
}

/** A text value in force, folded. */
interface IndexedText {
  readonly alias: string
  /** In the form of `scopeKey`. */
  readonly scope: string
  /** Whether a variant inherits the text from its parent. */
  readonly isInherited: boolean
  readonly text: string
}

export interface IndexEntry {
  readonly rows: readonly IndexRow[]
  readonly texts: readonly IndexedText[]
}

/** @param isText whether values of the data type are searched as text */
export function indexKey(key: EqualityKey, isText: boolean): IndexKey {
  if (typeof key === 'number') return key
  if (isText) return key === '' ? EMPTY_KEY : textKey(key, (text) => digest(text).toString('hex'))
  return key.length <= MAX_TEXT_KEY ? key : digest(key)
}

/** Returns the keys of a value. All empty values share one key. */
export function valueKeys(attribute: Pick<Attribute, 'dataType'>, value: unknown): IndexKey[] {
  const type = dataTypeOf(attribute)
  if (type.isEmpty(value)) return [EMPTY_KEY]
  return type.equalityKeys(value).map((key) => indexKey(key, type.isText))
}

/** Returns the SHA-256 of the text in UTF-8. Hashing in parts avoids a copy of a large text. */
function digest(text: string): Buffer {
  if (text.length <= HASHED_AT_ONCE) return hash('sha256', text, 'buffer')
  const parts = createHash('sha256')
  for (let from = 0; from < text.length;) {
    const end = endOfPart(text, from + HASHED_AT_ONCE)
    parts.update(text.slice(from, end))
    from = end
  }
  return parts.digest()
}

export function indexEntry(layers: ValueLayers, schema: Schema, model: Model): IndexEntry {
  const rows: IndexRow[] = []
  const texts: IndexedText[] = []
  for (const attribute of schema.searched) {
    const add = (values: readonly ScopedValue[], isInherited: boolean): void => {
      for (const { scope, value } of values) addValue(attribute, scopeKey(scope), value, isInherited, rows, texts)
    }
    add(scopedValues(layers.own, attribute.alias), false)
    add(inheritedValues(layers, schema, attribute.alias, model), true)
  }
  return { rows, texts }
}

function addValue(
  { alias, dataType }: Attribute,
  scope: string,
  value: unknown,
  isInherited: boolean,
  rows: IndexRow[],
  texts: IndexedText[],
): void {
  for (const key of valueKeys({ dataType }, value)) rows.push({ alias, scope, isInherited, key })
  const type = dataTypeOf({ dataType })
  if (type.isText && !type.isEmpty(value))
    texts.push({ alias, scope, isInherited, text: foldForIndex(value as string) })
}
