// Records that are listed, or read by their IDs, with what is asked of each: in a reader thread, on one snapshot.
import { notFound } from '../../../domain/errors.ts'
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import type { FoundRecord, ItemQuery, ItemReads } from '../../search-port.ts'
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
  const { places, total } =
    task.of === 'category' ? pageInCategory(task, reader) : reader.records.placesNow(task.filter, task.page)
  const isFull = places.length === task.page.limit && places.length > 0
  const next = isFull ? { record: places.at(-1)!, values: [] } : undefined
  yield* batchParts(readInOrder(Float64Array.from(places), items, sql), { total, next })
}

interface PageOfPlaces {
  readonly places: readonly number[]
  readonly total: number
}

function pageInCategory(
  { categoryId, includeChildren, page }: Asked<'inCategory'>,
  { sql, records }: Searcher,
): PageOfPlaces {
  if (includeChildren) return records.placesBelowNow(categoryId, page)
  return {
    places: sql.numbers(
      'SELECT record_n FROM main.assignment WHERE category_id = ? ORDER BY sort_order, record_n LIMIT ? OFFSET ?',
      [categoryId, page.limit, page.offset],
    ),
    total: sql.numbers('SELECT count(*) FROM main.assignment WHERE category_id = ?', [categoryId])[0]!,
  }
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
