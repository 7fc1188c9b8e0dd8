// The order of a record's values. Audit entries store the values themselves, and an undo restores their order.
import { replaceValues } from '../../core/values/values.ts'
import { type Change, isCategoriesChange } from '../../core/records/rules/changes.ts'
import { scopedValues, type Values } from '../../core/records/rules/record.ts'
import { mergePatch } from '../../core/records/rules/scoped-patch.ts'
import { type ScopedValue, scopeKey } from '../../core/scopes/scope.ts'

/** Aliases in order, each with its scopes in order. */
type Arrangement = readonly (readonly [alias: string, scopes: readonly string[]])[]

/** Returns the patch that restores the values changed by `changes`; null removes an added value. */
export function reversePatch(changes: readonly Change[]): Values {
  const patch = new Map<string, ScopedValue[]>()
  for (const change of changes) {
    if (isCategoriesChange(change)) continue
    const { attributeAlias, scope, oldValue } = change
    const scoped = patch.get(attributeAlias) ?? []
    patch.set(attributeAlias, scoped)
    scoped.push({ scope, value: oldValue })
  }
  return Object.fromEntries(patch)
}

/**
 * Returns the order of `beforeJson`, the values before `changes` led to `after`. Null: reversing the changes restores
 * the same text.
 */
export function arrangementOf(beforeJson: string, after: Values, changes: readonly Change[]): string | null {
  const undone = replaceValues(after, mergePatch(after, reversePatch(changes)))
  if (JSON.stringify(undone) === beforeJson) return null
  const before = JSON.parse(beforeJson) as Values
  const arrangement: Arrangement = Object.entries(before).map(([alias, scoped]) => [
    alias,
    scoped.map(({ scope }) => scopeKey(scope)),
  ])
  return JSON.stringify(arrangement)
}

/** Returns the values in the order of `arrangement`; unknown ones come last. */
export function arrange(values: Values, arrangement: string | null): Values {
  if (arrangement === null) return values
  const wanted = new Map(JSON.parse(arrangement) as Arrangement)
  const aliases = inOrder(Object.keys(values), [...wanted.keys()], (alias) => alias)
  return Object.fromEntries(
    aliases.map((alias) => [
      alias,
      inOrder(scopedValues(values, alias), wanted.get(alias) ?? [], ({ scope }) => scopeKey(scope)),
    ]),
  )
}

function inOrder<Item>(items: readonly Item[], keys: readonly string[], keyOf: (item: Item) => string): Item[] {
  const places = new Map(keys.map((key, place) => [key, place]))
  const placeOf = (item: Item): number => places.get(keyOf(item)) ?? keys.length
  return items.toSorted((one, other) => placeOf(one) - placeOf(other))
}
