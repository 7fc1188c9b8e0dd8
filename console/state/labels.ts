// What a record is called in the scope that is looked at. Which attribute says so is the domain's rule. Contract 3 §7.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import { labelValues } from '../../src/core/records/rules/record-label.ts'
import { agree, compareSpecificity, type Scope, type ScopedValue } from '../../src/core/scopes/scope.ts'
import type { SeenSchema } from './model.ts'

/** On a tie any of them names the record. */
const DIMENSIONS: readonly string[] = []

interface Labelled {
  readonly id: string
  readonly values: Readonly<Record<string, readonly ScopedValue[]>>
}

/** @param inherited values of the parent, where it is a variant and they are known */
export function labelOf(
  { id, values }: Labelled,
  schema: SeenSchema | undefined,
  scope: Scope,
  inherited: Labelled['values'] | null = null,
): string {
  if (schema === undefined) return id
  const texts = schema.attributes.filter((attribute) => dataTypeOf(attribute).isText)
  const filled = labelValues(texts, { own: values, inherited }, schema.labelAttribute)
  const near = filled.filter((value) => agree(value.scope, scope))
  const byRank = (near.length > 0 ? near : filled).toSorted((one, other) =>
    compareSpecificity(one.scope, other.scope, DIMENSIONS),
  )
  return (byRank[0]?.value as string | undefined) ?? id
}
