// Searches that are answered on the main thread, because to read a short page of a small part of the index takes less time than the
// way to a reader thread and back. Whatever could take longer is left to the reader threads.
import type { Model } from '../../../core/model/rules/model.ts'
import { isPlain } from '../../../core/search/rules/item-view.ts'
import type { SearchStep } from '../../reading/read-found.ts'
import { searchedSchemas } from '../../reading/search-snapshot.ts'
import { runSearch } from '../../reading/run-search.ts'
import { type Ask, isAsk, type LeafPage, type Program, type ReadRecord } from '../../../core/search/plan/ask.ts'
import type { LookUpAttribute } from '../../../core/search/plan/asked.ts'
import { type Numbers, toNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { KeySet } from '../../../core/search/plan/sets.ts'
import type { FoundRecord, SearchQuery, SearchResult } from '../../search-port.ts'
import { isDamage, translateError } from '../connection.ts'
import { PAGE_COLUMNS } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { groundOf } from './index-state.ts'
import { listOf } from './number-lists.ts'
import { SnapshotMissed } from './pending.ts'
import { printKeys } from './print-set.ts'
import {
  beginSnapshot,
  endSnapshot,
  openSearcher,
  type Searcher,
  type SearchFiles,
  type SearchSnapshot,
} from './searcher.ts'

/** Rows of the index that are read and sorted here at most: half a millisecond. */
const MAX_COUNTED = 5000
/** Records that are skipped and read here at most. */
const MAX_PAGE = 200
/** Schemas that a question is put together for here. */
const MAX_SCHEMAS = 20
/** Sets that are kept, and the record numbers in all of them. */
const MAX_SETS = 1000
const MAX_KEPT = 200_000

/** Neither is asked for by a search that is short. */
const SMALL = `
  SELECT record.n, ${PAGE_COLUMNS}, NULL AS inheritedJson
    FROM main.record WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n`

/** What point reads of the same thread see; `enter` gives a number that this moment of it alone has. */
interface View {
  enter(): number
}

export class ShortSearches {
  readonly #files: SearchFiles
  readonly #view: View
  #searcher: Searcher | undefined
  /** Of this turn of the event loop, and of this moment of the view: to begin one takes as long as to read ten records. */
  #snapshot: SearchSnapshot | undefined
  #moment = -1
  #isReady = false
  /** All records of each set, since the index and the model changed last: whoever turns pages asks for the same again. */
  readonly #sets = new Map<string, Numbers>()
  /** Record numbers in `#sets`. */
  #kept = 0
  /** By the ID of the schema that is searched; as long as the sets. */
  readonly #lookUps = new Map<string | undefined, LookUpAttribute>()
  #sequence = -1
  #model: Model | undefined

  constructor(files: SearchFiles, view: View) {
    this.#files = files
    this.#view = view
  }

  /** Undefined: it is left to the reader threads, which also know what to do about damage. */
  run(query: SearchQuery): SearchResult | undefined {
    if (!this.#isReady || !mayBeShort(query)) return undefined
    try {
      this.#searcher ??= openSearcher(this.#files)
      const step = this.#runIn(this.#searcher, query)
      return step && { total: step.total ?? null, next: step.next ?? null, batches: inOneBatch(step.records) }
    } catch (error) {
      this.#leave()
      if (error instanceof SnapshotMissed || isDamage(error)) return undefined
      throw translateError(error)
    }
  }

  /** The index file is there, or is another one. */
  renew(): void {
    this.close()
    this.#isReady = true
  }

  close(): void {
    this.#isReady = false
    this.#leave()
    this.#searcher?.db.close()
    this.#searcher = undefined
    this.#forget()
  }

  #runIn(searcher: Searcher, query: SearchQuery): SearchStep | undefined {
    const snapshot = this.#enter(searcher)
    const { model, progress } = snapshot
    if (searchedSchemas(query, model).length > MAX_SCHEMAS) return undefined
    const ground = groundOf(query, searcher.sql, snapshot)
    if (ground.pending.isAll || ground.pending.records.length > 0) return undefined
    if (progress.sequence !== this.#sequence || model !== this.#model) this.#forget()
    this.#sequence = progress.sequence
    this.#model = model
    const lookUp = this.#lookUps.get(query.schemaId) ?? ground.lookUp
    this.#lookUps.set(query.schemaId, lookUp)
    return this.#follow(runSearch(query, { ...ground, lookUp }), searcher.sql)
  }

  #enter(searcher: Searcher): SearchSnapshot {
    const moment = this.#view.enter()
    if (moment !== this.#moment) this.#leave()
    this.#moment = moment
    if (this.#snapshot !== undefined) return this.#snapshot
    setImmediate(() => this.#leave())
    return (this.#snapshot = beginSnapshot(searcher))
  }

  #leave(): void {
    this.#snapshot = undefined
    if (this.#searcher?.db.open === true) endSnapshot(this.#searcher)
  }

  /** The first step of the program, where it is the only one, and nothing was asked for that may take long. */
  #follow(program: Program<SearchStep>, sql: StatementCache): SearchStep | undefined {
    let answer: unknown
    for (;;) {
      const { value } = program.next(answer)
      if (value === undefined) return undefined
      if (!isAsk(value)) return value.isLast === true ? value : undefined
      answer = this.#answer(value, sql)
      if (answer === undefined) return undefined
    }
  }

  #answer(ask: Ask, sql: StatementCache): LeafPage | readonly ReadRecord[] | undefined {
    if (ask.kind === 'page' && ask.set.kind === 'keys') return this.#page(ask, ask.set, sql)
    return ask.kind === 'records' ? smallRecords(ask.records, sql) : undefined
  }

  #page(
    { after = 0, offset, limit, isCounted }: Extract<Ask, { readonly kind: 'page' }>,
    set: KeySet,
    sql: StatementCache,
  ): LeafPage | undefined {
    const all = this.#membersOf(set, sql)
    if (all === undefined) return undefined
    const left = after === 0 ? all : all.filter((record) => record > after)
    return { total: isCounted ? all.length : null, records: left.subarray(offset, offset + limit) }
  }

  /** In ascending order; undefined for more than MAX_COUNTED. */
  #membersOf(set: KeySet, sql: StatementCache): Numbers | undefined {
    const name = JSON.stringify(set)
    const known = this.#sets.get(name)
    if (known !== undefined) return known
    const { sql: text, parameters } = printKeys(set)
    const numbers = sql.numbers(`${text} LIMIT ?`, [...parameters, MAX_COUNTED + 1])
    if (numbers.length > MAX_COUNTED) return undefined
    // Sorted here, where it costs a tenth of what it does in SQLite.
    const members = toNumbers(numbers)
    this.#kept += members.length
    if (this.#sets.size >= MAX_SETS || this.#kept > MAX_KEPT) this.#forget()
    this.#sets.set(name, members)
    return members
  }

  #forget(): void {
    this.#sets.clear()
    this.#lookUps.clear()
    this.#kept = 0
  }
}

/** Only one criterion is looked up in one part of the index. */
function mayBeShort({ find, sort, view, offset, limit }: SearchQuery): boolean {
  if (find.kind !== 'criteria' || find.text !== undefined || find.criteria.criteria.length > 1) return false
  return limit !== null && offset + limit <= MAX_PAGE && (sort ?? []).length === 0 && isPlain(view ?? {})
}

/** Undefined where one of them is large. */
function smallRecords(records: Numbers, sql: StatementCache): ReadRecord[] | undefined {
  const rows = sql.all<ReadRecord & { readonly valuesJson: string | null }>(SMALL, [listOf(records)])
  return rows.some((row) => row.valuesJson === null) ? undefined : rows
}

async function* inOneBatch(records: FoundRecord[]): AsyncGenerator<FoundRecord[], void> {
  if (records.length > 0) yield records
}
