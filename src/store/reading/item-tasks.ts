// Reads records by list or by ID, with their extra members, in a reader thread on one snapshot.
import { notFound } from '../../kernel/errors.ts'
import type { ItemQuery, ItemReads } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import { Batch, readInto, readRecords, type SearchStep } from './read-found.ts'
import type { World } from './search-snapshot.ts'
import type { PageOfPlaces, WorkspaceReads } from './workspace-reads.ts'

type Asked<Method extends keyof ItemReads> = Parameters<ItemReads[Method]>[0]

export type ItemTask =
  | ({ readonly kind: 'items'; readonly of: 'list' } & Asked<'list'>)
  | ({ readonly kind: 'items'; readonly of: 'category' } & Asked<'inCategory'>)
  | ({ readonly kind: 'items'; readonly of: 'record' } & Asked<'get'>)

/** The number of records that one statement reads. */
const CHUNK = 1000

export async function* runItems(task: ItemTask, world: World): AsyncGenerator<SearchStep, void> {
  if (task.of === 'record') {
    yield* readOne(task, world)
    return
  }
  const { places, total, next } = await pageOf(task, world.reads)
  const items = new FoundItems(task, world.model)
  yield* readRecords(Float64Array.from(places), items, world.index, { total, next })
}

function pageOf(task: Exclude<ItemTask, { readonly of: 'record' }>, reads: WorkspaceReads): Promise<PageOfPlaces> {
  if (task.of === 'list') return reads.list(task.filter, task.page)
  const { categoryId, includeChildren, page } = task
  return includeChildren ? reads.belowCategory(categoryId, page) : reads.inCategory(categoryId, page)
}

/** Yields the record, and then its variants if they are included. @throws NOT_FOUND */
async function* readOne(
  { recordId, role, view }: Asked<'get'>,
  { model, reads, index }: World,
): AsyncGenerator<SearchStep, void> {
  const own = await reads.placeOf(recordId)
  if (own === undefined) throw notFound('Record', recordId)
  const batch = new Batch({ total: null })
  yield* readInto(batch, Float64Array.of(own), new FoundItems({ role, view }, model), index)
  if (view.include?.includes('variants') === true) {
    const asked: ItemQuery = { role, view: {} }
    const variants = new FoundItems(asked, model)
    for (let after = 0, isMore = true; isMore;) {
      const next = await reads.variantsOf(recordId, after, CHUNK)
      yield* readInto(batch, next, variants, index)
      isMore = next.length === CHUNK
      after = next.at(-1) ?? 0
    }
  }
  yield batch.takeLast()
}
