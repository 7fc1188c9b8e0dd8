// What a variant's row of a csv says about the variant itself. An export shows in it also what the variant inherits
// (decisions §6), and an import must not make that the variant's own: it would no longer follow its parent, and what is
// unique would be there twice. Decisions §7.
import type { Model, Schema } from './model.ts'
import { inheritedValues, scopedValues, type Values } from './record.ts'
import { type ScopedValue, scopeKey } from './scope.ts'
import { canonicalJson } from './text.ts'

export interface VariantRow {
  /** What the attributes of the row would be, taken as they are. */
  readonly values: Values
  /** The variant's own values before the import: what of them stays the same stays its own. */
  readonly own: Values
  readonly parent: Values
}

/** The row's values without those that the variant inherits all the same; an attribute is taken as it is where that would change which values are in force. */
export function withoutInherited({ values, own, parent }: VariantRow, schema: Schema, model: Model): Values {
  const inForce = (alias: string, scoped: readonly ScopedValue[]): string => {
    const inherited = inheritedValues({ own: { [alias]: scoped }, inherited: parent }, schema, alias, model)
    return [...scoped, ...inherited].map(describe).sort().join()
  }
  return Object.fromEntries(
    Object.entries(values).map(([alias, scoped]): [string, readonly ScopedValue[]] => {
      const ownKeys = new Set(scopedValues(own, alias).map(({ scope }) => scopeKey(scope)))
      const ofParent = new Set(scopedValues(parent, alias).map(describe))
      const kept = scoped.filter((item) => ownKeys.has(scopeKey(item.scope)) || !ofParent.has(describe(item)))
      const isSame = kept.length < scoped.length && inForce(alias, kept) === inForce(alias, scoped)
      return [alias, isSame ? kept : scoped]
    }),
  )
}

function describe({ scope, value }: ScopedValue): string {
  return canonicalJson([scopeKey(scope), value])
}
