// Categories of catalogs, and the records in them: part of `port.ts`.
import type { Category, CategoryAssignment } from '../core/model/rules/catalog.ts'

/** A record in a category, ordered by `sortOrder`, then by creation. */
export interface RecordPlace {
  /** The ID of the record. */
  readonly id: string
  readonly sortOrder: number
  /** The place of the record in the order of creation. */
  readonly place: number
}

/** A category on the path to the top of its catalog. */
export type CategoryStep = Pick<Category, 'id' | 'catalogId' | 'parentId'>

/** The category above; with null, the top of the catalog, or of any. */
export interface CategoryParent {
  readonly parentId: string | null
  readonly catalogId?: string | undefined
}

export interface CategoryReads {
  get(id: string): Promise<Category | undefined>
  /** Returns the IDs that belong to a category. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Lists the categories of one catalog by `sortOrder`, then in the order of creation. */
  listOf(catalogId: string): Promise<Category[]>
  /** Returns the IDs of the categories with this name directly below, `limit` at most, in the order of creation. */
  named(name: string, below: CategoryParent, limit: number): Promise<string[]>
  /** Returns one category directly below this one; undefined: none. */
  findChild(id: string): Promise<Category | undefined>
  /** Lists the categories directly below a category; null: at the top of the catalog. The order is that of `listOf`. */
  childrenOf(catalogId: string, parentId: string | null): Promise<Category[]>
  /** Returns the category and all categories above it, the nearest first; empty: the category does not exist. */
  pathOf(id: string): Promise<CategoryStep[]>
  /** The assignments of one record, in the order of catalogs' and categories' creation. */
  assignmentsOf(recordId: string): Promise<CategoryAssignment[]>
  /** The first records of a category in its order, `limit` at most. */
  places(categoryId: string, limit: number): Promise<RecordPlace[]>
  /** Returns the place of a record in a category; undefined: the category does not contain the record. */
  placeOf(categoryId: string, recordId: string): Promise<RecordPlace | undefined>
  /** Lists the nearest places before `at`, nearest first, `limit` at most. Undefined: before the end. */
  placesBefore(categoryId: string, at: RecordPlace | undefined, limit: number): Promise<RecordPlace[]>
  /** Returns `at`, up to `limit` places after it with the same `sortOrder`, and the next place with another one. */
  placesFrom(categoryId: string, at: RecordPlace, limit: number): Promise<RecordPlace[]>
  /** Returns the IDs of some records in a category, `limit` at most. */
  recordIdsIn(categoryId: string, limit: number): Promise<string[]>
}

export interface CategoryWrites {
  /** @throws CONFLICT for an ID that exists */
  insert(category: Category): Promise<void>
  update(category: Category): Promise<void>
  /** Deletes the category and its assignments; its children must already be deleted. */
  delete(id: string): Promise<void>
  /** Replaces the record's assignments. */
  setAssignments(recordId: string, assignments: readonly Omit<CategoryAssignment, 'entityId'>[]): Promise<void>
}
