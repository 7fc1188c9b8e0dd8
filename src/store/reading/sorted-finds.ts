// Sorts the records of a search: by the rows of indexed records, and by the plain rule for others.
import { type SearchPosition, sortValueOf } from '../../core/search/rules/sorting.ts'
import type { SearchWorld } from '../../core/search/rules/searched-record.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import { FirstPlaced } from '../../core/search/plan/first-placed.ts'
import { addByRule, type Members, type Ordering, pageInOrder } from '../../core/search/plan/order.ts'
import type { SearchIndex } from '../../core/search/plan/search-index.ts'
import { placesOfSort } from '../../core/search/plan/sort-places.ts'
import { type Asking, askedOf, idsOf } from './search-snapshot.ts'
import { searchedRecord } from './searched-row.ts'

/**
 * @param unseen records that the index does not cover
 * @param records number of records of the searched schemas
 */
export function orderingOf(asking: Asking, unseen: Numbers, records: number): Ordering {
  const { query, ground, schemas } = asking
  const { model, categories, categoriesOf } = ground
  const world: SearchWorld = { model, role: query.role, categories }
  const keys = query.sort ?? []
  const asked = askedOf(asking)
  const indexed = keys.map((key) => (ground.pending.isAll ? undefined : placesOfSort(key, asked)))
  return {
    index: ground.index,
    keys,
    indexed: indexed.every((one) => one !== undefined) ? indexed : undefined,
    valueOf: (row, key) => sortValueOf(key, searchedRecord(row, model.schemas.get(row.schemaId)!, categoriesOf), world),
    schemaIds: idsOf(schemas),
    records,
    unseen,
  }
}

/**
 * @param members indexed records
 * @param others records that the index does not cover
 */
export async function sortedPage(
  ordering: Ordering,
  { offset, limit, after }: Asking['query'],
  members: Members,
  others: Numbers,
): Promise<{ page: Numbers; next: SearchPosition | undefined }> {
  const wanted = limit === null ? Infinity : offset + limit
  const first = new FirstPlaced(ordering.keys, after, wanted)
  for (const placed of await pageInOrder(ordering, members, after, wanted)) first.add(placed)
  await addByRule(ordering, others, first)
  const page = first.inOrder().slice(offset)
  const isFull = limit !== null && page.length === limit
  return { page: Float64Array.from(page, ({ record }) => record), next: isFull ? page.at(-1) : undefined }
}

export async function countRecords(schemaIds: readonly string[], index: SearchIndex): Promise<number> {
  const counts = await index.countStates(schemaIds)
  return counts.reduce((sum, { records }) => sum + records, 0)
}
