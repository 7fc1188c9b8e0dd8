// The answer to a search: an array of full records, sent while it is found. One that fits a batch has a Content-Length.
import { JsonStream, JsonText, reply, type Reply } from './json.ts'
import { renderFound } from './record-json.ts'
import type { FoundRecord, SearchResult } from '../../store/search-port.ts'

type Found = Omit<SearchResult, 'next'> & { readonly next: unknown }

/** With X-Next-Cursor where there is a cursor of what comes next, and X-Total-Count where the matches were counted. @throws what the search throws before the first records are found */
export async function foundRecordsReply(result: Found): Promise<Reply<JsonText | JsonStream, never>> {
  const headers: Record<string, string> = {
    ...(result.total === null ? {} : { 'X-Total-Count': String(result.total) }),
    ...(typeof result.next === 'string' ? { 'X-Next-Cursor': result.next } : {}),
  }
  const batches = result.batches[Symbol.asyncIterator]()
  const first = await nextText(batches, '[')
  const second = first === undefined ? undefined : await nextText(batches, ',')
  if (second === undefined) return reply(new JsonText(`${first ?? '['}]`), { headers })
  return reply(new JsonStream(streamTexts([first!, second], batches)), { headers })
}

/** A client may take its time: of what it has got already nothing is kept meanwhile. */
async function* streamTexts(begin: string[], others: AsyncIterator<FoundRecord[]>): AsyncGenerator<string, void> {
  try {
    while (begin.length > 0) yield begin.shift()!
    for (let next = await nextText(others, ','); next !== undefined; next = await nextText(others, ',')) yield next
    yield ']'
  } finally {
    await others.return?.()
  }
}

async function nextText(batches: AsyncIterator<FoundRecord[]>, begin: '[' | ','): Promise<string | undefined> {
  for (;;) {
    const next = await batches.next()
    if (next.done === true) return undefined
    if (next.value.length > 0) return renderRecords(next.value, begin)
  }
}

/** Joined once: put before the text afterwards, `begin` would make a copy of it, kept as long as the client takes. */
function renderRecords(records: readonly FoundRecord[], begin: '[' | ','): string {
  return records
    .map((record, index) => {
      const separator = index === 0 ? begin : ','
      return (record.isContinued === true ? '' : separator) + renderFound(record)
    })
    .join('')
}
