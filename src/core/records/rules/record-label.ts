// The label of a record: the value of its schema's label attribute, otherwise its first text. Contract 3 §1, 3 §7.
import type { Attribute } from '../../model/rules/attributes.ts'
import { scopedValues, type ValueLayers } from './record.ts'
import type { ScopedValue } from '../../scopes/scope.ts'

/**
 * Returns the values of one attribute that can label a record, own values before inherited ones; empty: the record has
 * no text.
 * @param texts attributes of texts that may be read, in the order of the schema
 */
export function labelValues(
  texts: readonly Attribute[],
  layers: ValueLayers,
  labelAttribute: string | undefined,
): readonly ScopedValue[] {
  const label = texts.find(({ alias }) => alias === labelAttribute)
  for (const attribute of label === undefined ? texts : [label, ...texts]) {
    const filled = textValues(attribute, layers).filter(({ value }) => value !== '')
    if (filled.length > 0) return filled
  }
  return []
}

/** Returns the record's own texts, then the texts of its parent. */
export function textValues({ alias }: Attribute, { own, inherited }: ValueLayers): readonly ScopedValue[] {
  const values = scopedValues(own, alias)
  return inherited === null ? values : [...values, ...scopedValues(inherited, alias)]
}
