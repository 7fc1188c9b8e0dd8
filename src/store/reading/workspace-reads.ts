// Reads of the tasks of reader threads outside of the index, on the snapshot of the task.
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import { type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { AuditReads } from '../audit-port.ts'
import type { FeedReads } from '../feed-port.ts'
import type { CategoryPage, Page, RecordFilter, RecordReads } from '../record-port.ts'
import type { SqlSession } from '../rows/session.ts'

export interface PageOfPlaces {
  readonly places: readonly number[]
  /** Number of records on all pages. */
  readonly total: number
  /** The end of a full page. */
  readonly next: SearchPosition | undefined
}

export interface Assignment {
  readonly place: number
  readonly categoryId: string
}

/** The repositories of an engine, over the connection of the task. */
interface Repositories {
  readonly session: Pick<SqlSession, 'rows'>
  readonly records: Pick<RecordReads, 'existing' | 'get' | 'listFrom'> & {
    listPlaces(filter: RecordFilter, page: Page): Promise<Omit<PageOfPlaces, 'next'>>
  }
  readonly audit: Pick<AuditReads, 'readTrail'>
  readonly feed: Pick<FeedReads, 'listAfter'>
  readonly modelVersion: () => number
}

/** Selects the category and its descendants. */
const BELOW = `WITH RECURSIVE below (id) AS (
  SELECT id FROM category WHERE id = $1
  UNION SELECT category.id FROM category JOIN below ON category.parent_id = below.id)`
const ASSIGNED_BELOW = 'SELECT DISTINCT record_n FROM assignment WHERE category_id IN (SELECT id FROM below)'

export class WorkspaceReads {
  readonly records: Repositories['records']
  readonly audit: Repositories['audit']
  readonly feed: Repositories['feed']
  readonly modelVersion: () => number
  readonly #session: Repositories['session']

  constructor({ session, records, audit, feed, modelVersion }: Repositories) {
    this.#session = session
    this.records = records
    this.audit = audit
    this.feed = feed
    this.modelVersion = modelVersion
  }

  /** Returns the record's place in the order of creation. */
  async placeOf(id: string): Promise<number | undefined> {
    return (await this.#numbers('SELECT n FROM record WHERE id = $1', [id]))[0]
  }

  /** Returns the next variants of a record in the order of creation. */
  async variantsOf(id: string, after: number, limit: number): Promise<Numbers> {
    const sql = 'SELECT n FROM record WHERE parent_id = $1 AND n > $2 ORDER BY n LIMIT $3'
    return toNumbers(await this.#numbers(sql, [id, after, limit]))
  }

  /** Returns a page of records in the order of creation. */
  async list(filter: RecordFilter, page: Page): Promise<PageOfPlaces> {
    const { places, total } = await this.records.listPlaces(filter, page)
    return { places, total, next: endOf(places, page.limit) }
  }

  /** Returns a page of places by `sortOrder`, then in the order of creation. */
  async inCategory(categoryId: string, { limit, offset, after }: CategoryPage): Promise<PageOfPlaces> {
    const behind = after === undefined ? '' : 'AND (sort_order, record_n) > ($4, $5)'
    const rows = await this.#session.rows<{ place: number; sortOrder: number }>(
      `SELECT record_n AS place, sort_order AS "sortOrder" FROM assignment WHERE category_id = $1 ${behind}
        ORDER BY sort_order, record_n LIMIT $2 OFFSET $3`,
      [categoryId, limit, offset, ...(after === undefined ? [] : [after.values[0], after.record])],
    )
    const [total] = await this.#numbers('SELECT count(*) AS n FROM assignment WHERE category_id = $1', [categoryId])
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      places: rows.map(({ place }) => place),
      total: total!,
      next: last && { record: last.place, values: [last.sortOrder] },
    }
  }

  /** Returns distinct records of the category and its descendants, in the order of creation. */
  async belowCategory(categoryId: string, { limit, offset, after }: CategoryPage): Promise<PageOfPlaces> {
    const places = await this.#numbers(
      `${BELOW} SELECT record_n AS n FROM (${ASSIGNED_BELOW} AND record_n > $2) AS found ORDER BY n LIMIT $3 OFFSET $4`,
      [categoryId, after?.record ?? 0, limit, offset],
    )
    const count = `${BELOW} SELECT count(*) AS n FROM (${ASSIGNED_BELOW}) AS found`
    const [total] = await this.#numbers(count, [categoryId])
    return { places, total: total!, next: endOf(places, limit) }
  }

  /** Returns the categories of a catalog. */
  categoriesOf(catalogId: string): Promise<{ readonly id: string; readonly parentId: string | null }[]> {
    const sql = 'SELECT id, parent_id AS "parentId" FROM category WHERE catalog_id = $1'
    return this.#session.rows(sql, [catalogId])
  }

  /** Returns the next assignments in the order of records and category IDs. */
  assignmentsAfter({ place, categoryId }: Assignment, limit: number): Promise<Assignment[]> {
    const sql = `SELECT record_n AS place, category_id AS "categoryId" FROM assignment
      WHERE (record_n, category_id) > ($1, $2) ORDER BY record_n, category_id LIMIT $3`
    return this.#session.rows(sql, [place, categoryId, limit])
  }

  /** Returns the assignments of the record itself. */
  assignmentsOf(recordId: string): Promise<{ readonly categoryId: string; readonly sortOrder: number }[]> {
    const sql = `SELECT category_id AS "categoryId", sort_order AS "sortOrder" FROM assignment
      WHERE record_n = (SELECT n FROM record WHERE id = $1)`
    return this.#session.rows(sql, [recordId])
  }

  async #numbers(sql: string, parameters: readonly unknown[]): Promise<number[]> {
    return (await this.#session.rows<{ n: number }>(sql, parameters)).map(({ n }) => n)
  }
}

/** Returns the end of a full page in the order of creation. */
function endOf(places: readonly number[], limit: number): SearchPosition | undefined {
  const last = places.length === limit ? places.at(-1) : undefined
  return last === undefined ? undefined : { record: last, values: [] }
}
