// Records that are listed, or read by their IDs, with what is asked of each: in a reader thread, on one snapshot.
import { notFound } from '../../../domain/errors.ts'
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import type { FoundRecord, ItemQuery, ItemReads } from '../../search-port.ts'
import { type PageOfPlaces, placesBelow, placesInCategory } from '../category-records.ts'
import { FoundItems } from '../search/found-items.ts'
import { batchParts, readInOrder, type SearchStep } from '../search/read-found.ts'
import type { Searcher } from '../search/searcher.ts'

type Asked<Method extends keyof ItemReads> = Parameters<ItemReads[Method]>[0]

export type ItemTask =
  | ({ readonly kind: 'items'; readonly of: 'list' } & Asked<'list'>)
  | ({ readonly kind: 'items'; readonly of: 'category' } & Asked<'inCategory'>)
  | ({ readonly kind: 'items'; readonly of: 'record' } & Asked<'get'>)

/** Records that one statement looks at. */
const CHUNK = 1000

export function* runItems(task: ItemTask, reader: Searcher): Generator<SearchStep, void> {
  const { sql, models } = reader
  const items = new FoundItems(task, sql, models.modelOfSnapshot())
  if (task.of === 'record') {
    yield* batchParts(readOne(task, items, reader), { total: null })
    return
  }
  const { places, total, next } = pageOf(task, reader)
  yield* batchParts(readInOrder(Float64Array.from(places), items, sql), { total, next })
}

function pageOf(task: Exclude<ItemTask, { readonly of: 'record' }>, { sql, records }: Searcher): PageOfPlaces {
  if (task.of === 'category')
    return (task.includeChildren ? placesBelow : placesInCategory)(sql, task.categoryId, task.page)
  const { places, total } = records.placesNow(task.filter, task.page)
  const isFull = places.length === task.page.limit && places.length > 0
  return { places, total, next: isFull ? { record: places.at(-1)!, values: [] } : undefined }
}

/** The record, and its variants after it where they are included. @throws NOT_FOUND */
function* readOne(
  { recordId, role, view }: Asked<'get'>,
  items: FoundItems,
  { sql }: Searcher,
): Generator<FoundRecord | undefined, void> {
  const own = sql.numbers('SELECT n FROM main.record WHERE id = ?', [recordId])
  if (own.length === 0) throw notFound('Record', recordId)
  yield* readInOrder(toNumbers(own), items, sql)
  if (view.include?.includes('variants') !== true) return
  const asked: ItemQuery = { role, view: {} }
  const variants = new FoundItems(asked, sql, items.model)
  for (let after = 0; ;) {
    const next: Numbers = toNumbers(
      sql.numbers('SELECT n FROM main.record WHERE parent_id = ? AND n > ? ORDER BY n LIMIT ?', [
        recordId,
        after,
        CHUNK,
      ]),
    )
    yield* readInOrder(next, variants, sql)
    if (next.length < CHUNK) return
    after = next.at(-1)!
  }
}
