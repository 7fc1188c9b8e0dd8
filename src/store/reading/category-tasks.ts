// Counts the records of each category of a catalog, alone and including all descendants.
import type { CategoryCount } from '../search-port.ts'
import type { World } from './search-snapshot.ts'
import type { Assignment } from './workspace-reads.ts'

/** Assignments read before the event loop gets a turn. */
const SLICE = 20_000

/** A record counts once for a category, even if the record is in several of its descendants. */
export async function countCategories(catalogId: string, { reads, index }: World): Promise<CategoryCount[]> {
  const rows = await reads.categoriesOf(catalogId)
  const counts = new Map(rows.map(({ id }) => [id, { id, direct: 0, total: 0 }]))
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]))
  /** The last record counted for each category. */
  const counted = new Map<string, number>()
  let last: Assignment = { place: 0, categoryId: '' }
  for (;;) {
    const slice = await reads.assignmentsAfter(last, SLICE)
    for (const { place, categoryId } of slice) {
      const own = counts.get(categoryId)
      if (own === undefined) continue
      own.direct += 1
      for (let id: string | null = categoryId; id !== null && counted.get(id) !== place; id = parents.get(id) ?? null) {
        counted.set(id, place)
        counts.get(id)!.total += 1
      }
    }
    if (slice.length < SLICE) return [...counts.values()]
    last = slice.at(-1)!
    await index.breathe()
  }
}
