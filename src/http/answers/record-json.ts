// Records as JSON text, put together around their stored values, which are JSON text already and are not parsed again.
// Contract 1 §2.2, 1 §4.1. IDs and timestamps need no escaping: `ID_PATTERN` admits no character that does.
import type { Page, RecordList, StoredRecord } from '../../store/record-port.ts'
import type { FoundRecord } from '../../store/search-port.ts'
import { JsonText, reply, type Reply } from './json.ts'

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
    `{"items":[${items.map(renderRecord).join(',')}],"total":${total},"offset":${offset},"limit":${limit}}`,
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
