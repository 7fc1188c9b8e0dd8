// Records that are listed, or read by their IDs, with what is asked of each: in a reader thread, on one snapshot.
import { notFound } from '../../kernel/errors.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { type Plan, type Program, readTask } from '../../core/search/plan/ask.ts'
import type { PageOfPlaces } from '../../core/search/plan/task-reads.ts'
import type { FoundRecord, ItemQuery, ItemReads } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import { batchParts, readParts, type SearchStep } from './read-found.ts'

type Asked<Method extends keyof ItemReads> = Parameters<ItemReads[Method]>[0]

export type ItemTask =
  | ({ readonly kind: 'items'; readonly of: 'list' } & Asked<'list'>)
  | ({ readonly kind: 'items'; readonly of: 'category' } & Asked<'inCategory'>)
  | ({ readonly kind: 'items'; readonly of: 'record' } & Asked<'get'>)

/** Records that one statement looks at. */
const CHUNK = 1000

export function* runItems(task: ItemTask, model: Model): Program<SearchStep> {
  const items = new FoundItems(task, model)
  if (task.of === 'record') {
    yield* batchParts(readOne(task, items), { total: null })
    return
  }
  const { places, total, next } = yield* pageOf(task)
  yield* batchParts(readParts(Float64Array.from(places), items), { total, next })
}

function pageOf(task: Exclude<ItemTask, { readonly of: 'record' }>): Plan<PageOfPlaces> {
  if (task.of === 'list') return readTask((reads) => reads.list(task.filter, task.page))
  const { categoryId, includeChildren, page } = task
  return readTask((reads) =>
    includeChildren ? reads.belowCategory(categoryId, page) : reads.inCategory(categoryId, page),
  )
}

/** The record, and its variants after it where they are included. @throws NOT_FOUND */
function* readOne({ recordId, role, view }: Asked<'get'>, items: FoundItems): Program<FoundRecord | undefined> {
  const own = yield* readTask((reads) => reads.placeOf(recordId))
  if (own === undefined) throw notFound('Record', recordId)
  yield* readParts(Float64Array.of(own), items)
  if (view.include?.includes('variants') !== true) return
  const asked: ItemQuery = { role, view: {} }
  const variants = new FoundItems(asked, items.model)
  for (let after = 0; ;) {
    const next = yield* readTask((reads) => reads.variantsOf(recordId, after, CHUNK))
    yield* readParts(next, variants)
    if (next.length < CHUNK) return
    after = next.at(-1)!
  }
}
