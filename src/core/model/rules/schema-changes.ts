// The effects of replacing a schema on stored values. Contract 2 §3 (PUT of a schema), 3 §9.3.
import type { Attribute } from './attributes.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { Schema } from './model.ts'
import { scopedValues, type Values } from '../../records/rules/record.ts'
import type { ScopedValue } from '../../scopes/scope.ts'
import { isSameValue } from '../../../kernel/text.ts'
import { replaceValues } from '../../values/values.ts'

/**
 * Aliases whose stored values may no longer fit: the attribute is removed, or has another data type, fewer dimensions, or
 * fewer options, units or currencies.
 */
export function endangeredAliases(before: Schema, after: Schema): string[] {
  return before.attributes
    .filter((attribute) => {
      const now = after.attribute(attribute.alias)
      return now === undefined || !isSameFit(attribute, now)
    })
    .map((attribute) => attribute.alias)
}

function isSameFit(before: Attribute, after: Attribute): boolean {
  return (
    before.dataType === after.dataType &&
    before.dimensionIds.every((id) => after.dimensionIds.includes(id)) &&
    keepsChoices(before, after)
  )
}

/** Returns whether the new attribute still lists all choices that a value may name. Both have one data type. */
function keepsChoices(before: Attribute, after: Attribute): boolean {
  const { choices } = dataTypeOf(after)
  if (choices === undefined) return true
  const [was, now] = [choices.list(before), choices.list(after)]
  if (choices.isOpenWhenEmpty && now.length === 0) return true
  if (choices.isOpenWhenEmpty && was.length === 0) return false
  const kept = new Set(now)
  return was.every((choice) => kept.has(choice))
}

/** Returns the scoped values of `alias` that do not fit the new definition: its data type, lists or dimensions. */
export function misfits(values: Values, alias: string, after: Schema): readonly ScopedValue[] {
  const attribute = after.attribute(alias)
  const stored = scopedValues(values, alias)
  if (attribute === undefined) return stored
  return stored.filter((item) => !isFit(item, attribute))
}

/** Ignores validation rules: they apply when values are written, not when the schema changes. */
function isFit({ scope, value }: ScopedValue, attribute: Attribute): boolean {
  const shape: Attribute = { ...attribute, validation: {} }
  return (
    dataTypeOf(attribute).findFault(value, shape) === undefined &&
    Object.keys(scope).every((dimensionId) => attribute.dimensionIds.includes(dimensionId))
  )
}

/**
 * Returns the values of the attributes `aliases`, without values that do not fit. A list of options loses only the
 * removed options. A list without options is removed.
 */
export function fitValues(values: Values, aliases: readonly string[], before: Schema, after: Schema): Values {
  const update = aliases.flatMap((alias) => {
    if (misfits(values, alias, after).length === 0) return []
    const fitting = scopedValues(values, alias).flatMap((item) => fitValue(item, alias, before, after))
    return [[alias, fitting] as const]
  })
  return update.length === 0 ? values : replaceValues(values, Object.fromEntries(update))
}

function fitValue(item: ScopedValue, alias: string, before: Schema, after: Schema): readonly ScopedValue[] {
  const attribute = after.attribute(alias)
  if (attribute === undefined) return []
  if (isFit(item, attribute)) return [item]
  const { choices } = dataTypeOf(attribute)
  if (choices === undefined || before.attribute(alias)?.dataType !== attribute.dataType) return []
  const known = new Set(choices.list(attribute))
  const shorter = { ...item, value: choices.keep(item.value, (choice) => known.has(choice)) }
  return shorter.value !== undefined && isFit(shorter, attribute) ? [shorter] : []
}

/** The removed choice that the value names, for a message; undefined if the value does not fit for another reason. */
export function findLostChoice(
  { value }: ScopedValue,
  alias: string,
  before: Schema,
  after: Schema,
): string | undefined {
  const attribute = after.attribute(alias)
  if (attribute === undefined || before.attribute(alias)?.dataType !== attribute.dataType) return undefined
  const { choices } = dataTypeOf(attribute)
  if (choices === undefined) return undefined
  const known = new Set(choices.list(attribute))
  if (choices.isOpenWhenEmpty && known.size === 0) return undefined
  const lost = choices.named(value).find((choice) => !known.has(choice))
  return lost === undefined ? undefined : `the ${choices.noun} '${lost}'`
}

/** Aliases whose stored values must be compared before the change: they become unique, or lose parts that made them unique. */
export function aliasesToClaim(before: Schema, after: Schema): string[] {
  const endangered = endangeredAliases(before, after).filter((alias) => after.attribute(alias)?.unique === true)
  return [...new Set([...aliasesToCompare(before, after), ...endangered])]
}

/** Aliases whose stored values must be compared: they become unique, or their data type changes the meaning of empty. */
export function aliasesToCompare(before: Schema, after: Schema): string[] {
  return after.attributes
    .filter((attribute) => {
      const was = before.attribute(attribute.alias)
      return attribute.unique && was !== undefined && (!was.unique || was.dataType !== attribute.dataType)
    })
    .map((attribute) => attribute.alias)
}

/** Aliases whose stored values are noted before the change: as unique values, or as references to records. */
export function aliasesToNote(before: Schema, after: Schema): string[] {
  const references = after.attributes.filter((attribute) => {
    const was = before.attribute(attribute.alias)
    return refers(attribute) && was !== undefined && was.dataType !== attribute.dataType
  })
  return [...new Set([...aliasesToClaim(before, after), ...references.map(({ alias }) => alias)])]
}

/**
 * Aliases that are no longer unique, so that other records may hold their values; and aliases that no longer refer to
 * records.
 */
export function freedAliases(before: Schema, after: Schema): string[] {
  return before.attributes
    .filter((attribute) => {
      const now = after.attribute(attribute.alias)
      return (attribute.unique && now?.unique !== true) || (refers(attribute) && (now === undefined || !refers(now)))
    })
    .map((attribute) => attribute.alias)
}

function refers(attribute: Attribute): boolean {
  return dataTypeOf(attribute).records !== undefined
}

/** Returns whether remaining values are searched in another way: by another data type, or inherited by other dimensions. */
export function isIndexedAnew(before: Schema, after: Schema): boolean {
  const isChanged = before.attributes.some((attribute) => {
    const now = after.attribute(attribute.alias)
    if (now === undefined) return false
    return now.dataType !== attribute.dataType || now.dimensionIds.join(' ') !== attribute.dimensionIds.join(' ')
  })
  return isChanged || !isSameValue(scoredBy(before), scoredBy(after))
}

/** The parts of a definition that completeness depends on. */
function scoredBy({ workflowId, combinations, attributes }: Schema): object {
  const required = attributes.filter(({ requiredInStateIds }) => requiredInStateIds.length > 0)
  return {
    workflowId,
    combinations,
    required: required.map(({ alias, requiredInStateIds, guard }) => ({
      alias,
      requiredInStateIds: requiredInStateIds.toSorted(),
      guard,
    })),
  }
}
