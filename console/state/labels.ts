// The label of a record in the scope of the bar. The domain decides which attribute is the label. Contract 3 §7.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import { labelValues } from '../../src/core/records/rules/record-label.ts'
import { agree, compareSpecificity, type Scope, type ScopedValue } from '../../src/core/scopes/scope.ts'
import type { SeenSchema } from './model.ts'

/** If values are equally specific, any of them may be the label. */
const DIMENSIONS: readonly string[] = []

interface Labelled {
  readonly id: string
  readonly values: Readonly<Record<string, readonly ScopedValue[]>>
}

/** @param inherited known values of the parent, if the record is a variant */
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
