// Records: one row with the values as JSON text, kept counts, unique values, and a note for the search index.
import { alreadyExists, conflict } from '../../kernel/errors.ts'
import { describeTaken, type RecordReference, type UniqueKey } from '../../core/values/values.ts'
import type { Referrer } from '../../core/records/rules/referrer.ts'
import type {
  CategoryPage,
  Page,
  PlacedRecord,
  RecordFilter,
  RecordIdentity,
  RecordList,
  RecordReads,
  RecordWrites,
  ReferrersAsked,
  StoredRecord,
} from '../record-port.ts'
import { readReferrers, writeReferences } from '../rows/record-references.ts'
import {
  completePage,
  listFrom,
  mostBytesOfEach,
  PAGE_COLUMNS,
  pageOfRecords,
  type PageRow,
  RECORD_COLUMNS,
} from './record-lists.ts'
import { type Connection, isUniqueViolation, type Statement } from './connection.ts'
import { SqliteSession } from './session.ts'
import { type Parameters, StatementCache } from './statements.ts'
import { WriterNumbers } from './writer-numbers.ts'

const GET_RECORD = `SELECT ${RECORD_COLUMNS} FROM record WHERE id = ?`

const UPDATE_HEAD = 'UPDATE record SET state_id = ?, version = ?, updated_at = ?, updated_by = ?'
const OF_STATE = 'WHERE id = ? AND version = ? RETURNING n'

/** The snapshot that all readers of a connection share. */
interface View {
  /** Before a read. */
  readonly enter: () => number
}

interface RecordsOptions {
  readonly numbers?: WriterNumbers
  readonly view?: View
}

export class Records implements RecordReads, RecordWrites {
  readonly #sql: StatementCache
  readonly #numbers: WriterNumbers
  readonly #session: SqliteSession
  readonly #record: Statement
  readonly #view: View | undefined

  /** @param options `numbers`: for a connection that writes; `view`: for a connection that readers share */
  constructor(db: Connection, { numbers, view }: RecordsOptions = {}) {
    this.#sql = new StatementCache(db)
    this.#record = db.prepare<unknown[], unknown>(GET_RECORD)
    this.#numbers = numbers ?? new WriterNumbers(db)
    this.#view = view
    this.#session = new SqliteSession(db)
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    this.#view?.enter()
    return this.#getNow(id)
  }

  #getNow(id: string): StoredRecord | undefined {
    return this.#record.get(id) as StoredRecord | undefined
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>> {
    const found = new Map<string, StoredRecord>()
    for (const id of new Set(ids)) {
      const record = this.#getNow(id)
      if (record !== undefined) found.set(id, record)
    }
    return found
  }

