// Which attributes criteria look at, and in which scopes.
import type { Scope } from '../../scopes/scope.ts'
import { type Criterion, isGroup, isOnField } from './criterion.ts'
import { all } from './operator.ts'

/** The attributes that the criteria look at. */
export function* askedAliases(criteria: readonly Criterion[]): Generator<string, void> {
  for (const criterion of criteria) {
    if (isGroup(criterion)) yield* askedAliases(criterion.criteria)
    else if (!isOnField(criterion)) yield criterion.attributeAlias
    else if (criterion.field === 'missing') yield* all(criterion.value ?? [])
  }
}

/** The scopes that the criteria name. */
export function* askedScopes(criteria: readonly Criterion[]): Generator<Scope, void> {
  for (const criterion of criteria) {
    if (isGroup(criterion)) yield* askedScopes(criterion.criteria)
    else if (criterion.scope !== undefined) yield criterion.scope
  }
}
