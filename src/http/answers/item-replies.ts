// Answers of records with included data: a page, or one record. They are sent while they are read; an answer of one batch has a
// Content-Length.
import type { Page, RecordList } from '../../store/record-port.ts'
import type { FoundRecord, SearchResult } from '../../store/search-port.ts'
import { formatEtag, type JsonStream, type JsonText, reply, type Reply } from './replies.ts'
import { recordPageText, renderFound } from './record-replies.ts'
import { streamReply } from './stream-replies.ts'

/** `{ items, total, offset, limit }`; `next`: the cursor of the next page. @throws errors before the first records */
export async function recordPageReply(
  found: RecordList | Omit<SearchResult, 'next'>,
  page: Page,
  next: string | null = null,
): Promise<Reply<JsonText | JsonStream, never>> {
  const headers: Record<string, string> = next === null ? {} : { 'X-Next-Cursor': next }
  if ('items' in found) return reply(recordPageText(found, page), { headers })
  return streamReply(pageTexts(found, page), headers)
}

/**
 * One record, followed by its variants if they are included. The ETag is that of the record, for If-Match. Included data can
 * change while the ETag stays, so the answer is never 304.
 */
export async function itemReply(
  { batches }: SearchResult,
  hasVariants: boolean,
): Promise<Reply<JsonText | JsonStream, never>> {
  const parts = partsOf(batches)
  const first = await parts.next()
  if (first.done === true) throw new Error('A record that was found was not read')
  const headers = { ETag: formatEtag(first.value.version) }
  return streamReply(itemTexts(first.value, parts, hasVariants), headers)
}

async function* pageTexts(
  { batches, total }: Pick<SearchResult, 'batches' | 'total'>,
  { offset, limit }: Page,
): AsyncGenerator<string, void> {
  let separator = '{"items":['
  for await (const batch of batches) {
    let text = ''
    for (const part of batch) {
      text += (part.isContinued === true ? '' : separator) + renderFound(part)
      separator = ','
    }
    if (text !== '') yield text
  }
  const end = `],"total":${total},"offset":${offset},"limit":${limit}}`
  yield separator === ',' ? end : separator + end
}

async function* itemTexts(
  first: FoundRecord,
  others: AsyncIterable<FoundRecord>,
  hasVariants: boolean,
): AsyncGenerator<string, void> {
  yield renderFound(first)
  let separator = ',"variants":['
  for await (const part of others) {
    if (part.isContinued === true) yield renderFound(part)
    else {
      yield separator + renderFound(part)
      separator = ','
    }
  }
  if (hasVariants) yield separator === ',' ? ']}' : `${separator}]}`
}

async function* partsOf(batches: AsyncIterable<FoundRecord[]>): AsyncGenerator<FoundRecord, void> {
  for await (const batch of batches) yield* batch
}
