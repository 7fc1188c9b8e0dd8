// Answers short searches on the main thread: a short page of a small part of the index is read faster than a message
// travels to a reader thread and back. Searches that could take longer go to the reader threads.
import { type Numbers, uniteNumbers } from '../../../core/search/plan/record-numbers.ts'
import { isInOrder, type KeySet } from '../../../core/search/plan/sets.ts'
import type { Role } from '../../../core/accounts/rules/permissions.ts'
import { isGroup, isOnField } from '../../../core/search/rules/criterion.ts'
import { isPlain } from '../../../core/search/rules/item-view.ts'
import { readable } from '../../reading/found-items.ts'
import { beginFinding, findMembers, headOf, pageOf } from '../../reading/run-search.ts'
import { searchedSchemas } from '../../reading/search-snapshot.ts'
import type { FoundRecord, SearchQuery, SearchResult } from '../../search-port.ts'
import type { StoredRecord } from '../../record-port.ts'
import { isDamage, translateError } from '../connection.ts'
import { mostBytesOfEach, PAGE_COLUMNS, type PageRow } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { categoryTree } from './category-tree.ts'
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
  versionsOf,
} from './searcher.ts'
import { HAS_MANY, ShortIndex, TAKES_LONG } from './short-index.ts'
import { listOf, pageOfLeaf } from './sqlite-index.ts'

/** Most records skipped and read here. */
const MAX_PAGE = 200
/** Most schemas of a search here. */
const MAX_SCHEMAS = 20
/** Most records outside of the index. */
const MAX_UNSEEN = 100
/** The most categories of a criterion, including the categories below. */
const MAX_CATEGORIES = 1000
/** Limit for cached record numbers plus characters of cached questions. */
const MAX_KEPT = 200_000

const SMALL = `
  SELECT record.n, ${PAGE_COLUMNS}
    FROM main.record WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n`

/**
 * Found records. `rows`: a large set in the order of its records, with a total if the search counts. So a page needs no
 * other rows. `many`: the search has too many rows to be answered here.
 */
