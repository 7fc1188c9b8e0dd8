// The values that a record lacks, computed from the form by the rule of the domain. Pure. R2.
import { type Completeness, type MissingField, scoreCompleteness } from '../../src/core/records/rules/completeness.ts'
import type { ValueLayers } from '../../src/core/records/rules/record.ts'
import { judgeGuard } from '../../src/core/model/rules/guards.ts'
import type { Model } from '../../src/core/model/rules/model.ts'
import type { Workflow } from '../../src/core/model/rules/workflow.ts'
import { stateToScore, transitionsFrom } from '../../src/core/records/rules/transition.ts'
import { agree, combinationsOf, restrictScope, type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { ValueSheet } from '../../src/core/scopes/value-sheet.ts'
import { combinationAt } from '../../src/core/scopes/grid.ts'
import type { SeenSchema } from '../state/model.ts'

interface Scored {
  readonly layers: ValueLayers
  readonly schema: SeenSchema
  readonly model: Model
}

export type Score = Pick<Completeness, 'filled' | 'total' | 'missing'>

export const NO_SCORE: Score = { filled: 0, total: 0, missing: [] }

export function scoreNow({ layers, schema, model }: Scored, stateId: string): Completeness {
  return scoreCompleteness({ layers, schema: schema.rules, model }, stateId)
}

/**
 * Returns the state for which missing values are listed: the next state that requires completeness. If this state
 * requires nothing, a later state replaces it: the nearest that only complete records reach, or else one that requires
 * values. So a first draft shows its requirements.
 */
export function stateAhead(workflow: Workflow, stateId: string, schema: SeenSchema): string {
  const next = stateToScore(workflow, stateId)
  const requires = (id: string) => schema.attributes.some((one) => one.requiredInStateIds.includes(id))
  if (requires(next) || isServersToSay(schema)) return next
  const reached = new Set([stateId])
  for (const from of reached)
    for (const { toStateId, requiresCompleteness } of transitionsFrom(workflow, from)) {
      if (requiresCompleteness && !reached.has(toStateId)) return toStateId
      reached.add(toStateId)
    }
  return [...reached].find(requires) ?? next
}

/** Returns whether only the server knows the missing values, because a guard is hidden from the role. */
export function isServersToSay(schema: SeenSchema): boolean {
  return schema.masked.size > 0
}

/** Returns attributes that cannot be filled within `scope`, because their guard is false everywhere in it. */
export function hiddenByGuard({ layers, schema, model }: Scored, scope: Scope): Set<string> {
  const sheet = new ValueSheet(layers, schema.rules, model)
  const hidden = new Set<string>()
  for (const attribute of schema.attributes) {
    if (attribute.guard === null || schema.masked.has(attribute.alias)) continue
    const steps = judgeGuard(attribute, schema.rules, sheet)
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    const isVisible = step.value
    if (isVisible === undefined) continue
    const grid = sheet.grid(attribute.dimensionIds)
    const within = restrictScope(scope, attribute.dimensionIds)
    const isSeen = isVisible.some((seen, cell) => seen === 1 && agree(within, combinationAt(grid, cell)))
    if (!isSeen) hidden.add(attribute.alias)
  }
  return hidden
}

/** The missing fields of one attribute. */
interface MissingAttribute {
  readonly alias: string
  readonly scopes: readonly Scope[]
}

/** In schema order. */
export function byAttribute(missing: readonly MissingField[]): MissingAttribute[] {
  const scopes = new Map<string, Scope[]>()
  for (const { attributeAlias, scope } of missing) {
    const known = scopes.get(attributeAlias)
    if (known === undefined) scopes.set(attributeAlias, [scope])
    else known.push(scope)
  }
  return [...scopes].map(([alias, of]) => ({ alias, scopes: of }))
}

export interface FieldPlace {
  readonly alias: string
  readonly scope: Scope
}

/**
 * Returns the missing field after `from` in the order of the form; after the last comes the first. Fields within the
 * bar's scope come before fields of other scopes.
 * @param order aliases in the order of the form; other aliases are skipped
 */
export function nextMissing(
  missing: readonly MissingField[],
  order: readonly string[],
  bar: Scope,
  from: FieldPlace | undefined,
): MissingField | undefined {
  const places = new Map(order.map((alias, index) => [alias, index]))
  const reachable = missing.filter(({ attributeAlias }) => places.has(attributeAlias))
  const isHere = ({ attributeAlias, scope }: MissingField): boolean =>
    from !== undefined && attributeAlias === from.alias && agree(scope, from.scope)
  const at = from === undefined ? -1 : (places.get(from.alias) ?? -1)
  const distance = ({ attributeAlias }: MissingField): number => {
    const place = places.get(attributeAlias)!
    return place > at ? place - at : place - at + order.length
  }
  const nearest = (fields: readonly MissingField[]): MissingField | undefined =>
    fields.toSorted((one, other) => distance(one) - distance(other))[0]
  const others = reachable.filter((field) => !isHere(field))
  return nearest(others.filter(({ scope }) => agree(scope, bar))) ?? nearest(others) ?? reachable[0]
}

/** Returns the number of missing values, in the way that the list names them: one value may be for all markets. */
export function countMissing(missing: readonly MissingField[], { rules }: SeenSchema, model: Model): number {
  return byAttribute(missing)
    .map(({ alias, scopes }) => shortScopes(scopes, rules.attribute(alias)?.dimensionIds ?? [], model).length)
    .reduce((sum, count) => sum + count, 0)
}

/** The missing values of a group. */
export function missingOf(aliases: readonly string[], missing: readonly MissingField[]): MissingField[] {
  const known = new Set(aliases)
  return missing.filter(({ attributeAlias }) => known.has(attributeAlias))
}

/** Returns whether the attribute lacks a value somewhere within `scope`. @param missing from `scopesByAlias` */
export function isMissingIn(missing: ReadonlyMap<string, readonly Scope[]>, alias: string, scope: Scope): boolean {
  return missing.get(alias)?.some((lacking) => agree(lacking, scope)) === true
}

export function scopesByAlias(missing: readonly MissingField[]): ReadonlyMap<string, readonly Scope[]> {
  return new Map(byAttribute(missing).map(({ alias, scopes }) => [alias, scopes]))
}

/** Returns `before` if the missing fields are the same, so that nothing is rendered again. */
export function sameScore(before: Score, now: Score): Score {
  const isSame =
    before.filled === now.filled &&
    before.total === now.total &&
    before.missing.length === now.missing.length &&
    before.missing.every(({ attributeAlias, scope }, at) => {
      const field = now.missing[at]!
      return field.attributeAlias === attributeAlias && scopeKey(field.scope) === scopeKey(scope)
    })
  return isSame ? before : now
}

/** Returns the shortest names of scopes: `de` means all markets in `de`. */
export function shortScopes(scopes: readonly Scope[], dimensionIds: readonly string[], model: Model): Scope[] {
  const given = new Set(scopes.map((scope) => scopeKey(scope)))
  for (const kept of dimensionIds) {
    const parts = new Map(scopes.map((scope) => [scopeKey(restrictScope(scope, [kept])), restrictScope(scope, [kept])]))
    const isWhole = [...parts.values()].every((part) =>
      combinationsOf(dimensionIds, model.dimensions, part).every((scope) => given.has(scopeKey(scope))),
    )
    if (isWhole && parts.size < scopes.length) return [...parts.values()]
  }
  return [...scopes]
}
