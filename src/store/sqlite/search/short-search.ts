// Answers short searches on the main thread: reading a short page of a small part of the index is faster than a message
// to a reader thread and back. Searches that could take longer go to the reader threads.
import { type Numbers, toNumbers, uniteNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { ReadRecord } from '../../../core/search/plan/search-index.ts'
import type { Leaf } from '../../../core/search/plan/sets.ts'
import type { Role } from '../../../core/accounts/rules/permissions.ts'
import { isGroup, isOnField } from '../../../core/search/rules/criterion.ts'
import { isPlain } from '../../../core/search/rules/item-view.ts'
import { readable } from '../../reading/found-items.ts'
import { findMembers, headOf, pageOf } from '../../reading/run-search.ts'
import { searchedSchemas } from '../../reading/search-snapshot.ts'
import type { FoundRecord, SearchQuery, SearchResult } from '../../search-port.ts'
import type { StoredRecord } from '../../record-port.ts'
import { isDamage, translateError } from '../connection.ts'
import { PAGE_COLUMNS, type PageRow } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { groundOf } from './index-state.ts'
import { SnapshotMissed } from './pending.ts'
import { printKeys } from './print-set.ts'
import {
  endSnapshot,
  openSearcher,
  readSnapshot,
  type Searcher,
  type SearchFiles,
  type SearchSnapshot,
} from './searcher.ts'
import { listOf, readRows, SqliteIndex } from './sqlite-index.ts'

/** Most index rows read and sorted here; this takes half a millisecond. */
const MAX_COUNTED = 5000
/** Most records skipped and read here. */
const MAX_PAGE = 200
/** Most schemas of a search here. */
const MAX_SCHEMAS = 20
/** Most records outside of the index, and bytes of values, judged here; this takes two milliseconds. */
const MAX_UNSEEN = 100
const MAX_JUDGED = 262_144
/** Most milliseconds for judging the records of one search here. */
const MOST_MILLISECONDS = 10
/** Limit for cached record numbers plus characters of cached questions. */
const MAX_KEPT = 200_000

const SMALL = `
  SELECT record.n, ${PAGE_COLUMNS}
    FROM main.record WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n`

const BYTES = `
  SELECT total(octet_length(record."values")) + total(octet_length(parent."values")) AS bytes
    FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
   WHERE record.n IN (SELECT value FROM json_each(?))`

/** The view of point reads of the same thread. `enter` returns a number unique to the present moment of the view. */
interface View {
  enter(): number
}

export class ShortSearches {
  readonly #files: SearchFiles
  readonly #view: View
  #searcher: Searcher | undefined
  #moment = -1
  #isReady = false
  /** Versions of index and records: SQLite counts the commits of other connections. */
  #versions = ''
  /** The snapshot at these versions. */
  #snapshot: SearchSnapshot | undefined
  /** Results of searches by role, at these versions: clients that turn pages repeat the same search. */
  readonly #found = new Map<Role, Map<string, Numbers>>()
  #kept = 0

  constructor(files: SearchFiles, view: View) {
    this.#files = files
    this.#view = view
  }

  /** Undefined: the search is left to the reader threads, which also handle damage. */
  async run(query: SearchQuery): Promise<SearchResult | undefined> {
    if (!this.#isReady || !mayBeShort(query)) return undefined
    try {
      this.#searcher ??= openSearcher(this.#files)
      return await this.#runIn(this.#searcher, query)
    } catch (error) {
      if (error === TAKES_LONG) return undefined
      this.#leave()
      if (error instanceof SnapshotMissed || isDamage(error)) return undefined
      throw translateError(error)
    }
  }

  /** Called when the index file is ready, or was replaced. */
  renew(): void {
    this.close()
    this.#isReady = true
  }

  close(): void {
    this.#isReady = false
    this.#leave()
    this.#searcher?.db.close()
    this.#searcher = undefined
    this.#versions = ''
    this.#forget()
  }

  async #runIn(searcher: Searcher, query: SearchQuery): Promise<SearchResult | undefined> {
    const snapshot = this.#enter(searcher)
    const question = JSON.stringify([query.find, query.schemaId])
    const known = this.#found.get(query.role)?.get(question)
    const found = known ?? (await this.#find(query, snapshot, searcher))
    if (known === undefined) this.#keep(query.role, question, found)
    const page = pageOf(found, query)
    const rows = searcher.sql.all<PageRow>(SMALL, [listOf(page)])
    if (!rows.every(isSmall)) return undefined
    const { total, next } = headOf(page, found.length, query)
    return { total, next: next ?? null, batches: inOneBatch(rows.map((row) => readable(row, query.role))) }
  }

  /**
   * Reuses the snapshot within a turn of the event loop and a moment of the view. Beginning one takes as long as
   * reading ten records.
   */
  #enter(searcher: Searcher): SearchSnapshot {
    const moment = this.#view.enter()
    if (moment !== this.#moment) this.#leave()
    this.#moment = moment
    if (this.#snapshot !== undefined && searcher.db.inTransaction) return this.#snapshot
    setImmediate(() => this.#leave())
    searcher.sql.run('BEGIN', [])
    // The version of the index comes first, as in every snapshot.
    const versions = `${versionOf('idx', searcher.sql)} ${versionOf('main', searcher.sql)}`
    if (this.#snapshot !== undefined && versions === this.#versions) return this.#snapshot
    this.#forget()
    this.#snapshot = readSnapshot(searcher)
    this.#versions = versions
    return this.#snapshot
  }

  #leave(): void {
    if (this.#searcher?.db.open === true) endSnapshot(this.#searcher)
  }

  /** Returns record numbers in ascending order. @throws TAKES_LONG */
  #find(query: SearchQuery, snapshot: SearchSnapshot, { db, sql }: Searcher): Promise<Numbers> {
    const moment = this.#moment
    // Other requests of the same turn may run between two awaited reads.
    const isHere = (): boolean => this.#moment === moment && this.#snapshot === snapshot && db.inTransaction
    return findShort(query, snapshot, sql, new ShortIndex(query, sql, isHere))
  }

  #keep(role: Role, question: string, found: Numbers): void {
    const size = found.length + question.length
    if (this.#kept + size > MAX_KEPT) this.#forget()
    this.#kept += size
    const ofRole = this.#found.get(role) ?? new Map<string, Numbers>()
    this.#found.set(role, ofRole.set(question, found))
  }

  #forget(): void {
    this.#found.clear()
    this.#kept = 0
  }
}

/** Allows only one criterion, which is looked up in one part of the index. */
function mayBeShort({ find, sort, view, offset, limit }: SearchQuery): boolean {
  if (find.kind !== 'criteria' || find.text !== undefined || find.criteria.criteria.length > 1) return false
  return limit !== null && offset + limit <= MAX_PAGE && (sort ?? []).length === 0 && isPlain(view ?? {})
}

function versionOf(database: 'idx' | 'main', sql: StatementCache): number {
  return sql.get<{ data_version: number }>(`PRAGMA ${database}.data_version`, [])!.data_version
}

/** Ends a search that is left to the reader threads because it may take long, or because its snapshot has ended. */
const TAKES_LONG = new Error('The search may take long')

/** @throws TAKES_LONG */
async function findShort(
  query: SearchQuery,
  snapshot: SearchSnapshot,
  sql: StatementCache,
  index: ShortIndex,
): Promise<Numbers> {
  if (searchedSchemas(query, snapshot.model).length > MAX_SCHEMAS) throw TAKES_LONG
  const ground = groundOf(query, sql, snapshot)
  if (ground.pending.isAll || ground.pending.records.length > MAX_UNSEEN) throw TAKES_LONG
  const { members, others } = await findMembers(query, { ...ground, index })
  if (members === 'all') throw TAKES_LONG
  index.assertHere()
  return uniteNumbers(members, others)
}

/**
 * Answers synchronously. Ends the search at any query that may take long, or when all queries together take too long.
 */
class ShortIndex extends SqliteIndex {
  readonly #sql: StatementCache
  readonly #mayJudge: boolean
  readonly #isHere: () => boolean
  #counted = 0
  #judged = 0

  /** @param isHere whether the search's first snapshot still exists */
  constructor(query: SearchQuery, sql: StatementCache, isHere: () => boolean) {
    const end = performance.now() + MOST_MILLISECONDS
    const breathe = (): undefined => {
      if (performance.now() > end) throw TAKES_LONG
    }
    super(sql, { breathe })
    this.#sql = sql
    this.#mayJudge = isOnAttribute(query)
    this.#isHere = isHere
  }

  assertHere(): void {
    if (!this.#isHere()) throw TAKES_LONG
  }

  protected override async answer(): Promise<never> {
    throw TAKES_LONG
  }

  override async read(set: Leaf): Promise<Numbers> {
    if (set.kind !== 'keys') throw TAKES_LONG
    this.assertHere()
    const { sql, parameters } = printKeys(set)
    const numbers = this.#sql.numbers(`${sql} LIMIT ?`, [...parameters, MAX_COUNTED + 1])
    this.#counted += numbers.length
    if (this.#counted > MAX_COUNTED) throw TAKES_LONG
    return toNumbers(numbers)
  }

  override async *records(records: Numbers): AsyncGenerator<Iterable<ReadRecord>, void> {
    if (!this.#mayJudge) throw TAKES_LONG
    this.assertHere()
    this.#judged += this.#sql.get<{ bytes: number }>(BYTES, [listOf(records)])!.bytes
    if (this.#judged > MAX_JUDGED) throw TAKES_LONG
    yield readRows(records, this.#sql)
  }
}

/** Judging a record by a field, such as its completeness, may take long. */
function isOnAttribute({ find }: SearchQuery): boolean {
  return find.kind === 'criteria' && find.criteria.criteria.every((one) => !isGroup(one) && !isOnField(one))
}

function isSmall(row: PageRow): row is StoredRecord {
  return row.valuesJson !== null
}

async function* inOneBatch(records: FoundRecord[]): AsyncGenerator<FoundRecord[], void> {
  if (records.length > 0) yield records
}
