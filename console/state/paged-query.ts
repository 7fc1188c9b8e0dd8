// A list that is read page by page, each after the end of the previous page. A renewal reads all loaded pages together.
import { useRef, useState } from 'preact/hooks'
import type { Query } from './cache.ts'
import { useQuery } from './context.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The total number of items; undefined: not counted. */
  readonly total: number | undefined
  /** The start of the next page; undefined: this is the last page. */
  readonly next: string | undefined
}

export interface PagedQuery<Item> {
  readonly query: Query<Page<Item>>
  readonly isReadingMore: boolean
  readonly readMore: () => Promise<void>
}

type LoadPage<Item> = (after: string | undefined, signal?: AbortSignal) => Promise<Page<Item>>

export function usePagedQuery<Item>(key: string, load: LoadPage<Item>): PagedQuery<Item> {
  const wanted = useRef({ key, count: 0 })
  if (wanted.current.key !== key) wanted.current = { key, count: 0 }
  const [isReadingMore, setReadingMore] = useState(false)
  const query = useQuery(key, (signal) => readPages(load, wanted.current.count, signal))
  const readMore = async () => {
    const shown = query.data.peek()
    if (shown?.next === undefined || isReadingMore) return
    setReadingMore(true)
    try {
      const page = joined(shown, await load(shown.next))
      wanted.current.count = page.items.length
      query.put(page)
    } finally {
      setReadingMore(false)
    }
  }
  return { query, isReadingMore, readMore }
}

/** Reads pages up to `count` items, but always the first page. */
export async function readPages<Item>(load: LoadPage<Item>, count: number, signal?: AbortSignal): Promise<Page<Item>> {
  let page = await load(undefined, signal)
  while (page.items.length < count && page.next !== undefined) page = joined(page, await load(page.next, signal))
  return page
}

function joined<Item>(before: Page<Item>, page: Page<Item>): Page<Item> {
  return { ...page, items: [...before.items, ...page.items] }
}

/** A page from the head of an answer; a page that is not full is the last. */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number,
  answer: { total?: number | undefined; next?: string | undefined },
): Page<Item> {
  return { items, total: answer.total, next: items.length < limit ? undefined : answer.next }
}
