// The use cases of reading records with what is asked of each: lists, the records of a category, and one by its ID.
// Contract 3 §1, 3 §11.
import { assertItemView, isPlain, type ItemView } from '../../domain/search/item-view.ts'
import type { Store } from '../../storage/port.ts'
import type { Page, RecentFilter, RecordList } from '../../storage/record-port.ts'
import type { SearchResult } from '../../storage/search-port.ts'
import type { Caller } from '../accounts/caller.ts'
import { findCategory } from '../model/categories.ts'
import { searchedSchemas } from '../search/search.ts'
import type { AssignmentService } from './assignments.ts'
import type { RecordService } from './records.ts'

/** What is asked of a page of records. */
export interface ItemPage {
  readonly page: Page
  readonly view: ItemView
}

export function createRecordItemService(deps: {
  store: Store
  records: Pick<RecordService, 'list'>
  assignments: Pick<AssignmentService, 'listRecords'>
}) {
  const { store, records, assignments } = deps

  async function assertView({ role }: Caller, view: ItemView, schemaId?: string): Promise<void> {
    const model = await store.read.model()
    assertItemView(view, searchedSchemas(model, schemaId), model, role)
  }

  return {
    /**
     * In the order of creation. Where nothing is asked for but records, they are read at once.
     * @throws VALIDATION_ERROR, PERMISSION_DENIED for a selected attribute that is hidden, UNAVAILABLE
     */
    async list(
      caller: Caller,
      filter: RecentFilter,
      { page, view }: ItemPage,
      signal: AbortSignal,
    ): Promise<RecordList | SearchResult> {
      if (filter.updatedSince === undefined && isPlain(view)) return records.list(caller, filter, page)
      await assertView(caller, view, filter.schemaId)
      return store.read.items.list({ filter, page, view, role: caller.role, callerId: caller.id }, signal)
    },

    /** By their sort order within the category. Throws as `list` does, and NOT_FOUND. */
    async inCategory(
      caller: Caller,
      categoryId: string,
      { page, view }: ItemPage,
      signal: AbortSignal,
    ): Promise<RecordList | SearchResult> {
      if (isPlain(view)) return assignments.listRecords(caller, categoryId, page)
      await findCategory(store.read, categoryId)
      await assertView(caller, view)
      return store.read.items.inCategory({ categoryId, page, view, role: caller.role, callerId: caller.id }, signal)
    },

    /** As `ItemReads.get` has it. @throws NOT_FOUND, UNAVAILABLE */
    get: (caller: Caller, recordId: string, view: ItemView, signal: AbortSignal): Promise<SearchResult> =>
      store.read.items.get({ recordId, view, role: caller.role, callerId: caller.id }, signal),
  }
}

export type RecordItemService = ReturnType<typeof createRecordItemService>
