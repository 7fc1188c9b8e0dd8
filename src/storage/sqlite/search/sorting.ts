// Puts what a search found in order: what the index knows by its rows, what it has not seen by the plain rule.
import { sortValueOf } from '../../../domain/search/sorting.ts'
import type { Model, Schema } from '../../../domain/model/model.ts'
import type { SearchWorld } from '../../../domain/search/searched-record.ts'
import type { SearchQuery } from '../../search-port.ts'
import type { SearchPosition } from '../../../domain/search/sorting.ts'
import type { Asked } from '../../search/asked.ts'
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import { type Members, type Ordering, pageInOrder, sortPlaced } from '../../search/order.ts'
import { placesOfSort } from '../../search/sort-places.ts'
import type { StatementCache } from '../statements.ts'
import { followPlan } from './answer-plan.ts'
import { categoryTree } from './category-tree.ts'
import { attributeLookUp } from './dictionary.ts'
import { isAmong } from './print-set.ts'
import { quietly, type SearchStep } from './read-found.ts'
import { readRows } from './read-rows.ts'
import { searchedRecord } from './searched-row.ts'

export interface SortedSearch {
  readonly query: SearchQuery
  readonly model: Model
  readonly schemas: readonly Schema[]
}

export function askedOf({ query, model, schemas }: SortedSearch, sql: StatementCache): Asked {
  const lookUp = attributeLookUp(sql, query.schemaId)
  return { schemas, model, lookUp, role: query.role, categories: categoryTree(sql) }
}

export class Sorting {
  /** Of the schemas that are searched. */
  readonly records: number
  readonly #query: SearchQuery
  readonly #ordering: Ordering
  readonly #sql: StatementCache

  /** @param unseen records of which the index knows nothing */
  constructor(search: SortedSearch, unseen: Numbers, sql: StatementCache) {
    const { query, model, schemas } = search
    const world: SearchWorld = { model, role: query.role, categories: categoryTree(sql) }
    const keys = query.sort ?? []
    const asked = askedOf(search, sql)
    const indexed = keys.map((key) => placesOfSort(key, asked))
    const schemaIds = schemas.map(({ id }) => id)
    this.#query = query
    this.#sql = sql
    this.records = countRecords(schemaIds, sql)
    this.#ordering = {
      keys,
      indexed: indexed.every((one) => one !== undefined) ? indexed : undefined,
      valueOf: (row, key) => sortValueOf(key, searchedRecord(row, model.schemas.get(row.schemaId)!, sql), world),
      schemaIds,
      records: this.records,
      unseen,
    }
  }

  /** @param members of which the index knows @param others of which it does not */
  *page(members: Members, others: Numbers): Generator<SearchStep, { page: Numbers; next: SearchPosition | undefined }> {
    const { offset, limit, after } = this.#query
    const wanted = limit === null ? Infinity : offset + limit
    let placed = yield* quietly(followPlan(pageInOrder(this.#ordering, members, after, wanted), this.#sql))
    if (others.length > 0) placed = sortPlaced([...placed, ...this.#place(others)], this.#ordering.keys, after)
    const page = placed.slice(offset, limit === null ? undefined : offset + limit)
    const isFull = limit !== null && page.length === limit
    return { page: Float64Array.from(page, ({ record }) => record), next: isFull ? page.at(-1) : undefined }
  }

  #place(records: Numbers): SearchPosition[] {
    const { keys, valueOf } = this.#ordering
    return [...readRows(toNumbers([...records]), this.#sql)].map((row) => ({
      record: row.n,
      values: keys.map((key) => valueOf(row, key)),
    }))
  }
}

export function countRecords(schemaIds: readonly string[], sql: StatementCache): number {
  const ofSchemas = isAmong('schema_id', schemaIds)
  const count = `SELECT coalesce(sum(records), 0) AS records FROM main.record_count WHERE ${ofSchemas.sql}`
  return sql.get<{ records: number }>(count, ofSchemas.parameters)!.records
}
