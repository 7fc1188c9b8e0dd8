// The input of a search predicate: a record with inherited values, and its workspace.
import type { Model, Schema } from '../../model/rules/model.ts'
import type { Role } from '../../accounts/rules/permissions.ts'
import type { RecordHead, ValueLayers } from '../../records/rules/record.ts'

export interface SearchedRecord extends RecordHead {
  readonly schema: Schema
  readonly layers: ValueLayers
  /** Distinct categories of the record and its parent. */
  readonly categoryIds: readonly string[]
}

export interface CategoryTree {
  /** Returns the catalog of a category; undefined: the category does not exist. */
  catalogOf(categoryId: string): string | undefined
  /** Returns the categories and all their descendants, each once; of an unknown category, only the ID. */
  withDescendants(categoryIds: readonly string[]): ReadonlySet<string>
}

export interface SearchWorld {
  readonly model: Model
  /** The role of the caller. Completeness counts only attributes that the role may see. */
  readonly role: Role
  readonly categories: CategoryTree
}
