// Finds the events that a subscription wants, in a reader thread. Entries of the feed are judged and sent one after
// another.
import { recordEventJson } from '../../events/rules/event-data.ts'
import { type EntryHead, eventTypeOf, isWanted } from '../../events/rules/event-type.ts'
import type { Values } from '../../core/records/rules/record.ts'
import { matchesCriteria, withState } from '../../core/search/rules/criteria.ts'
import type { SearchedRecord, SearchWorld } from '../../core/search/rules/searched-record.ts'
import { questionOf, type Selection } from '../../core/search/rules/selection.ts'
import { matchesQuestion } from '../../core/search/rules/text-question.ts'
import type { StoredAuditEntry } from '../audit-port.ts'
import type { FeedEntry, FeedKind } from '../feed-port.ts'
import type { EventPage, EventQuery, ReadEvent } from '../subscription-port.ts'
import { PastRecords, type RecordThen } from './past-records.ts'
import type { World } from './search-snapshot.ts'
import { readableModelEntry } from '../../core/feed/rules/model-entry.ts'
import { toRunView } from '../../exports/rules/export-run.ts'
import { readableJob, toShownJob } from '../../core/jobs/rules/bulk-job.ts'

/** Milliseconds of work after which a page ends. */
const PAGE_MILLISECONDS = 2000
/** Entries read at once, and most entries of a page. */
const PIECE = 100
const MOST_ENTRIES = 2000
/** Bytes of a page. */
const MAX_PAGE = 256 * 1024

const utf8 = new TextEncoder()

const ALL: ReadonlySet<FeedKind> = new Set(['record', 'model', 'run', 'bulk'])

export async function readEvents(query: EventQuery, world: World): Promise<EventPage> {
  const { reads, index } = world
  const teller = new Teller(query, world)
  const { limit, through: last = Number.MAX_SAFE_INTEGER } = query
  const events: ReadEvent[] = []
  let [through, looked, size, spent] = [query.after, 0, 0, 0]
  let begin = performance.now()
  reading: for (;;) {
    const piece = await reads.feed.listAfter(through, ALL, PIECE)
    for (const found of piece) {
      if (found.sequence > last) break reading
      const told = await teller.tell(found)
      const pause = index.breathe()
      if (pause !== undefined) {
        spent += performance.now() - begin
        await pause
        begin = performance.now()
      }
      ;[through, looked] = [found.sequence, looked + 1]
      if (told !== undefined) {
        events.push(told)
        size += told.data.length
      }
      if (events.length >= limit || size > MAX_PAGE || spent > PAGE_MILLISECONDS) break reading
    }
    if (piece.length === 0 || looked >= MOST_ENTRIES) break
  }
  return { events, through }
}

/** Selects the entries of the feed to send, and renders their events. */
class Teller {
  readonly #query: EventQuery
  readonly #world: SearchWorld
  readonly #past: PastRecords

  constructor(query: EventQuery, { model, categories, reads, index }: World) {
    this.#query = query
    this.#world = { model, role: query.role, categories }
    this.#past = new PastRecords(reads, index)
  }

  /** Undefined: the subscription does not want the entry. */
  async tell(found: FeedEntry): Promise<ReadEvent | undefined> {
    const head = headOf(found)
    if (found.kind === 'record') return this.#tellRecord(found.entry, head)
    if (found.kind === 'account' || !isWanted(head, this.#query)) return undefined
    const { sequence, timestamp } = found
    const { role } = this.#query
    const shown =
      found.kind === 'model'
        ? readableModelEntry(role, found.entry)
        : found.kind === 'run'
          ? toRunView(found.run, undefined)
          : toShownJob(readableJob(role, found.job))
    return { sequence, type: eventTypeOf(head)!, timestamp, data: utf8.encode(JSON.stringify(shown)) }
  }

  async #tellRecord(entry: StoredAuditEntry, head: EntryHead): Promise<ReadEvent | undefined> {
    const { role, selection } = this.#query
    const { sequence, timestamp, entityId, action } = entry
    const isAsked = isWanted(head, this.#query)
    const judgedAt = action === 'delete' ? sequence - 1 : sequence
    // The record before its deletion must be read before the deletion is applied.
    const isJudgedBefore = isAsked && action === 'delete' && selection !== null
    const before = isJudgedBefore ? await this.#past.at(entityId, judgedAt) : undefined
    if (isJudgedBefore && !(await this.#matches(before, judgedAt, selection))) return undefined
    this.#past.take(entry)
    if (!isAsked) return undefined
    const after = action === 'delete' ? undefined : await this.#past.at(entityId, sequence)
    if (action !== 'delete' && selection !== null && !(await this.#matches(after, sequence, selection)))
      return undefined
    const data = utf8.encode(recordEventJson(role, entry, after))
    return { sequence, type: eventTypeOf(head)!, timestamp, data }
  }

  /**
   * Resolves to whether a record matched. A record whose earlier state is unknown matches, so that its events are sent
   * anyway.
   */
  async #matches(record: RecordThen | undefined, sequence: number, selection: Selection): Promise<boolean> {
    if (record === undefined) return true
    const { schemaId, parentId } = record.head
    if ((selection.schemaId ?? schemaId) !== schemaId) return false
    const schema = this.#world.model.schemas.get(schemaId)
    if (schema === undefined) return false
    const parent = parentId === null ? undefined : await this.#past.at(parentId, sequence)
    const searched: SearchedRecord = {
      ...record.head,
      schema,
      layers: { own: parsed(record), inherited: parentId === null ? null : parent ? parsed(parent) : {} },
      categoryIds: [...new Set([...record.categoryIds, ...(parent?.categoryIds ?? [])])],
    }
    const question = questionOf(selection)
    return (
      matchesCriteria(withState(selection, selection.stateId), searched, this.#world) &&
      (question === undefined || matchesQuestion(question, searched, this.#world))
    )
  }
}

function headOf(found: FeedEntry): EntryHead {
  const { sequence, kind } = found
  if (kind === 'record') return { sequence, kind, action: found.entry.action, schemaId: found.entry.schemaId }
  return kind === 'run' ? { sequence, kind, isSuccess: found.run.status === 'success' } : { sequence, kind }
}

function parsed({ values }: RecordThen): Values {
  return typeof values === 'string' ? (JSON.parse(values) as Values) : values
}
