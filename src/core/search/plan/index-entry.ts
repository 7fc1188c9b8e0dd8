// Builds everything that the search index stores for a record. Writing and checking the index share this code.
import type { Model } from '../../model/rules/model.ts'
import type { CategoryTree, SearchedRecord } from '../rules/searched-record.ts'
import { fieldRows } from './field-rows.ts'
import { type IndexEntry, indexEntry } from './index-rows.ts'

export function entryOf(record: SearchedRecord, model: Model, categories: CategoryTree): IndexEntry {
  const { rows, texts } = indexEntry(record.layers, record.schema, model)
  return { rows: [...rows, ...fieldRows(record, model, categories)], texts }
}
