// A product record and its values. Contract 1 §2.2, 2 §3 on variants.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { partsOfValues } from '../../values/value-parts.ts'
import { effectiveValue, ScopeShape, type Scope, type ScopedValue } from '../../scopes/scope.ts'
import { Timestamp, type OutputOf } from '../../../kernel/input/validation.ts'

/** Attribute alias → its scoped values. Read this with `scopedValues`: an alias may have the name of a member of Object. */
export type Values = Readonly<Record<string, readonly ScopedValue[]>>

/**
 * Values that a client sends. The service checks them once against the schema of the record, and names the wrong
 * attribute. So nothing is checked here. (`v.record` would also drop attributes called `constructor`.) The names of
 * `openapi/components/` describe values in the OpenAPI document.
 */
export const UncheckedValues = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/Values' }))

export const ScopedValueShape = v.object({
  scope: ScopeShape,
  value: v.pipe(v.unknown(), v.description('A value of the data type of the attribute. null in a request: no value.')),
})

export const ValuesShape = v.pipe(
  v.record(v.string(), v.array(ScopedValueShape)),
  v.description('Attribute alias → its scoped values.'),
)

/** The full record. */
export const RecordShape = v.object({
  id: v.string(),
  schemaId: v.string(),
  parentId: v.pipe(v.nullable(v.string()), v.description('The parent record, if this record is a variant.')),
  lifecycleStateId: v.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: v.string(),
  updatedBy: v.string(),
  values: ValuesShape,
})

export type RecordHead = Omit<OutputOf<typeof RecordShape>, 'values'>

/** A record's own values and, for a variant, the values of its parent. */
export interface ValueLayers {
  readonly own: Values
  readonly inherited: Values | null
}

const NO_VALUES: readonly ScopedValue[] = []

/** The most characters of JSON for the values of one record. */
const MAX_VALUES = 16 * 1024 * 1024

export function parseValues({ valuesJson }: { readonly valuesJson: string }): Values {
  return JSON.parse(valuesJson) as Values
}

/** @param row with the values of the parent; null: the record has no parent */
export function parseLayers(row: { readonly valuesJson: string; readonly inheritedJson: string | null }): ValueLayers {
  const { inheritedJson } = row
  return {
    own: parseValues(row),
    inherited: inheritedJson === null ? null : parseValues({ valuesJson: inheritedJson }),
  }
}

/** Returns the values as stored JSON. @throws VALIDATION_ERROR for more than one record may hold */
export function stringifyValues(values: Values): string {
  const text = JSON.stringify(values)
  if (text.length > MAX_VALUES) throw invalid(`values of one record must be at most ${MAX_VALUES} characters of JSON`)
  return text
}

/** Returns the scoped values of an attribute, or of a part of it; empty: the record has none. */
export function scopedValues(values: Values, alias: string): readonly ScopedValue[] {
  if (Object.hasOwn(values, alias)) return values[alias]!
  const at = alias.indexOf('.')
  return at === -1 ? NO_VALUES : partsOfValues(scopedValues(values, alias.slice(0, at)), alias.slice(at + 1))
}

/** Returns the value in force for a full `combination`: the record's own value, or else its parent's value. */
export function effectiveValueIn(
  layers: ValueLayers,
  alias: string,
  combination: Scope,
  dimensionIds: readonly string[],
): ScopedValue | undefined {
  const own = effectiveValue(scopedValues(layers.own, alias), combination, dimensionIds)
  if (own !== undefined || layers.inherited === null) return own
  return effectiveValue(scopedValues(layers.inherited, alias), combination, dimensionIds)
}
