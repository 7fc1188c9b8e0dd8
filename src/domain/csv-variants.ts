// What a variant's row of a csv says about the variant itself. An export shows in it also what the variant inherits
// (decisions §6), and an import must not make that the variant's own: it would no longer follow its parent, and what is
// unique would be there twice. Decisions §7.
import type { SchemaColumns } from './csv-row.ts'
import type { Model, Schema } from './model.ts'
import { inheritedValues, scopedValues, type Values } from './record.ts'
import { type ScopedValue, scopeKey } from './scope.ts'
import { canonicalJson } from './text.ts'

export interface VariantRow {
  /** As the row has them. */
  readonly values: Values
  /** The variant's own values before the import. */
  readonly own: Values
  readonly parent: Values
  readonly columns: SchemaColumns
}

/**
 * The row's values without those that the variant inherits all the same. A value that is its own already stays so. Where
 * leaving some out would give another export than the row, an attribute is taken as it is.
 */
export function withoutInherited({ values, own, parent, columns }: VariantRow, schema: Schema, model: Model): Values {
  return Object.fromEntries(
    Object.entries(values).map(([alias, scoped]): [string, readonly ScopedValue[]] => {
      const ownKeys = new Set(scopedValues(own, alias).map(({ scope }) => scopeKey(scope)))
      const ofParent = new Map(
        scopedValues(parent, alias).map(({ scope, value }) => [scopeKey(scope), canonicalJson(value)]),
      )
      const kept = scoped.filter(({ scope, value }) => {
        const key = scopeKey(scope)
        return ownKeys.has(key) || ofParent.get(key) !== canonicalJson(value)
      })
      if (kept.length === scoped.length) return [alias, scoped]
      const inherited = inheritedValues({ own: { [alias]: kept }, inherited: parent }, schema, alias, model)
      const shown = inherited.filter(({ scope }) => columns.keys.get(alias)!.has(scopeKey(scope)))
      return [alias, kept.length + shown.length === scoped.length && isAmong(shown, scoped) ? kept : scoped]
    }),
  )
}

function isAmong(some: readonly ScopedValue[], all: readonly ScopedValue[]): boolean {
  const known = new Set(all.map(({ scope }) => scopeKey(scope)))
  return some.every(({ scope }) => known.has(scopeKey(scope)))
}
