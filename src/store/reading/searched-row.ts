// From a row of a record to what a search judges, and the index holds, of it.
import type { Schema } from '../../core/model/rules/model.ts'
import type { RecordHead, Values } from '../../core/records/rules/record.ts'
import type { SearchedRecord } from '../../core/search/rules/searched-record.ts'

export interface RecordRow extends RecordHead {
  readonly n: number
  readonly valuesJson: string
  /** Of the record that it is a variant of. */
  readonly inheritedJson: string | null
  /** As of `ReadRecord`. */
  readonly categoryIds?: readonly string[]
}

/** Of the record and of the one that it is a variant of; each once. */
export type CategoriesOf = (row: RecordRow) => readonly string[]

/** Its categories are read when they are asked for. */
export function searchedRecord(row: RecordRow, schema: Schema, categoriesOf: CategoriesOf): SearchedRecord {
  let categoryIds: readonly string[] | undefined
  return {
    ...row,
    schema,
    layers: {
      own: JSON.parse(row.valuesJson) as Values,
      inherited: row.inheritedJson === null ? null : (JSON.parse(row.inheritedJson) as Values),
    },
    get categoryIds() {
      categoryIds ??= categoriesOf(row)
      return categoryIds
    },
  }
}
