// Pages of records, in the order of creation or of a category, and counts of records.
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import {
  type CategoryPage,
  MAX_AT_ONCE,
  type Page,
  type PlacedRecord,
  type RecordFilter,
  type RecordList,
  type WalkedPage,
} from '../../store/record-port.ts'
import type { Asked } from '../../store/rows/session.ts'
import { completePage, pageColumns, type PageRow } from './record-rows.ts'

/** A page ends with the record that reaches this many characters of values, because readers also parse them. */
const MAX_CHARACTERS = 262_144

class Conditions {
  readonly values: unknown[]
  readonly #parts: string[] = []

  constructor(...values: unknown[]) {
    this.values = values
  }

  /** Adds a condition, in which `$` represents the value. */
  add(condition: string, value?: unknown): void {
    if (value !== undefined) this.values.push(value)
    this.#parts.push(condition.replace('$', `$${this.values.length}`))
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `WHERE ${this.#parts.join(' AND ')}`
  }
}

function conditionsOf({ schemaId, lifecycleStateId, parentId }: RecordFilter, ...values: unknown[]): Conditions {
  const conditions = new Conditions(...values)
  if (schemaId !== undefined) conditions.add('schema_id = $', schemaId)
  if (lifecycleStateId !== undefined) conditions.add('state_id = $', lifecycleStateId)
  if (parentId === null) conditions.add('parent_id IS NULL')
  if (typeof parentId === 'string') conditions.add('parent_id = $', parentId)
  return conditions
}

export async function countRecords(from: Asked, filter: RecordFilter): Promise<number> {
  const { schemaId, lifecycleStateId, parentId } = filter
  if (typeof parentId === 'string') {
    const { where, values } = conditionsOf(filter)
    return numberOf(from, `SELECT count(*) AS number FROM record ${where}`, values)
  }
  const conditions = conditionsOf({ schemaId, lifecycleStateId })
  if (parentId === null) conditions.add('NOT is_variant')
  const sql = `SELECT coalesce(sum(records), 0)::bigint AS number FROM record_count ${conditions.where}`
  return numberOf(from, sql, conditions.values)
}

async function numberOf(from: Asked, sql: string, values: readonly unknown[]): Promise<number> {
  const [row] = await from.rows<{ number: number }>(sql, values)
  return row!.number
}

/** Merges the rows of the pairs of schema and state, each of which is in order. Only the rows of the page are read. */
export async function pageOfRecords(
  from: Asked,
  filter: RecordFilter,
  { limit, offset }: Page,
): Promise<RecordList | undefined> {
  const { schemaId, lifecycleStateId, parentId } = filter
  const isByPair = typeof parentId !== 'string' && (schemaId !== undefined || lifecycleStateId !== undefined)
  const [sql, values] = isByPair ? pageOfPairs(filter) : pageOfAll(filter)
  const [total, rows] = await Promise.all([
    countRecords(from, filter),
    from.rows<PageRow>(sql, [limit, offset, ...values]),
  ])
  if (isTooLarge(rows)) return undefined
  const placed = await completePage(rows, from)
  const items = placed.map(({ record }) => record)
  return rows.length < limit ? { items, total } : { items, total, next: { record: rows.at(-1)!.n, values: [] } }
}

/** The columns of a page. Its values take at most `MAX_AT_ONCE` bytes together. */
const pageColumnsOf = (limit: string): string => pageColumns(`${MAX_AT_ONCE} / ${limit}::bigint`)

function isTooLarge(rows: readonly PageRow[]): boolean {
  return rows.reduce((sum, { size }) => sum + size, 0) > MAX_AT_ONCE
}

/** Returns the places of the records of a page. */
export async function placesOfRecords(
  from: Asked,
  filter: RecordFilter,
  { limit, offset }: Page,
): Promise<{ places: number[]; total: number }> {
  const { where, values } = conditionsOf(filter, limit, offset)
  const rows = await from.rows<{ n: number }>(`SELECT n FROM record ${where} ORDER BY n LIMIT $1 OFFSET $2`, values)
  return { places: rows.map(({ n }) => n), total: await countRecords(from, filter) }
}

