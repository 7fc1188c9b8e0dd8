// Searches that are answered on the main thread, because a page of one range of the index takes less time than the way
// to a reader thread and back. Whatever could take longer is left to the reader threads.
import type { Model } from '../../../domain/model.ts'
import type { SearchQuery, SearchResult, StoredRecord } from '../../record-port.ts'
import { isDamage, translateError } from '../connection.ts'
import type { StatementCache } from '../statements.ts'
import { attributeLookUp, TooManyScopes } from './dictionary.ts'
import { readPending, SnapshotMissed } from './pending.ts'
import type { RecordSet } from './record-sets.ts'
import { compileSearch, type Search, searchedSchemas } from './run-search.ts'
import {
  beginSnapshot,
  endSnapshot,
  openSearcher,
  type Searcher,
  type SearchFiles,
  type SearchSnapshot,
} from './searcher.ts'
import { numbersUpTo, readPage, readPageOf } from './short-pages.ts'

/** Index rows that are read and sorted here at most: half a millisecond. */
const MAX_COUNTED = 5000
/** Rows that are skipped and read here at most. */
const MAX_PAGE = 200
/** Schemas, and scopes of their attributes, that a question is put together for here. */
const MAX_SCHEMAS = 20
const MAX_SCOPES = 100
/** Questions that are kept, and the record numbers in all of them. */
const MAX_QUESTIONS = 1000
const MAX_KEPT = 200_000

/** Answered, or left to the reader threads, whose total may then be noted. */
export type ShortSearch =
  { readonly result: SearchResult } | { readonly result: undefined; noteTotal(total: number | null): void }

const NOT_SHORT: ShortSearch = { result: undefined, noteTotal: () => undefined }

interface Question {
  readonly set: RecordSet
  /** All that it finds, in ascending order; undefined for more than MAX_COUNTED. */
  readonly records: Float64Array | undefined
  /** Undefined until it is noted. */
  total: number | undefined
}

export class ShortSearches {
  readonly #files: SearchFiles
  #searcher: Searcher | undefined
  #isReady = false
  /** Asked since the index and the model changed last: whoever turns pages asks the same again. */
  readonly #questions = new Map<string, Question>()
  /** Record numbers in `#questions`. */
  #kept = 0
  #sequence = -1
  #model: Model | undefined

  constructor(files: SearchFiles) {
    this.#files = files
  }

  run(query: SearchQuery): ShortSearch {
    if (!this.#isReady || !mayBeShort(query)) return NOT_SHORT
    try {
      this.#searcher ??= openSearcher(this.#files)
      return this.#runIn(this.#searcher, query, beginSnapshot(this.#searcher))
    } catch (error) {
      // The reader threads know what to do about damage.
      if (error instanceof SnapshotMissed || error instanceof TooManyScopes || isDamage(error)) return NOT_SHORT
      throw translateError(error)
    } finally {
      if (this.#searcher !== undefined) endSnapshot(this.#searcher)
    }
  }

  /** The index file is there, or is another one. */
  renew(): void {
    this.close()
    this.#isReady = true
  }

  close(): void {
    this.#isReady = false
    this.#searcher?.db.close()
    this.#searcher = undefined
    this.#forget()
  }

  #runIn({ sql }: Searcher, query: SearchQuery, snapshot: SearchSnapshot): ShortSearch {
    const schemas = searchedSchemas(query, snapshot.model)
    if (schemas.length > MAX_SCHEMAS) return NOT_SHORT
    const pending = readPending(snapshot.progress, sql, schemas)
    if (pending.isAll || pending.records.length > 0) return NOT_SHORT
    if (pending.sequence !== this.#sequence || snapshot.model !== this.#model) this.#forget()
    this.#sequence = pending.sequence
    this.#model = snapshot.model
    const question = this.#ask(query, { query, model: snapshot.model, schemas }, sql)
    if (question === undefined) return NOT_SHORT
    const { set, records, total } = question
    if (total === undefined || (records === undefined && !set.isOrdered))
      return { result: undefined, noteTotal: (all) => noteTotal(question, all) }
    const page = records === undefined ? readPage(query, set, sql) : readPageOf(query, records, sql)
    return page === undefined ? NOT_SHORT : { result: { total, batches: inOneBatch(page) } }
  }

  /** Undefined for one that no single range of the index answers. */
  #ask({ find, schemaId }: SearchQuery, search: Search, sql: StatementCache): Question | undefined {
    const text = JSON.stringify([find, schemaId])
    const known = this.#questions.get(text)
    if (known !== undefined) return known
    const set = compileSearch(search, sql, attributeLookUp(sql, MAX_SCOPES))
    if (!set.isExact || !set.isRange) return undefined
    const records = numbersUpTo(MAX_COUNTED, set, sql)
    const question = { set, records, total: records?.length }
    this.#kept += records?.length ?? 0
    if (this.#questions.size >= MAX_QUESTIONS || this.#kept > MAX_KEPT) this.#forget()
    this.#questions.set(text, question)
    return question
  }

  #forget(): void {
    this.#questions.clear()
    this.#kept = 0
  }
}

/** Several criteria are never one range. */
function mayBeShort({ find, offset, limit }: SearchQuery): boolean {
  return find.kind === 'criteria' && find.criteria.criteria.length <= 1 && limit !== null && offset + limit <= MAX_PAGE
}

/** What changed meanwhile makes the question one that is asked no more: see `#runIn`. */
function noteTotal(question: Question, total: number | null): void {
  question.total = total ?? undefined
}

async function* inOneBatch(records: StoredRecord[]): AsyncGenerator<StoredRecord[], void> {
  yield records
}
