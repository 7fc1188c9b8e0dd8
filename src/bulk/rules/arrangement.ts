// In which order the values of a record stand: an audit entry says what they are, and an undo gives them back as they stood.
import { replaceValues } from '../../core/values/values.ts'
import { type Change, isCategoriesChange } from '../../core/records/rules/changes.ts'
import { scopedValues, type Values } from '../../core/records/rules/record.ts'
import { mergePatch } from '../../core/records/rules/scoped-patch.ts'
import { type ScopedValue, scopeKey } from '../../core/scopes/scope.ts'

/** Aliases in their order, each with its scopes in theirs. */
type Arrangement = readonly (readonly [alias: string, scopes: readonly string[]])[]

/** What gives the values that `changes` have changed their old values again; null removes what was not there. */
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

/** `beforeJson`: the values before `changes` made `after` of them. Null where the changes alone lead back to the same text. */
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

/** The same values, in the order that `arrangement` says; what it does not know comes last. */
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
