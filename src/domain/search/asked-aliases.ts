// Which attributes criteria look at.
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
