// The values that a record gets back from one of its versions: all values, or those of some attributes, in some scopes.
// Contract 3 §3.
import * as v from 'valibot'
import { invalid, shorten } from '../../../kernel/errors.ts'
import type { Model } from '../../model/rules/model.ts'
import { scopedValues, type Values } from './record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../scopes/scope.ts'
import { canonicalJson } from '../../../kernel/text.ts'
import { isPlainObject } from '../../values/values.ts'
import { Version } from '../../../kernel/input/common-shapes.ts'
import { listOf, type OutputOf, Reference } from '../../../kernel/input/validation.ts'

/** The most attributes, and the most scopes, that one restore may name. */
const MAX_RESTORED_ALIASES = 1000
const MAX_RESTORED_SCOPES = 1000

/** The parts to restore; an absent member means all. */
export interface RestoreChoice {
  readonly attributeAliases?: readonly string[] | undefined
  /** Exactly these scopes, without narrower ones. */
  readonly scopes?: readonly Scope[] | undefined
}

export const RestoreBody = v.object({
  version: v.pipe(Version, v.description('The version of the record, as in `GET /api/v1/records/:id?version=`.')),
  attributeAliases: v.optional(
    v.pipe(listOf(Reference, MAX_RESTORED_ALIASES), v.description('Only these attributes. Default: all.')),
  ),
  scopes: v.optional(
    v.pipe(
      v.unknown(),
      v.metadata({ type: 'array', items: { $ref: '#/components/schemas/Scope' }, maxItems: MAX_RESTORED_SCOPES }),
      v.description('Only values of exactly these scopes. Default: all scopes.'),
    ),
  ),
})

/** The request that the client sent. */
export type RestoreInput = OutputOf<typeof RestoreBody>

/**
 * Returns the update that restores earlier values, without unchanged attributes. An attribute that had no value gets an
 * empty list.
 * @param isOpen whether an attribute outside of the choice may be changed
 */
export function valuesToRestore(
  then: Values,
  now: Values,
  { attributeAliases, scopes }: RestoreChoice,
  isOpen: (alias: string) => boolean,
): Values {
  const aliases = attributeAliases ?? [...Object.keys(then), ...Object.keys(now)].filter(isOpen)
  const keys = scopes && new Set(scopes.map((scope) => scopeKey(scope)))
  const isMeant = ({ scope }: ScopedValue): boolean => keys === undefined || keys.has(scopeKey(scope))
  const update: [string, readonly ScopedValue[]][] = []
  for (const alias of new Set(aliases)) {
    const [old, present] = [scopedValues(then, alias), scopedValues(now, alias)]
    const restored = [...present.filter((item) => !isMeant(item)), ...old.filter(isMeant)]
    if (!isSame(restored, present)) update.push([alias, restored])
  }
  return Object.fromEntries(update)
}

/**
 * Returns the values of a version under the present aliases. @param former alias of the version → present alias, for renamed
 * attributes
 */
export function withPresentAliases(values: Values, former: ReadonlyMap<string, string>): Values {
  if (former.size === 0) return values
  // An attribute that had the present alias at that time is another one, which is gone.
  const kept = Object.entries(values).filter(([alias]) => !former.has(alias))
  const renamed = [...former].map(([alias, present]): [string, Values[string]] => [
    present,
    scopedValues(values, alias),
  ])
  return Object.fromEntries([...kept, ...renamed])
}

/** Returns whether both lists have the same items in any order. */
function isSame(one: readonly ScopedValue[], other: readonly ScopedValue[]): boolean {
  if (one.length !== other.length) return false
  const known = new Map(one.map(({ scope, value }) => [scopeKey(scope), canonicalJson(value)]))
  return other.every(({ scope, value }) => known.get(scopeKey(scope)) === canonicalJson(value))
}

/** @throws VALIDATION_ERROR for another form than a list of scopes, and naming an unknown dimension or segment */
export function readScopes(input: unknown, model: Model): readonly Scope[] | undefined {
  if (input === undefined) return undefined
  if (!Array.isArray(input)) throw invalid('scopes must be an array of objects of dimension ID to segment ID')
  if (input.length > MAX_RESTORED_SCOPES) throw invalid(`scopes must have at most ${MAX_RESTORED_SCOPES} items`)
  for (const [index, scope] of input.entries()) assertScope(scope, model, `scopes[${index}]`)
  return input as Scope[]
}

function assertScope(input: unknown, model: Model, field: string): void {
  if (!isPlainObject(input)) throw invalid(`${field} must be an object of dimension ID to segment ID`)
  for (const [dimensionId, segmentId] of Object.entries(input)) {
    const dimension = model.dimensions.get(dimensionId)
    if (dimension === undefined) throw invalid(`${field} names the unknown dimension '${shorten(dimensionId, 128)}'`)
    if (!dimension.segments.some(({ id }) => id === segmentId))
      throw invalid(`${field}.${dimensionId} names an unknown segment of the dimension`)
  }
}
