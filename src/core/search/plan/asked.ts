// The context for turning criteria into sets: the model, the caller, and the names in the index.
import type { Role } from '../../accounts/rules/permissions.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import type { Scope } from '../../scopes/scope.ts'
import type { CategoryTree } from '../rules/searched-record.ts'
import type { SearchIndex } from './search-index.ts'

export interface IndexedScope {
  /** The number of the scope; negative: the value is inherited. */
  readonly n: number
  readonly scope: Scope
}

/** The number of an attribute in the index, and all scopes of its values. */
export interface IndexedAttribute {
  readonly n: number
  readonly scopes: readonly IndexedScope[]
}

/** Returns entries by schema ID. Schemas without a record that has a value of the attribute are absent. */
export type LookUpAttribute = (alias: string) => ReadonlyMap<string, IndexedAttribute>

export interface Asked {
  readonly index: SearchIndex
  /** The schemas that are searched. */
  readonly schemas: readonly Schema[]
  readonly model: Model
  readonly lookUp: LookUpAttribute
  /** The role whose view of completeness counts. */
  readonly role: Role
  readonly categories: CategoryTree
  /** The distinct prints of each schema read so far; undefined: too many. */
  readonly prints: Map<string, readonly string[] | undefined>
}
