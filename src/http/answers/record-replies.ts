// Answers about records: JSON text around the stored values, which are JSON text already and are not parsed again.
// Contract 1 §2.2, 1 §4.1. IDs and timestamps need no escaping: `ID_PATTERN` admits no character that does.
import type { Page, RecordList, StoredRecord } from '../../store/record-port.ts'
import type { FoundRecord, SearchResult } from '../../store/search-port.ts'
import { JsonText, reply, type Reply, JsonStream } from './replies.ts'
import type { CompletenessResult } from '../../core/records/transitions.ts'

/** The full record, with its ETag. */
export function recordReply(record: StoredRecord): Reply<JsonText, never> {
  return withEtag(record, renderRecord(record))
}

/** The answer to PUT. */
export function updatedRecordReply(record: StoredRecord): Reply<JsonText, never> {
  const { id, schemaId, lifecycleStateId, updatedAt, updatedBy, valuesJson } = record
  return withEtag(
    record,
    `{"id":"${id}","schemaId":"${schemaId}","lifecycleStateId":"${lifecycleStateId}","updatedAt":"${updatedAt}",` +
      `"updatedBy":"${updatedBy}","values":${valuesJson}}`,
  )
}

/** The answer to PATCH of one attribute: `record` carries the values of that attribute alone. */
export function updatedValuesReply(record: StoredRecord): Reply<JsonText, never> {
  const { id, schemaId, updatedAt, valuesJson } = record
  return withEtag(record, `{"id":"${id}","schemaId":"${schemaId}","updatedAt":"${updatedAt}","values":${valuesJson}}`)
}

/** The answer to a transition. */
export function movedRecordReply(record: StoredRecord): Reply<JsonText, never> {
  const { id, schemaId, lifecycleStateId, updatedAt, valuesJson } = record
  return withEtag(
    record,
    `{"id":"${id}","schemaId":"${schemaId}","lifecycleStateId":"${lifecycleStateId}","updatedAt":"${updatedAt}",` +
      `"values":${valuesJson}}`,
  )
}

/** One page of full records: `{ items, total, offset, limit }`. */
export function recordPageText({ items, total }: RecordList, { offset, limit }: Page): JsonText {
  return new JsonText(
    `{"items":[${items.map(renderFound).join(',')}],"total":${total},"offset":${offset},"limit":${limit}}`,
  )
}

export function renderRecord(record: StoredRecord): string {
  return `${renderOpen(record)}}`
}

/** A record that was found, or one part of it, without a comma before it. */
export function renderFound(record: FoundRecord): string {
  const begin = record.isContinued === true ? '' : renderOpen(record)
  return begin + (record.moreJson ?? '') + (record.isOpen === true ? '' : '}')
}

function renderOpen(record: StoredRecord): string {
  const parentId = record.parentId === null ? 'null' : `"${record.parentId}"`
  return (
    `{"id":"${record.id}","schemaId":"${record.schemaId}","parentId":${parentId},` +
    `"lifecycleStateId":"${record.lifecycleStateId}","createdAt":"${record.createdAt}",` +
    `"updatedAt":"${record.updatedAt}","createdBy":"${record.createdBy}","updatedBy":"${record.updatedBy}",` +
    `"values":${record.valuesJson}`
  )
}

function withEtag(record: StoredRecord, text: string): Reply<JsonText, never> {
  return reply(new JsonText(text), { etag: record.version })
}

type Found = Omit<SearchResult, 'next'> & { readonly next: unknown }

/**
 * The answer to a search: an array of full records, sent while they are found. An answer of one batch has a Content-Length.
 * X-Next-Cursor and X-Total-Count are set if the search has them. @throws errors of the search before its first record
 */
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

/** Sent text is dropped at once: a slow client must not keep it in memory. */
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

/** `begin` is part of the one join: prepended later, it would copy the whole text. */
function renderRecords(records: readonly FoundRecord[], begin: '[' | ','): string {
  return records
    .map((record, index) => {
      const separator = index === 0 ? begin : ','
      return (record.isContinued === true ? '' : separator) + renderFound(record)
    })
    .join('')
}

/** The answer about completeness. A long list of missing fields is sent while it is read. */
export function completenessReply({ missing, combinationsJson, ...score }: CompletenessResult) {
  if (!(Symbol.asyncIterator in missing)) return { ...score, missing }
  return reply(new JsonStream(renderScore(score, combinationsJson, missing)), {})
}

async function* renderScore(
  score: object,
  combinationsJson: string | undefined,
  missing: AsyncIterable<string[]>,
): AsyncGenerator<string, void> {
  yield JSON.stringify(score).slice(0, -1)
  if (combinationsJson !== undefined) yield `,"combinations":${combinationsJson}`
  yield ',"missing":['
  for await (const pieces of missing) for (const piece of pieces) yield piece
  yield ']}'
}
