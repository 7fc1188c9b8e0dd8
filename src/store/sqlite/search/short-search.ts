// Searches that are answered on the main thread, because to read a short page of a small part of the index takes less time than the
// way to a reader thread and back. Whatever could take longer is left to the reader threads.
import { type Ask, isAsk, type Program, type ReadRecord } from '../../../core/search/plan/ask.ts'
import { type Numbers, toNumbers, uniteNumbers } from '../../../core/search/plan/record-numbers.ts'
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
import { listOf } from './number-lists.ts'
import { SnapshotMissed } from './pending.ts'
import { printKeys } from './print-set.ts'
import { readRows } from './read-rows.ts'
import {
  endSnapshot,
  openSearcher,
  readSnapshot,
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
/** Records that the index has not seen, and bytes of values that are judged here at most: two milliseconds. */
const MAX_UNSEEN = 100
const MAX_JUDGED = 262_144
/** Record numbers, and characters of questions, that are kept. */
const MAX_KEPT = 200_000

const SMALL = `
  SELECT record.n, ${PAGE_COLUMNS}
    FROM main.record WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n`

const BYTES = `
  SELECT total(octet_length(record."values")) + total(octet_length(parent."values")) AS bytes
    FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
   WHERE record.n IN (SELECT value FROM json_each(?))`

/** What point reads of the same thread see; `enter` gives a number that this moment of it alone has. */
interface View {
  enter(): number
}

export class ShortSearches {
  readonly #files: SearchFiles
  readonly #view: View
  #searcher: Searcher | undefined
  #moment = -1
  #isReady = false
  /** Of index and records: SQLite counts the commits of others. */
  #versions = ''
  /** As of these versions. */
  #snapshot: SearchSnapshot | undefined
  /** All that a question of a role finds, as of these versions: whoever turns pages asks the same again. */
  readonly #found = new Map<Role, Map<string, Numbers>>()
  #kept = 0

  constructor(files: SearchFiles, view: View) {
    this.#files = files
    this.#view = view
  }

  /** Undefined: it is left to the reader threads, which also know what to do about damage. */
  run(query: SearchQuery): SearchResult | undefined {
    if (!this.#isReady || !mayBeShort(query)) return undefined
    try {
      this.#searcher ??= openSearcher(this.#files)
      return this.#runIn(this.#searcher, query)
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
    this.#versions = ''
    this.#forget()
  }

  #runIn(searcher: Searcher, query: SearchQuery): SearchResult | undefined {
    const snapshot = this.#enter(searcher)
    const found = this.#membersOf(query, snapshot, searcher.sql)
    if (found === undefined) return undefined
    const page = pageOf(found, query)
    const rows = searcher.sql.all<PageRow>(SMALL, [listOf(page)])
    if (!rows.every(isSmall)) return undefined
    const { total, next } = headOf(page, found.length, query)
    return { total, next: next ?? null, batches: inOneBatch(rows.map((row) => readable(row, query.role))) }
  }

  /** For this turn of the event loop, and this moment of the view: to begin one takes as long as to read ten records. */
  #enter(searcher: Searcher): SearchSnapshot {
    const moment = this.#view.enter()
    if (moment !== this.#moment) this.#leave()
    this.#moment = moment
    if (this.#snapshot !== undefined && searcher.db.inTransaction) return this.#snapshot
    setImmediate(() => this.#leave())
    searcher.sql.run('BEGIN', [])
    // Of the index first, as in every snapshot.
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

  /** In ascending order. */
  #membersOf(query: SearchQuery, snapshot: SearchSnapshot, sql: StatementCache): Numbers | undefined {
    const question = JSON.stringify([query.find, query.schemaId])
    const known = this.#found.get(query.role)?.get(question)
    if (known !== undefined) return known
    const found = findShort(query, snapshot, sql)
    if (found === undefined) return undefined
    const size = found.length + question.length
    if (this.#kept + size > MAX_KEPT) this.#forget()
    this.#kept += size
    const ofRole = this.#found.get(query.role) ?? new Map<string, Numbers>()
    this.#found.set(query.role, ofRole.set(question, found))
    return found
  }

  #forget(): void {
    this.#found.clear()
    this.#kept = 0
  }
}

/** Only one criterion is looked up in one part of the index. */
function mayBeShort({ find, sort, view, offset, limit }: SearchQuery): boolean {
  if (find.kind !== 'criteria' || find.text !== undefined || find.criteria.criteria.length > 1) return false
  return limit !== null && offset + limit <= MAX_PAGE && (sort ?? []).length === 0 && isPlain(view ?? {})
}

function versionOf(database: 'idx' | 'main', sql: StatementCache): number {
  return sql.get<{ data_version: number }>(`PRAGMA ${database}.data_version`, [])!.data_version
}

/** Undefined where it may take long. */
function findShort(query: SearchQuery, snapshot: SearchSnapshot, sql: StatementCache): Numbers | undefined {
  if (searchedSchemas(query, snapshot.model).length > MAX_SCHEMAS) return undefined
  const ground = groundOf(query, sql, snapshot)
  if (ground.pending.isAll || ground.pending.records.length > MAX_UNSEEN) return undefined
  const found = follow(findMembers(query, ground), shortAnswers(query, sql))
  return found === undefined || found.members === 'all' ? undefined : uniteNumbers(found.members, found.others)
}

/** What the program comes to; undefined where there is no answer, or it has run for so long that it gives way. */
function follow<Result>(program: Program<object, Result>, answerTo: (ask: Ask) => unknown): Result | undefined {
  let answer: unknown
  for (;;) {
    const step = program.next(answer)
    if (step.done === true) return step.value
    answer = isAsk(step.value) ? answerTo(step.value) : undefined
    if (answer === undefined) return undefined
  }
}

/** Undefined to all that may take long, and as soon as all answers together do. */
function shortAnswers(query: SearchQuery, sql: StatementCache): (ask: Ask) => Numbers | ReadRecord[] | undefined {
  const mayJudge = isOnAttribute(query)
  let [counted, judged] = [0, 0]
  return (ask) => {
    if (ask.kind === 'read' && ask.set.kind === 'keys') {
      const { sql: text, parameters } = printKeys(ask.set)
      const numbers = sql.numbers(`${text} LIMIT ?`, [...parameters, MAX_COUNTED + 1])
      counted += numbers.length
      // Sorted here, where it costs a tenth of what it does in SQLite.
      return counted > MAX_COUNTED ? undefined : toNumbers(numbers)
    }
    if (ask.kind !== 'records' || !mayJudge) return undefined
    judged += sql.get<{ bytes: number }>(BYTES, [listOf(ask.records)])!.bytes
    return judged > MAX_JUDGED ? undefined : [...readRows(ask.records, sql)]
  }
}

/** To judge a record by a field, such as its completeness, may take long. */
function isOnAttribute({ find }: SearchQuery): boolean {
  return find.kind === 'criteria' && find.criteria.criteria.every((one) => !isGroup(one) && !isOnField(one))
}

function isSmall(row: PageRow): row is StoredRecord {
  return row.valuesJson !== null
}

async function* inOneBatch(records: FoundRecord[]): AsyncGenerator<FoundRecord[], void> {
  if (records.length > 0) yield records
}
