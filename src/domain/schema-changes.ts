// What replacing a schema does to the values that records already hold. Decisions §3 (PUT of a schema).
import type { Attribute } from './attributes.ts'
import { dataTypeOf } from './datatypes.ts'
import type { Schema } from './model.ts'
import { scopedValues, type Values } from './record.ts'
import type { ScopedValue } from './scope.ts'

/** Aliases whose stored values may no longer fit: the attribute is removed, or has another data type or fewer dimensions. */
export function endangeredAliases(before: Schema, after: Schema): string[] {
  return before.attributes
    .filter((attribute) => {
      const now = after.attribute(attribute.alias)
      return now === undefined || !isSameFit(attribute, now)
    })
    .map((attribute) => attribute.alias)
}

function isSameFit(before: Attribute, after: Attribute): boolean {
  return before.dataType === after.dataType && before.dimensionIds.every((id) => after.dimensionIds.includes(id))
}

/** The scoped values of `alias` that the new definition has no place for: its data type or dimensions do not fit. */
export function misfits(values: Values, alias: string, after: Schema): readonly ScopedValue[] {
  const attribute = after.attribute(alias)
  const stored = scopedValues(values, alias)
  if (attribute === undefined) return stored
  const shape: Attribute = { ...attribute, validation: {} }
  return stored.filter(
    ({ scope, value }) =>
      dataTypeOf(attribute).findFault(value, shape) !== undefined ||
      !Object.keys(scope).every((dimensionId) => attribute.dimensionIds.includes(dimensionId)),
  )
}

/** Aliases whose stored values must be compared: they become unique, or what counts as empty changes with the data type. */
export function aliasesToCompare(before: Schema, after: Schema): string[] {
  return after.attributes
    .filter((attribute) => {
      const was = before.attribute(attribute.alias)
      return attribute.unique && was !== undefined && (!was.unique || was.dataType !== attribute.dataType)
    })
    .map((attribute) => attribute.alias)
}

/** Aliases that are unique no longer: other records may hold their values from now on. */
export function freedAliases(before: Schema, after: Schema): string[] {
  return before.attributes
    .filter((attribute) => attribute.unique && after.attribute(attribute.alias)?.unique !== true)
    .map((attribute) => attribute.alias)
}

/** Whether values that stay are searched in another way: by another data type, or inherited by other dimensions. */
export function isIndexedAnew(before: Schema, after: Schema): boolean {
  return before.attributes.some((attribute) => {
    const now = after.attribute(attribute.alias)
    if (now === undefined) return false
    return now.dataType !== attribute.dataType || now.dimensionIds.join(' ') !== attribute.dimensionIds.join(' ')
  })
}