function pageOfAll(filter: RecordFilter): [string, unknown[]] {
  const { where, values } = conditionsOf(filter, null, null)
  return [`SELECT ${pageColumnsOf('$1')} FROM record ${where} ORDER BY n LIMIT $1 OFFSET $2`, values.slice(2)]
}

function pageOfPairs({ schemaId, lifecycleStateId, parentId }: RecordFilter): [string, unknown[]] {
  const pairs = conditionsOf({ schemaId, lifecycleStateId }, null, null)
  pairs.add('records > 0')
  const ofParent = parentId === null ? 'AND parent_id IS NULL' : ''
  return [
    `WITH pair AS (SELECT DISTINCT schema_id, state_id FROM record_count ${pairs.where}),
       place AS (SELECT found.n FROM pair CROSS JOIN LATERAL
         (SELECT n FROM record WHERE schema_id = pair.schema_id AND state_id = pair.state_id ${ofParent}
           ORDER BY n LIMIT $1::bigint + $2::bigint) AS found ORDER BY found.n LIMIT $1 OFFSET $2)
     SELECT ${pageColumnsOf('$1')} FROM place JOIN record ON record.n = place.n ORDER BY record.n`,
    pairs.values.slice(2),
  ]
}

/** Returns the first records that are together small enough, but at least one. */
export async function listFrom(from: Asked, { schemaId, place, limit }: WalkedPage): Promise<PlacedRecord[]> {
  const rows = await from.rows<PageRow>(
    `WITH found AS (SELECT place.n FROM (SELECT DISTINCT state_id FROM record_count WHERE schema_id = $1 AND records > 0) AS state
         CROSS JOIN LATERAL (SELECT n FROM record WHERE schema_id = $1 AND state_id = state.state_id AND n > $2
           ORDER BY n LIMIT $3) AS place ORDER BY place.n LIMIT $3),
       sized AS (SELECT found.n, sum(octet_length(vals)) OVER (ORDER BY found.n) AS taken, row_number() OVER (ORDER BY found.n) AS place
         FROM found JOIN record ON record.n = found.n)
     SELECT ${pageColumns()} FROM sized JOIN record ON record.n = sized.n
      WHERE sized.taken <= ${MAX_CHARACTERS} OR sized.place = 1 ORDER BY record.n`,
    [schemaId, place, limit],
  )
  return (await completePage(rows, from)).map(({ n, record }) => ({ place: n, record }))
}

/** Returns a page of records by `sortOrder` within the category, then in the order of creation. */
export async function pageInCategory(
  from: Asked,
  categoryId: string,
  page: CategoryPage,
): Promise<RecordList | undefined> {
  const { limit, offset, after } = page
  const behind = after === undefined ? '' : 'AND (sort_order, record_n) > ($4, $5)'
  const values = after === undefined ? [] : [after.values[0], after.record]
  const [total, rows] = await Promise.all([
    numberOf(from, 'SELECT count(*) AS number FROM assignment WHERE category_id = $1', [categoryId]),
    from.rows<PageRow & { sortOrder: number }>(
      `WITH place AS (SELECT record_n, sort_order FROM assignment WHERE category_id = $1 ${behind}
         ORDER BY sort_order, record_n LIMIT $2 OFFSET $3)
       SELECT ${pageColumnsOf('$2')}, place.sort_order AS "sortOrder" FROM place JOIN record ON record.n = place.record_n
        ORDER BY place.sort_order, record.n`,
      [categoryId, limit, offset, ...values],
    ),
  ])
  if (isTooLarge(rows)) return undefined
  const placed = await completePage(
    rows.map(({ sortOrder: _sortOrder, ...row }) => row),
    from,
  )
  const last = rows.length === limit ? rows.at(-1) : undefined
  const next: SearchPosition | undefined = last && { record: last.n, values: [last.sortOrder] }
  return { items: placed.map(({ record }) => record), total, next }
}