  async existing(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const sql = 'SELECT id, schema_id FROM record WHERE id IN (SELECT value FROM json_each(?))'
    return new Map(this.#sql.tuples<[id: string, schemaId: string]>(sql, [JSON.stringify(ids)]))
  }

  async takenUniqueKeys({ id, schemaId }: RecordIdentity, keys: readonly UniqueKey[]): Promise<UniqueKey[]> {
    return keys.filter((key) => {
      const holder = holderOf(this.#sql, schemaId, key)
      return holder !== undefined && holder !== id
    })
  }

  async holderOf(schemaId: string, key: UniqueKey): Promise<string | undefined> {
    return holderOf(this.#sql, schemaId, key)
  }

  referrers(asked: ReferrersAsked): Promise<Referrer[]> {
    return readReferrers(this.#session, asked)
  }

  async list(filter: RecordFilter, page: Page): Promise<RecordList | undefined> {
    this.#view?.enter()
    const { sql, values } = pageOfRecords(filter, page, this.#countedPairs(filter))
    const items = sql === undefined ? [] : this.#complete(this.#sql.all<PageRow>(sql, values))
    if (items === undefined) return undefined
    const total = this.#countNow(filter)
    if (items.length < page.limit) return { items, total }
    const { n } = this.#sql.get<{ n: number }>('SELECT n FROM record WHERE id = ?', [items.at(-1)!.id])!
    return { items, total, next: { record: n, values: [] } }
  }

  /** Lists the places of the records that `list` returns. */
  async listPlaces(filter: RecordFilter, page: Page): Promise<{ places: number[]; total: number }> {
    const { sql, values } = pageOfRecords(filter, page, this.#countedPairs(filter), 'record.n')
    return { places: sql === undefined ? [] : this.#sql.numbers(sql, values), total: this.#countNow(filter) }
  }

  #complete(rows: readonly PageRow[]): StoredRecord[] | undefined {
    return completePage(rows, (id) => this.#getNow(id)!)
  }

  async variantIdsOf(parentId: string): Promise<string[]> {
    const rows = this.#sql.all<{ id: string }>('SELECT id FROM record WHERE parent_id = ? ORDER BY n', [parentId])
    return rows.map(({ id }) => id)
  }

  async count(filter: RecordFilter): Promise<number> {
    return this.#countNow(filter)
  }

  #countNow(filter: RecordFilter): number {
    const { schemaId = null, lifecycleStateId = null, parentId } = filter
    if (typeof parentId === 'string') {
      return this.#count(
        `SELECT count(*) AS records FROM record
          WHERE parent_id = @parentId AND (@schemaId IS NULL OR schema_id = @schemaId)
            AND (@lifecycleStateId IS NULL OR state_id = @lifecycleStateId)`,
        { parentId, schemaId, lifecycleStateId },
      )
    }
    return this.#count(
      `SELECT coalesce(sum(records), 0) AS records FROM record_count
        WHERE (@schemaId IS NULL OR schema_id = @schemaId)
          AND (@lifecycleStateId IS NULL OR state_id = @lifecycleStateId) AND is_variant <= @variants`,
      { schemaId, lifecycleStateId, variants: parentId === null ? 0 : 1 },
    )
  }

  async listFrom(schemaId: string, place: number, limit: number): Promise<PlacedRecord[]> {
    return listFrom(this.#sql, { schemaId, place, limit })
  }

  async listInCategory(categoryId: string, page: CategoryPage): Promise<RecordList | undefined> {
    const { limit, offset, after } = page
    const rows = this.#sql.all<PageRow & { n: number; sortOrder: number }>(
      `SELECT ${PAGE_COLUMNS}, record.n, place.sort_order AS sortOrder
         FROM (SELECT record_n, sort_order FROM assignment
                WHERE category_id = ? ${after === undefined ? '' : 'AND (sort_order, record_n) > (?, ?)'}
                ORDER BY sort_order, record_n LIMIT ? OFFSET ?) AS place
         CROSS JOIN record ON record.n = place.record_n ORDER BY place.sort_order, place.record_n`,
      [
        mostBytesOfEach(limit),
        categoryId,
        ...(after === undefined ? [] : [after.values[0], after.record]),
        limit,
        offset,
      ],
    )
    const total = this.#count('SELECT count(*) AS records FROM assignment WHERE category_id = ?', [categoryId])
    const last = rows.length === limit ? rows.at(-1) : undefined
    const items = this.#complete(rows.map(({ n: _n, sortOrder: _sortOrder, ...row }) => row))
    return items && { items, total, next: last && { record: last.n, values: [last.sortOrder] } }
  }

  async reserve(max: number): Promise<void> {
    this.#numbers.reserve(max)
  }

  async insert(record: StoredRecord): Promise<void> {
    const { id, schemaId, parentId, lifecycleStateId } = record
    try {
      this.#sql.run(
        `INSERT INTO record (n, id, schema_id, parent_id, state_id, version, created_at, updated_at, created_by, updated_by, "values")
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          this.#numbers.newPlace(),
          id,
          schemaId,
          parentId,
          lifecycleStateId,
          record.version,
          record.createdAt,
          record.updatedAt,
          record.createdBy,
          record.updatedBy,
          record.valuesJson,
        ],
      )
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Record', id) : error
    }
    this.#sql.run('INSERT INTO index_pending (record_n) VALUES (last_insert_rowid())', [])
    this.#addToCount(schemaId, lifecycleStateId, parentId, 1)
    this.#numbers.count(1)
  }

  async update(before: StoredRecord, after: StoredRecord): Promise<void> {
    const { id, schemaId, parentId, lifecycleStateId } = after
    const head = [lifecycleStateId, after.version, after.updatedAt, after.updatedBy]
    // Values may be large, so they are not written again if only the state or categories change.
    const isSame = after.valuesJson === before.valuesJson
    const row = isSame
      ? this.#sql.get<{ n: number }>(`${UPDATE_HEAD} ${OF_STATE}`, [...head, id, before.version])
      : this.#sql.get<{ n: number }>(`${UPDATE_HEAD}, "values" = ? ${OF_STATE}`, [
          ...head,
          after.valuesJson,
          id,
          before.version,
        ])
    if (row === undefined) throw new Error(`Record ${id} to update is not of version ${before.version}`)
    if (before.lifecycleStateId !== lifecycleStateId) {
      this.#addToCount(schemaId, before.lifecycleStateId, parentId, -1)
      this.#addToCount(schemaId, lifecycleStateId, parentId, 1)
    }
    this.#sql.run('INSERT INTO index_pending (record_n) VALUES (?)', [row.n])
    if (isSame) return
    // The index finds variants by their inherited values.
    if (parentId === null)
      this.#sql.run('INSERT INTO index_pending (record_n) SELECT n FROM record WHERE parent_id = ?', [id])
  }

  async delete(id: string): Promise<void> {
    const row = this.#sql.get<{ n: number; schemaId: string; stateId: string; parentId: string | null }>(
      'SELECT n, schema_id AS schemaId, state_id AS stateId, parent_id AS parentId FROM record WHERE id = ?',
      [id],
    )
    if (row === undefined) return
    this.#sql.run('INSERT INTO index_pending (record_n) VALUES (?)', [row.n])
    this.#sql.run('DELETE FROM unique_value WHERE record_id = ?', [id])
    this.#sql.run('DELETE FROM record WHERE n = ?', [row.n])
    this.#numbers.leavePlace(row.n)
    this.#addToCount(row.schemaId, row.stateId, row.parentId, -1)
    this.#numbers.count(-1)
  }

  async setUniqueKeys(
    { id, schemaId }: RecordIdentity,
    before: readonly UniqueKey[],
    after: readonly UniqueKey[],
  ): Promise<void> {
    const [held, wanted] = [new Set(before.map(textOf)), new Set(after.map(textOf))]
    const placeOf = ({ alias, scope, key }: UniqueKey) => [schemaId, alias, scope, key]
    // Looks at all holders before anything is written.
    const missing = after.filter((key) => {
      if (held.has(textOf(key))) return false
      const holder = holderOf(this.#sql, schemaId, key)
      if (holder !== undefined && holder !== id) throw conflict(describeTaken(key))
      return holder === undefined
    })
    const remove =
      'DELETE FROM unique_value WHERE schema_id = ? AND alias = ? AND scope = ? AND key = ? AND record_id = ?'
    for (const key of before) if (!wanted.has(textOf(key))) this.#sql.run(remove, [...placeOf(key), id])
    // Two attributes' values are never one key, but the same key may be asked for twice.
    const add = 'INSERT OR IGNORE INTO unique_value (schema_id, alias, scope, key, record_id) VALUES (?, ?, ?, ?, ?)'
    for (const key of missing) this.#sql.run(add, [...placeOf(key), id])
  }

  async setReferences(
    record: RecordIdentity,
    before: readonly RecordReference[],
    after: readonly RecordReference[],
  ): Promise<void> {
    writeReferences(this.#session, record, before, after)
  }

  async reindex(schemaId: string): Promise<void> {
    this.#sql.run('INSERT INTO index_pending (schema_id) VALUES (?)', [schemaId])
  }

  #count(sql: string, values: Parameters): number {
    return this.#sql.get<{ records: number }>(sql, values)!.records
  }

  #addToCount(schemaId: string, stateId: string, parentId: string | null, difference: number): void {
    this.#sql.run(
      `INSERT INTO record_count (schema_id, state_id, is_variant, records) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET records = records + excluded.records`,
      [schemaId, stateId, parentId === null ? 0 : 1, difference],
    )
  }

  /** Returns the (schema, state) pairs with records that a filter selects; undefined: the filter names neither. */
  #countedPairs({ schemaId, lifecycleStateId }: RecordFilter): [string, string][] | undefined {
    if (schemaId === undefined && lifecycleStateId === undefined) return undefined
    return this.#sql
      .all<{ schema_id: string; state_id: string }>(
        `SELECT DISTINCT schema_id, state_id FROM record_count
          WHERE records > 0 AND (@schemaId IS NULL OR schema_id = @schemaId)
            AND (@stateId IS NULL OR state_id = @stateId)`,
        { schemaId: schemaId ?? null, stateId: lifecycleStateId ?? null },
      )
      .map((row) => [row.schema_id, row.state_id])
  }
}

const HOLDER = `SELECT record_id AS recordId FROM unique_value
  WHERE schema_id = ? AND alias = ? AND scope = ? AND key = ?`

function holderOf(sql: StatementCache, schemaId: string, { alias, scope, key }: UniqueKey): string | undefined {
  return sql.get<{ recordId: string }>(HOLDER, [schemaId, alias, scope, key])?.recordId
}

function textOf({ alias, scope, key }: UniqueKey): string {
  return `${alias}\n${scope}\n${key}`
}
