// The answer to a search: an array of full records, sent while it is found. One that fits a batch has a Content-Length.
import type { SearchResult, StoredRecord } from '../storage/record-port.ts'
import { JsonStream, JsonText, reply, type Reply } from './json.ts'
import { renderRecord } from './record-json.ts'

/** With X-Total-Count where a limit was given. @throws what the search throws before the first records are found */
export async function foundRecordsReply(result: SearchResult): Promise<Reply<JsonText | JsonStream, never>> {
  const headers: Record<string, string> = result.total === null ? {} : { 'X-Total-Count': String(result.total) }
  const batches = result.batches[Symbol.asyncIterator]()
  const first = await batches.next()
  const second = first.done === true ? first : await batches.next()
  const found = first.done === true ? [] : first.value
  if (second.done === true) return reply(new JsonText(`[${renderRecords(found)}]`), { headers })
  return reply(new JsonStream(renderBatches(found, second.value, batches)), { headers })
}

async function* renderBatches(
  first: readonly StoredRecord[],
  second: readonly StoredRecord[],
  others: AsyncIterator<StoredRecord[]>,
): AsyncGenerator<string, void> {
  try {
    yield `[${renderRecords(first)}`
    yield `,${renderRecords(second)}`
    for (let next = await others.next(); next.done !== true; next = await others.next())
      yield `,${renderRecords(next.value)}`
    yield ']'
  } finally {
    await others.return?.()
  }
}

function renderRecords(records: readonly StoredRecord[]): string {
  return records.map(renderRecord).join(',')
}
