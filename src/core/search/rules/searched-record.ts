// The input of a search predicate: a record with inherited values, and its workspace.
import type { Model, Schema } from '../../model/rules/model.ts'
import type { Role } from '../../accounts/rules/permissions.ts'
import type { RecordHead, ValueLayers } from '../../records/rules/record.ts'

export interface SearchedRecord extends RecordHead {
  readonly schema: Schema
  readonly layers: ValueLayers
  /** Its own, and those of the record that it is a variant of; each once. */
  readonly categoryIds: readonly string[]
}

/** The tree of categories. */
export interface CategoryTree {
  /** Undefined where there is no such category. */
  catalogOf(categoryId: string): string | undefined
  /** The category and all below it; only the ID itself where there is no such category. */
  withDescendants(categoryId: string): readonly string[]
}

export interface SearchWorld {
  readonly model: Model
  /** Who asks: completeness counts what it may know of. */
  readonly role: Role
  readonly categories: CategoryTree
}
