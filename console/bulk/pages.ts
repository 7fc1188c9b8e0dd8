// Lists with offsets, in the form of lists with cursors.
import type { Page } from '../state/paged-query.ts'

export async function pageByOffset<Item>(
  after: string | undefined,
  limit: number,
  total: number,
  read: (offset: number, limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const offset = Number(after ?? 0)
  const items = await read(offset, limit)
  const next = offset + items.length
  // A page of large changes ends before its limit.
  return { items, total, next: items.length === 0 || next >= total ? undefined : String(next) }
}
