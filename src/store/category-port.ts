// Categories of catalogs, and the records in them: part of `port.ts`.
import type { Category, CategoryAssignment } from '../core/model/rules/catalog.ts'

/** A record in a category: by sortOrder, then in the order of creation. */
export interface RecordPlace {
  /** The ID of the record. */
  readonly id: string
  readonly sortOrder: number
  /** The place of its creation. */
  readonly place: number
}

/** A category on the way to the top of its catalog. */
export type CategoryStep = Pick<Category, 'id' | 'catalogId' | 'parentId'>

/** The category above; with null, the top of the catalog, or of any. */
export interface CategoryParent {
  readonly parentId: string | null
  readonly catalogId?: string | undefined
}

export interface CategoryReads {
  get(id: string): Promise<Category | undefined>
  /** Which of the IDs are those of categories. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The categories of one catalog, by sortOrder, then in the order of creation. */
  listOf(catalogId: string): Promise<Category[]>
  /** The IDs of the categories of that name right there; `limit` at most, in the order of creation. */
  named(name: string, below: CategoryParent, limit: number): Promise<string[]>
  /** A category right below this one, if there is any. */
  findChild(id: string): Promise<Category | undefined>
  /** The categories right below one of the catalog, or, with null, at its top; in the order of `listOf`. */
  childrenOf(catalogId: string, parentId: string | null): Promise<Category[]>
  /** The category and all above it, the nearest first; empty where there is no such category. */
  pathOf(id: string): Promise<CategoryStep[]>
  /** The assignments of one record, in the order of catalogs' and categories' creation. */
  assignmentsOf(recordId: string): Promise<CategoryAssignment[]>
  /** The first records of a category in its order, `limit` at most. */
  places(categoryId: string, limit: number): Promise<RecordPlace[]>
  /** Where a record stands in a category; undefined: it is not in it. */
  placeOf(categoryId: string, recordId: string): Promise<RecordPlace | undefined>
  /** The nearest places before `at`, nearest first, `limit` at most. Undefined: before the end. */
  placesBefore(categoryId: string, at: RecordPlace | undefined, limit: number): Promise<RecordPlace[]>
  /** `at`, up to `limit` places behind it at the same sortOrder, and one more behind them. */
  placesFrom(categoryId: string, at: RecordPlace, limit: number): Promise<RecordPlace[]>
  /** Some of the records in a category, `limit` at most: their IDs. */
  recordIdsIn(categoryId: string, limit: number): Promise<string[]>
}

export interface CategoryWrites {
  /** @throws CONFLICT for an ID that exists */
  insert(category: Category): Promise<void>
  update(category: Category): Promise<void>
  /** Removes the category and its assignments; its children must be gone. */
  delete(id: string): Promise<void>
  /** Replaces the record's assignments. */
  setAssignments(recordId: string, assignments: readonly Omit<CategoryAssignment, 'entityId'>[]): Promise<void>
}
