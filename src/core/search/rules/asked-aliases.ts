// Lists the attributes and scopes that criteria refer to.
import type { Scope } from '../../scopes/scope.ts'
import { type Criterion, isGroup, isOnField } from './criterion.ts'
import { all } from './operator.ts'

export function* askedAliases(criteria: readonly Criterion[]): Generator<string, void> {
  for (const criterion of criteria) {
    if (isGroup(criterion)) yield* askedAliases(criterion.criteria)
    else if (!isOnField(criterion)) yield criterion.attributeAlias
    else if (criterion.field === 'missing') yield* all(criterion.value ?? [])
  }
}

export function* askedScopes(criteria: readonly Criterion[]): Generator<Scope, void> {
  for (const criterion of criteria) {
    if (isGroup(criterion)) yield* askedScopes(criterion.criteria)
    else if (criterion.scope !== undefined) yield criterion.scope
  }
}
