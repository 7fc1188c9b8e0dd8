// Puts what a search found in order: what the index knows by its rows, what it has not seen by the plain rule.
import { type SearchPosition, sortValueOf } from '../../core/search/rules/sorting.ts'
import type { SearchWorld } from '../../core/search/rules/searched-record.ts'
import { ask, type CountedState, type Plan, readEach } from '../../core/search/plan/ask.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import { type Members, type Ordering, pageInOrder, sortPlaced } from '../../core/search/plan/order.ts'
import { placesOfSort } from '../../core/search/plan/sort-places.ts'
import { type Asking, askedOf, idsOf } from './search-snapshot.ts'
import { searchedRecord } from './searched-row.ts'

/** @param unseen records of which the index knows nothing @param records of the schemas that are searched */
export function orderingOf(asking: Asking, unseen: Numbers, records: number): Ordering {
  const { query, ground, schemas } = asking
  const { model, categories, categoriesOf } = ground
  const world: SearchWorld = { model, role: query.role, categories }
  const keys = query.sort ?? []
  const asked = askedOf(asking)
  const indexed = keys.map((key) => (ground.pending.isAll ? undefined : placesOfSort(key, asked)))
  return {
    keys,
    indexed: indexed.every((one) => one !== undefined) ? indexed : undefined,
    valueOf: (row, key) => sortValueOf(key, searchedRecord(row, model.schemas.get(row.schemaId)!, categoriesOf), world),
    schemaIds: idsOf(schemas),
    records,
    unseen,
  }
}

/** @param members of which the index knows @param others of which it does not */
export function* sortedPage(
  ordering: Ordering,
  { offset, limit, after }: Asking['query'],
  members: Members,
  others: Numbers,
): Plan<{ page: Numbers; next: SearchPosition | undefined }> {
  const wanted = limit === null ? Infinity : offset + limit
  let placed = yield* pageInOrder(ordering, members, after, wanted)
  if (others.length > 0) placed = sortPlaced([...placed, ...(yield* place(others, ordering))], ordering.keys, after)
  const page = placed.slice(offset, limit === null ? undefined : offset + limit)
  const isFull = limit !== null && page.length === limit
  return { page: Float64Array.from(page, ({ record }) => record), next: isFull ? page.at(-1) : undefined }
}

function* place(records: Numbers, { keys, valueOf }: Ordering): Plan<SearchPosition[]> {
  const placed: SearchPosition[] = []
  yield* readEach(records, (row) => {
    placed.push({ record: row.n, values: keys.map((key) => valueOf(row, key)) })
  })
  return placed
}

export function* countRecords(schemaIds: readonly string[]): Plan<number> {
  const counts = yield* ask<readonly CountedState[]>({ kind: 'counts', schemaIds })
  return counts.reduce((sum, { records }) => sum + records, 0)
}
