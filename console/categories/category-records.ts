// The records of one category, in their order: read page by page, moved one by one, sorted all at once. C4. Every
// change can be undone.
import type { Call } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import { type Page, pageOf } from '../state/paged-query.ts'

export type FoundRecord = Endpoints['GET /api/v1/categories/:id/records']['reply']['items'][number]

const PAGE = 100
const ALL_AT_ONCE = 500

export async function readCategoryRecords(
  call: Call,
  asked: { readonly id: string; readonly includeChildren: boolean; readonly after: string | undefined },
  { signal, limit = PAGE }: { readonly signal?: AbortSignal | undefined; readonly limit?: number } = {},
): Promise<Page<FoundRecord>> {
  const { id, includeChildren, after } = asked
  const query = { limit, includeChildren, after }
  const answer = await call('GET /api/v1/categories/:id/records', {
    params: { id },
    query,
    signal,
  })
  const { items, total } = answer.body
  return pageOf(items, limit, { total, next: answer.next })
}

/** Reads all records of the category, in their order. */
export async function readAllOf(call: Call, id: string): Promise<readonly FoundRecord[]> {
  const records: FoundRecord[] = []
  let after: string | undefined
  do {
    const page = await readCategoryRecords(call, { id, includeChildren: false, after }, { limit: ALL_AT_ONCE })
    records.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return records
}

/** @throws the errors of a call, also if the one operation was refused */
export async function changeMembership(call: Call, categoryId: string, recordId: string, isIn: boolean): Promise<void> {
  const operation = isIn
    ? ({ op: 'addCategories', id: recordId, categories: [{ categoryId }] } as const)
    : ({ op: 'removeCategories', id: recordId, categories: [categoryId] } as const)
  await call('POST /api/v1/records/batch', { body: { operations: [operation] } })
  // A new record comes last.
  if (isIn) await call('POST /api/v1/categories/:id/records/move', { params: { id: categoryId }, body: { recordId } })
}
