// What tasks read besides the index, over the connection of a task.
import type { AuditReads } from '../../store/audit-port.ts'
import type { FeedReads } from '../../store/feed-port.ts'
import type { CategoryPage, Page, PlacedRecord, RecordFilter, StoredRecord } from '../../store/record-port.ts'
import { type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { Assignment, PageOfPlaces, WorkspaceReads } from '../../store/reading/workspace-reads.ts'
import { HEAD_COLUMNS, readRows } from './read-rows.ts'
import type { AskSql } from './print-set.ts'

/** Of the trail and the feed. */
export interface PastReads {
  readonly audit: Pick<AuditReads, 'readTrail'>
  readonly feed: Pick<FeedReads, 'listAfter'>
}

/** @param modelVersion of the moment */
export function taskReads(ask: AskSql, { audit, feed }: PastReads, modelVersion: () => number): WorkspaceReads {
  const numbersOf = async (sql: string, parameters: readonly unknown[]): Promise<Numbers> =>
    toNumbers((await ask<{ n: number }>({ sql, parameters })).map(({ n }) => n))
  return {
    async record(id) {
      const sql = `SELECT ${HEAD_COLUMNS}, record.vals AS "valuesJson" FROM record WHERE id = ?`
      return (await ask<StoredRecord>({ sql, parameters: [id] }))[0]
    },
    placeOf: async (id) => (await numbersOf('SELECT n FROM record WHERE id = ?', [id]))[0],
    modelVersion,
    list: (filter, page) => placesOfList(filter, page, ask),
    inCategory: (categoryId, page) => placesInCategory(categoryId, page, ask),
    belowCategory: (categoryId, page) => placesBelow(categoryId, page, ask),
    variantsOf: (id, after, limit) =>
      numbersOf('SELECT n FROM record WHERE parent_id = ? AND n > ? ORDER BY n LIMIT ?', [id, after, limit]),
    async listFrom(schemaId, place, limit) {
      const sql = 'SELECT n FROM record WHERE schema_id = ? AND n > ? ORDER BY n LIMIT ?'
      const rows = await readRows(await numbersOf(sql, [schemaId, place, limit]), false, ask)
      return rows.map(({ n, inheritedJson: _inherited, ...record }): PlacedRecord => ({ place: n, record }))
    },
    categoriesOf: (catalogId) =>
      ask({ sql: 'SELECT id, parent_id AS "parentId" FROM category WHERE catalog_id = ?', parameters: [catalogId] }),
    assignmentsAfter: ({ place, categoryId }, limit) =>
      ask<Assignment>({
        sql: `SELECT record_n AS place, category_id AS "categoryId" FROM assignment
          WHERE (record_n, category_id) > (?, ?) ORDER BY record_n, category_id LIMIT ?`,
        parameters: [place, categoryId, limit],
      }),
    assignmentsOf: (recordId) =>
      ask({
        sql: `SELECT category_id AS "categoryId", sort_order AS "sortOrder" FROM assignment
          WHERE record_n = (SELECT n FROM record WHERE id = ?)`,
        parameters: [recordId],
      }),
    feedAfter: (sequence, kinds, limit) => feed.listAfter(sequence, kinds, limit),
    trailOf: (recordId, asked) => audit.readTrail(recordId, asked),
  }
}

async function placesOfList(filter: RecordFilter, { limit, offset }: Page, ask: AskSql): Promise<PageOfPlaces> {
  const { schemaId, lifecycleStateId, parentId } = filter
  const conditions = [
    ...(schemaId === undefined ? [] : [{ sql: 'schema_id = ?', value: schemaId }]),
    ...(lifecycleStateId === undefined ? [] : [{ sql: 'state_id = ?', value: lifecycleStateId }]),
    ...(typeof parentId === 'string' ? [{ sql: 'parent_id = ?', value: parentId }] : []),
  ]
  const wanted = conditions.map(({ value }) => value)
  const all = (more: readonly string[]): string =>
    [...conditions.map(({ sql }) => sql), ...more]
      .map((one, index) => `${index === 0 ? 'WHERE' : 'AND'} ${one}`)
      .join(' ')
  const page = `SELECT n FROM record ${all(parentId === null ? ['parent_id IS NULL'] : [])} ORDER BY n LIMIT ? OFFSET ?`
  const rows = await ask<{ n: number }>({ sql: page, parameters: [...wanted, limit, offset] })
  // Kept, but for the variants of one record.
  const count =
    typeof parentId === 'string'
      ? `SELECT count(*) AS total FROM record ${all([])}`
      : `SELECT coalesce(sum(records), 0)::bigint AS total FROM record_count ${all(parentId === null ? ['NOT is_variant'] : [])}`
  const [counted] = await ask<{ total: number }>({ sql: count, parameters: wanted })
  return {
    ...pageOf(
      rows.map(({ n }) => n),
      limit,
    ),
    total: counted!.total,
  }
}

function pageOf(places: readonly number[], limit: number): Pick<PageOfPlaces, 'places' | 'next'> {
  const last = places.length === limit ? places.at(-1) : undefined
  return { places, next: last === undefined ? undefined : { record: last, values: [] } }
}

/** By sortOrder, then in the order of creation. */
async function placesInCategory(
  categoryId: string,
  { limit, offset, after }: CategoryPage,
  ask: AskSql,
): Promise<PageOfPlaces> {
  const behind = after === undefined ? '' : 'AND (sort_order, record_n) > (?::float8, ?::bigint)'
  const rows = await ask<{ place: number; sortOrder: number }>({
    sql: `SELECT record_n AS place, sort_order AS "sortOrder" FROM assignment WHERE category_id = ? ${behind}
       ORDER BY sort_order, record_n LIMIT ? OFFSET ?`,
    parameters: [categoryId, ...(after === undefined ? [] : [after.values[0], after.record]), limit, offset],
  })
  const sql = 'SELECT count(*) AS total FROM assignment WHERE category_id = ?'
  const [counted] = await ask<{ total: number }>({ sql, parameters: [categoryId] })
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    places: rows.map(({ place }) => place),
    total: counted!.total,
    next: last && { record: last.place, values: [last.sortOrder] },
  }
}

/** The category, and those below it. */
const BELOW = `WITH RECURSIVE below (id) AS (
  SELECT ?::text COLLATE "C" UNION SELECT category.id FROM category JOIN below ON category.parent_id = below.id)`
const ASSIGNED_BELOW = 'SELECT DISTINCT record_n FROM assignment WHERE category_id IN (SELECT id FROM below)'

/** Of the category and those below it: each record once, in the order of creation. */
async function placesBelow(
  categoryId: string,
  { limit, offset, after }: CategoryPage,
  ask: AskSql,
): Promise<PageOfPlaces> {
  const rows = await ask<{ place: number }>({
    sql: `${BELOW} SELECT record_n AS place FROM (${ASSIGNED_BELOW} AND record_n > ?) AS found ORDER BY 1 LIMIT ? OFFSET ?`,
    parameters: [categoryId, after?.record ?? 0, limit, offset],
  })
  const count = `${BELOW} SELECT count(*) AS total FROM (${ASSIGNED_BELOW}) AS found`
  const [counted] = await ask<{ total: number }>({ sql: count, parameters: [categoryId] })
  return {
    ...pageOf(
      rows.map(({ place }) => place),
      limit,
    ),
    total: counted!.total,
  }
}
