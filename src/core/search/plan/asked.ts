// What has to be known to make sets of criteria: the model, who asks, and what the index calls things.
import type { Role } from '../../accounts/rules/permissions.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import type { Scope } from '../../scopes/scope.ts'
import type { CategoryTree } from '../rules/searched-record.ts'

export interface IndexedScope {
  /** Negative where the value is inherited. */
  readonly n: number
  readonly scope: Scope
}

/** What the index calls an attribute, and the scopes that values of it have anywhere. */
export interface IndexedAttribute {
  readonly n: number
  readonly scopes: readonly IndexedScope[]
}

/** By the IDs of schemas; without those where no record holds a value of the attribute. */
export type LookUpAttribute = (alias: string) => ReadonlyMap<string, IndexedAttribute>

export interface Asked {
  /** The schemas that are searched. */
  readonly schemas: readonly Schema[]
  readonly model: Model
  readonly lookUp: LookUpAttribute
  /** Completeness is asked for as this role sees it. */
  readonly role: Role
  readonly categories: CategoryTree
  /** What records of a schema have of all that states require, as far as it was read: each print once; undefined: too many. */
  readonly prints: Map<string, readonly string[] | undefined>
}
