// Computes the lists of references after an action of a bulk job. Contract 3 §2.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { effectiveValueIn, scopedValues, type Values } from '../../core/records/rules/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../core/scopes/scope.ts'
import { readScope } from '../../core/values/values.ts'
import { invalid } from '../../kernel/errors.ts'

/** The members of `ValueSubject` that lists depend on. */
interface ListSubject {
  readonly values: Values
  readonly inherited: Values | null
  readonly model: Model
}

interface Listed {
  readonly scope?: Scope | undefined
  readonly ids: readonly string[]
}

/**
 * Returns the list of the scope (default `{}`) with the records added. A scope without an own list begins with the list
 * in force there, because the new list hides that one.
 */
export function withAdded(
  attribute: Attribute,
  { scope = {}, ids, at }: Listed & { readonly at?: number | undefined },
  subject: ListSubject,
): readonly ScopedValue[] {
  assertList('addReferences', attribute)
  const { alias, dimensionIds } = attribute
  const { values: own, inherited, model } = subject
  const target = readScope(scope, attribute, model, `addReferences.scope of ${alias}`)
  const inForce = effectiveValueIn({ own, inherited }, alias, target, dimensionIds)
  return [{ scope: target, value: placed((inForce?.value ?? []) as readonly string[], ids, at) }]
}

/** With a place, records that are listed already move there. */
function placed(list: readonly string[], ids: readonly string[], at: number | undefined): readonly string[] {
  if (at === undefined) return [...list, ...ids.filter((id) => !list.includes(id))]
  return list.filter((id) => !ids.includes(id)).toSpliced(at, 0, ...ids)
}

/** Returns the record's own lists that change, in all scopes or in one. A list that becomes empty is no value any more. */
export function withRemoved(
  attribute: Attribute,
  { scope, ids }: Listed,
  subject: ListSubject,
): readonly ScopedValue[] {
  assertList('removeReferences', attribute)
  const { alias } = attribute
  const wanted = scope && scopeKey(readScope(scope, attribute, subject.model, `removeReferences.scope of ${alias}`))
  return scopedValues(subject.values, alias)
    .filter((item) => wanted === undefined || scopeKey(item.scope) === wanted)
    .flatMap((item) => {
      const list = item.value as readonly string[]
      const kept = list.filter((id) => !ids.includes(id))
      return kept.length === list.length ? [] : [{ scope: item.scope, value: kept.length === 0 ? null : kept }]
    })
}

function assertList(action: string, { alias, dataType }: Attribute): void {
  if (dataType !== 'references') throw invalid(`${action}: the attribute '${alias}' is no list of references`)
}
