// The use cases of reading records with additional members: lists, the records of a category, and one record by its ID.
// Contract 3 §1, 3 §11.
import { invalid } from '../../kernel/errors.ts'
import type { Criteria } from '../search/rules/criteria.ts'
import type { Criterion } from '../search/rules/criterion.ts'
import type { SortKey } from '../search/rules/sorting.ts'
import { assertItemView, isPlain, isPlainWithImage, type ItemView } from '../search/rules/item-view.ts'
import type { Store } from '../../store/port.ts'
import type { Page, RecordFilter, RecordList } from '../../store/record-port.ts'
import type { ItemReads, SearchResult } from '../../store/search-port.ts'
import type { Caller } from '../accounts/caller.ts'
import { findCategory } from '../model/category-service.ts'
import { fingerprintOf, fingerprintOfCategory, readPosition, writePosition } from '../search/search-cursors.ts'
import { searchedSchemas } from '../search/rules/searched-schemas.ts'
import type { SearchService } from '../search/search.ts'
import type { AssignmentService } from './category-assignments.ts'
import { withImages } from './record-images.ts'
import type { RecordService } from './records.ts'

/** The most records of a page whose pictures are read at once. */
const MAX_PICTURED = 100

interface RecentFilter extends RecordFilter {
  /** ISO 8601, in UTC: only records changed at this time or later. */
  readonly updatedSince?: string | undefined
}

/** The parameters of a page of records. */
interface ItemPage {
  readonly page: Page
  readonly view: ItemView
}

interface OrderedItemPage extends ItemPage {
  readonly sort?: readonly SortKey[] | undefined
  /** A cursor of the same list, instead of an offset. */
  readonly after?: string | undefined
}

interface ItemsInCategory extends ItemPage {
  readonly includeChildren: boolean
  /** A cursor of the same list, instead of an offset. */
  readonly after?: string | undefined
}

/** A request: `signal` is aborted when its client leaves. Reading `signal` costs time. */
interface Leaving {
  readonly signal: AbortSignal
}

interface ListedRecords {
  readonly found: RecordList | Omit<SearchResult, 'next'>
  /** The cursor of the next page, after a full page. */
  readonly next: string | null
}

export function createRecordItemService(deps: {
  search: Pick<SearchService, 'byCriteria'>
  store: Store
  records: Pick<RecordService, 'list'>
  assignments: Pick<AssignmentService, 'listRecords'>
}) {
  const { store, records, assignments, search } = deps

  async function assertView({ role }: Caller, view: ItemView, schemaId?: string): Promise<void> {
    const model = await store.read.model()
    assertItemView(view, searchedSchemas(model, schemaId), model, role)
  }

  async function listInOrder(
    caller: Caller,
    filter: RecordFilter,
    { page, view }: ItemPage,
    request: Leaving,
  ): Promise<RecordList | SearchResult> {
    if (!isPlain(view)) await assertView(caller, view, filter.schemaId)
    const atOnce = isPlain(view)
      ? await records.list(caller, filter, page)
      : isPlainWithImage(view) && (await listWithImages(caller, filter, page))
    return (
      atOnce || store.read.items.list({ filter, page, view, role: caller.role, callerId: caller.id }, request.signal)
    )
  }

  /** Lists records with pictures; undefined: this is too much for the main thread. */
  async function listWithImages(caller: Caller, filter: RecordFilter, page: Page): Promise<RecordList | undefined> {
    if (page.limit > MAX_PICTURED) return undefined
    const found = await store.read.records.list(filter, page)
    if (found === undefined) return undefined
    const model = await store.read.model()
    const pictured = await withImages(found.items, store.read.records, { model, role: caller.role })
    return pictured && { ...found, items: pictured }
  }

  async function findInCategory(
    caller: Caller,
    asked: Omit<Parameters<ItemReads['inCategory']>[0], 'role'>,
    signal: AbortSignal,
  ): Promise<RecordList | SearchResult> {
    const { categoryId, includeChildren, page, view } = asked
    const isShort = isPlain(view) && !includeChildren
    const atOnce = isShort ? await assignments.listRecords(caller, categoryId, page) : undefined
    if (atOnce !== undefined) return atOnce
    await findCategory(store.read, categoryId)
    await assertView(caller, view)
    return store.read.items.inCategory({ ...asked, role: caller.role, callerId: caller.id }, signal)
  }

  return {
    /**
     * Lists records in the order of creation, unless another order is requested. Plain records are read at once.
     * @throws VALIDATION_ERROR, PERMISSION_DENIED for an attribute that is hidden, UNAVAILABLE
     */
    async list(
      caller: Caller,
      filter: RecentFilter,
      { page, view, sort = [], after }: OrderedItemPage,
      request: Leaving,
    ): Promise<ListedRecords> {
      const { schemaId } = filter
      const criteria = criteriaOf(filter)
      if (sort.length > 0 || after !== undefined || filter.updatedSince !== undefined) {
        const offset = after === undefined || page.offset > 0 ? page.offset : undefined
        const found = await search.byCriteria(
          caller,
          criteria,
          { ...page, offset, schemaId, view, sort, after },
          request.signal,
        )
        return { found, next: found.next }
      }
      const found = await listInOrder(caller, filter, { page, view }, request)
      if (!found.next) return { found, next: null }
      return { found, next: writePosition(found.next, fingerprintOf({ criteria, sort, schemaId })) }
    },

    /**
     * Lists records in the order of the category; with records of categories below, in the order of creation. Throws
     * the errors of `list`, and NOT_FOUND.
     */
    async inCategory(
      caller: Caller,
      categoryId: string,
      { page, view, after, includeChildren }: ItemsInCategory,
      signal: AbortSignal,
    ): Promise<ListedRecords> {
      const fingerprint = fingerprintOfCategory(categoryId, includeChildren)
      if (after !== undefined && page.offset > 0) throw invalid('offset must not be given beside after')
      const position = after === undefined ? undefined : readPosition(after, fingerprint, includeChildren ? 0 : 1)
      const found = await findInCategory(
        caller,
        { categoryId, includeChildren, page: { ...page, after: position }, view },
        signal,
      )
      return { found, next: found.next ? writePosition(found.next, fingerprint) : null }
    },

    /** Reads one record by `ItemReads.get`. @throws NOT_FOUND, UNAVAILABLE */
    get: (caller: Caller, recordId: string, view: ItemView, signal: AbortSignal): Promise<SearchResult> =>
      store.read.items.get({ recordId, view, role: caller.role, callerId: caller.id }, signal),
  }
}

/** Returns the criteria of a list's filter, except for the schema. */
function criteriaOf({ lifecycleStateId, parentId, updatedSince }: RecentFilter): Criteria {
  const criteria: Criterion[] = []
  if (lifecycleStateId !== undefined)
    criteria.push({ field: 'lifecycleStateId', operator: 'equals', value: lifecycleStateId })
  if (parentId === null) criteria.push({ field: 'parentId', operator: 'isEmpty' })
  else if (parentId !== undefined) criteria.push({ field: 'parentId', operator: 'equals', value: parentId })
  if (updatedSince !== undefined) criteria.push({ field: 'updatedAt', operator: 'gte', value: updatedSince })
  return { criteria, criteriaOperator: 'and' }
}
