// Categories with all that is below them, in a reader thread: how many records each has, and which they are.
import { type Program, readTask } from '../../core/search/plan/ask.ts'
import type { Assignment } from '../../core/search/plan/task-reads.ts'
import type { CategoryCount } from '../search-port.ts'

/** Assignments that are looked at in one step. */
const SLICE = 20_000

interface CategoryStep<Item> {
  readonly items: Item[]
  readonly total?: number | null
  readonly isLast?: boolean
}

/** Each record counts once for a category, in however many below it it is. */
export function* runCategoryCounts(catalogId: string): Program<CategoryStep<CategoryCount>> {
  const rows = yield* readTask((reads) => reads.categoriesOf(catalogId))
  const counts = new Map(rows.map(({ id }) => [id, { id, direct: 0, total: 0 }]))
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]))
  /** The last record that was counted for each category. */
  const counted = new Map<string, number>()
  let last: Assignment = { place: 0, categoryId: '' }
  for (;;) {
    const slice = yield* readTask((reads) => reads.assignmentsAfter(last, SLICE))
    for (const { place, categoryId } of slice) {
      const own = counts.get(categoryId)
      if (own === undefined) continue
      own.direct += 1
      for (let id: string | null = categoryId; id !== null && counted.get(id) !== place; id = parents.get(id) ?? null) {
        counted.set(id, place)
        counts.get(id)!.total += 1
      }
    }
    if (slice.length < SLICE) break
    last = slice.at(-1)!
    yield { items: [] }
  }
  yield { items: [...counts.values()], total: null, isLast: true }
}
