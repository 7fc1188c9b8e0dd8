// Converts a row of a record for search predicates, and for the index.
import type { Schema } from '../../core/model/rules/model.ts'
import { parseLayers, type RecordHead } from '../../core/records/rules/record.ts'
import type { SearchedRecord } from '../../core/search/rules/searched-record.ts'

export interface RecordRow extends RecordHead {
  readonly n: number
  readonly valuesJson: string
  /** Values of the parent. */
  readonly inheritedJson: string | null
  /** As in `ReadRecord`. */
  readonly categoryIds?: readonly string[]
}

/** Returns the distinct categories of the record and its parent. */
export type CategoriesOf = (row: RecordRow) => readonly string[]

/** Reads the categories only when they are used. */
export function searchedRecord(row: RecordRow, schema: Schema, categoriesOf: CategoriesOf): SearchedRecord {
  let categoryIds: readonly string[] | undefined
  return {
    ...row,
    schema,
    layers: parseLayers(row),
    get categoryIds() {
      categoryIds ??= categoriesOf(row)
      return categoryIds
    },
  }
}