type Found =
  | { readonly kind: 'numbers'; readonly numbers: Numbers }
  | { readonly kind: 'rows'; readonly set: KeySet; readonly total: number }
  | { readonly kind: 'many' }

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
  /** See `versionsOf`. */
  #versions = ''
  /** The snapshot at these versions. */
  #snapshot: SearchSnapshot | undefined
  /** Results of searches by role, valid for `#versions`: clients that turn pages repeat the same search. */
  readonly #found = new Map<Role, Map<string, Found>>()
  #kept = 0

  constructor(files: SearchFiles, view: View) {
    this.#files = files
    this.#view = view
  }

  /** Runs a short search; undefined: the reader threads must run the search, and also handle damage. */
  async run(query: SearchQuery): Promise<SearchResult | undefined> {
    if (!this.#isReady || !mayBeShort(query)) return undefined
    try {
      this.#searcher ??= openSearcher(this.#files)
      return await this.#runIn(this.#searcher, query)
    } catch (error) {
      if (error === TAKES_LONG || error === HAS_MANY) return undefined
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
    const question = JSON.stringify([query.find, query.schemaId, query.isCounted])
    const known = this.#found.get(query.role)?.get(question)
    const found = known ?? (await this.#find(query, snapshot, searcher))
    if (known === undefined) this.#keep(query.role, question, found)
    if (found.kind === 'many') return undefined
    const page = pageIn(found, query, searcher.sql)
    const rows = searcher.sql.all<PageRow>(SMALL, [mostBytesOfEach(page.length), listOf(page)])
    if (!rows.every(isSmall)) return undefined
    const { total, next } = headOf(page, found.kind === 'rows' ? found.total : found.numbers.length, query)
    return { total, next: next ?? null, batches: inOneBatch(rows.map((row) => readable(row, query.role))) }
  }

  /**
   * Enters a snapshot, or reuses it within one turn of the event loop and one moment of the view. A new snapshot takes
   * as long as reading ten records.
   */
  #enter(searcher: Searcher): SearchSnapshot {
    const moment = this.#view.enter()
    if (moment !== this.#moment) this.#leave()
    this.#moment = moment
    if (this.#snapshot !== undefined && searcher.db.inTransaction) return this.#snapshot
    setImmediate(() => this.#leave())
    searcher.sql.run('BEGIN', [])
    // The version of the index comes first, as in every snapshot.
    const versions = versionsOf(searcher)
    if (this.#snapshot !== undefined && versions === this.#versions) return this.#snapshot
    this.#forget()
    this.#snapshot = readSnapshot(searcher)
    this.#versions = versions
    return this.#snapshot
  }

  #leave(): void {
    if (this.#searcher?.db.open === true) endSnapshot(this.#searcher)
  }

  /** @throws TAKES_LONG */
  async #find(query: SearchQuery, snapshot: SearchSnapshot, { db, sql }: Searcher): Promise<Found> {
    const moment = this.#moment
    // Other requests of the same turn may run between two awaited reads.
    const isHere = (): boolean => this.#moment === moment && this.#snapshot === snapshot && db.inTransaction
    try {
      return await findShort(query, snapshot, sql, new ShortIndex(sql, { isHere, mayJudge: isOnAttribute(query) }))
    } catch (error) {
      if (error === HAS_MANY) return { kind: 'many' }
      throw error
    }
  }

  #keep(role: Role, question: string, found: Found): void {
    const size = (found.kind === 'numbers' ? found.numbers.length : 0) + question.length
    if (this.#kept + size > MAX_KEPT) this.#forget()
    this.#kept += size
    const ofRole = this.#found.get(role) ?? new Map<string, Found>()
    this.#found.set(role, ofRole.set(question, found))
  }

  #forget(): void {
    this.#found.clear()
    this.#kept = 0
  }
}

/** Allows only one criterion, for which one part of the index is read. */
function mayBeShort({ find, sort, view, offset, limit }: SearchQuery): boolean {
  if (find.kind !== 'criteria' || find.text !== undefined || find.criteria.criteria.length > 1) return false
  return limit !== null && offset + limit <= MAX_PAGE && (sort ?? []).length === 0 && isPlain(view ?? {})
}

/** @throws TAKES_LONG, HAS_MANY */
async function findShort(
  query: SearchQuery,
  snapshot: SearchSnapshot,
  sql: StatementCache,
  index: ShortIndex,
): Promise<Found> {
  const schemas = searchedSchemas(query, snapshot.model)
  if (schemas.length > MAX_SCHEMAS) throw TAKES_LONG
  const categories = categoryTree(sql, { most: MAX_CATEGORIES, tooMany: HAS_MANY })
  const ground = { ...groundOf(query, sql, snapshot), index, categories }
  if (ground.pending.isAll || ground.pending.records.length > MAX_UNSEEN) throw TAKES_LONG
  const begun = await beginFinding({ query, ground, schemas })
  if (begun.unseen.length === 0 && begun.set.isExact && isInOrder(begun.set)) {
    const few = index.readFew(begun.set, MAX_PAGE)
    if (few !== undefined) return { kind: 'numbers', numbers: few }
    return { kind: 'rows', set: begun.set, total: query.isCounted === false ? 0 : await index.size(begun.set) }
  }
  const { members, others } = await findMembers(query, ground, begun)
  if (members === 'all') throw TAKES_LONG
  index.assertHere()
  return { kind: 'numbers', numbers: uniteNumbers(members, others) }
}

function pageIn(found: Exclude<Found, { kind: 'many' }>, query: SearchQuery, sql: StatementCache): Numbers {
  if (found.kind === 'numbers') return pageOf(found.numbers, query)
  const { after, offset, limit } = query
  const page = { after: after?.record, offset, limit: limit!, isCounted: false }
  return pageOfLeaf(printKeys(found.set), page, sql).records
}

/** True if the search names attributes only: judging a record by a field, such as its completeness, may take long. */
function isOnAttribute({ find }: SearchQuery): boolean {
  return find.kind === 'criteria' && find.criteria.criteria.every((one) => !isGroup(one) && !isOnField(one))
}

function isSmall(row: PageRow): row is StoredRecord {
  return typeof row.valuesJson === 'string'
}

async function* inOneBatch(records: FoundRecord[]): AsyncGenerator<FoundRecord[], void> {
  if (records.length > 0) yield records
}
