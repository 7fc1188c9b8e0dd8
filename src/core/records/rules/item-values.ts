// The values of a record in items of lists and searches: a selection, the effective values, or one scope.
// Contract 3 §1.
import type { Attribute } from '../../model/rules/attributes.ts'
import { effectiveValues } from '../../scopes/effective-values.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { effectiveValueIn, scopedValues, type ValueLayers, type Values } from './record.ts'
import type { Scope } from '../../scopes/scope.ts'

/** Returns whether an attribute is sent. */
export type IsSent = (alias: string) => boolean

export function sentValues(values: Values, isSent: IsSent): Values {
  return Object.fromEntries(Object.entries(values).filter(([alias]) => isSent(alias)))
}

/**
 * Yields the values in force, in the form of `values` and in schema order. For this list of an attribute, the one rule
 * for scopes gives the effective value in every combination. Each attribute is a step, so that other work can run.
 */
export function* valuesInEffect(
  { own, inherited }: ValueLayers,
  schema: Schema,
  isSent: IsSent,
  { dimensions }: Model,
): Generator<void, Values> {
  if (inherited === null) return sentValues(own, isSent)
  const found: [string, Values[string]][] = []
  for (const attribute of schema.attributes) {
    const { alias } = attribute
    if (!isSent(alias)) continue
    const values = effectiveValues(scopedValues(own, alias), scopedValues(inherited, alias), attribute, dimensions)
    if (values.length > 0) found.push([alias, values])
    yield
  }
  return Object.fromEntries(found)
}

/**
 * Returns the value of each attribute in force for `scope`, if one exists. A dimension that the scope does not name
 * counts as unscoped.
 */
export function resolveValues(
  layers: ValueLayers,
  attributes: readonly Attribute[],
  isSent: IsSent,
  scope: Scope,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.flatMap(({ alias, dimensionIds }): [string, unknown][] => {
      const found = isSent(alias) ? effectiveValueIn(layers, alias, scope, dimensionIds) : undefined
      return found === undefined ? [] : [[alias, found.value]]
    }),
  )
}
