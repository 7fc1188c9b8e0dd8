// Compares the search index with its records at the same moment: row by row with the output of the indexer.
import type { Model } from '../../core/model/rules/model.ts'
import type { CategoryTree } from '../../core/search/rules/searched-record.ts'
import type { IndexInspection } from '../../store/maintenance-port.ts'
import { searchedRecord } from '../../store/reading/searched-row.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import { type Cell, readCells } from '../../core/search/plan/cells.ts'
import { entryOf } from '../../core/search/plan/index-entry.ts'
import { distinctCells, findIndexFault, type KeptNumbers } from '../../core/search/plan/index-faults.ts'
import type { Connection } from '../connection.ts'
import { readCategories } from '../search/category-sets.ts'
import { HEAD_COLUMNS } from '../search/read-rows.ts'
import { IndexNumbers } from '../search-index/index-numbers.ts'
import { writeKey } from '../search-index/stored-keys.ts'
import { readSliced, type Sized } from '../sliced.ts'
import { IndexNotComparable } from './database-faults.ts'
import { SLICE } from './trails.ts'

/** Joins the notes of records that the index does not contain yet. */
const PENDING = `LEFT JOIN (SELECT DISTINCT record_n FROM index_pending WHERE record_n IS NOT NULL) AS noted ON noted.record_n = record.n
  LEFT JOIN (SELECT schema_id, min(next_n) AS next_n FROM index_pending WHERE schema_id IS NOT NULL GROUP BY schema_id) AS anew
    ON anew.schema_id = record.schema_id AND record.n >= anew.next_n`
const IS_PENDING = '(noted.record_n IS NOT NULL OR anew.schema_id IS NOT NULL)'

const JOINED = `record LEFT JOIN record AS parent ON parent.id = record.parent_id
  LEFT JOIN record_cells ON record_cells.record = record.n
  LEFT JOIN record_text ON record_text.record = record.n
  LEFT JOIN large_text ON large_text.record = record.n`

/** Subqueries look the sizes up one by one: with joins, the database would store the values of all records temporarily. */
const SIZES = `SELECT record.n, ${IS_PENDING} AS "isPending", octet_length(record.vals)
    + coalesce((SELECT octet_length(vals) FROM record AS parent WHERE parent.id = record.parent_id), 0)
    + coalesce((SELECT octet_length(cells) FROM record_cells WHERE record_cells.record = record.n), 0)
    + coalesce((SELECT octet_length(folded) FROM record_text WHERE record_text.record = record.n), 0) AS size
  FROM record ${PENDING} ORDER BY record.n`

const ROWS = `SELECT record.n, ${HEAD_COLUMNS}, record.vals AS "valuesJson", parent.vals AS "inheritedJson", cells, folded,
    large_text.record IS NOT NULL AS "isLarge",
    ARRAY(SELECT DISTINCT category_id FROM assignment WHERE record_n IN (record.n, parent.n)) AS "categoryIds"
  FROM ${JOINED} WHERE record.n = ANY ($1::bigint[]) ORDER BY record.n`

/** Selects rows of the index whose record does not exist. */
const OTHERS = `SELECT record, octet_length(cells) AS size, EXISTS (SELECT 1 FROM index_pending WHERE record_n = record) AS "isPending"
  FROM record_cells WHERE NOT EXISTS (SELECT 1 FROM record WHERE record.n = record_cells.record) ORDER BY record`

interface ComparedRow extends ReadRecord {
  readonly cells: string | null
  readonly folded: string | null
  readonly isLarge: boolean
}

interface Place extends Sized {
  readonly n: number
  readonly isPending: boolean
}

export class IndexComparison implements IndexInspection {
  readonly pending: number
  readonly #connection: Connection
  readonly #model: Model
  readonly #categories: CategoryTree
  readonly #numbers: IndexNumbers
  /** Rows that belong to a record. */
  #rows = 0
  #texts = 0

  private constructor(
    connection: Connection,
    parts: { model: Model; categories: CategoryTree; numbers: IndexNumbers; pending: number },
  ) {
    this.#connection = connection
    this.#model = parts.model
    this.#categories = parts.categories
    this.#numbers = parts.numbers
    this.pending = parts.pending
  }

  /** @param connection in a transaction on one snapshot @throws IndexNotComparable */
  static async open(connection: Connection, model: Model): Promise<IndexComparison> {
    const [row] = await connection.rows<{ records: number; renewals: number }>(
      `SELECT (SELECT count(*) FROM record ${PENDING} WHERE ${IS_PENDING}) AS records,
         (SELECT count(*) FROM index_renewal) AS renewals`,
    )
    if (row!.renewals > 0) throw new IndexNotComparable('it is being rebuilt')
    const numbers = new IndexNumbers()
    await numbers.learnCommitted(connection)
    return new IndexComparison(connection, {
      model,
      categories: await readCategories(connection),
      numbers,
      pending: row!.records,
    })
  }

  /** Finds nothing: PostgreSQL has its own tools for damage. */
  findDamage(): string[] {
    return []
  }

  async *compare(): AsyncGenerator<string | undefined, void> {
    for await (const slice of readSliced<Place>(this.#connection, { sql: SIZES }, SLICE)) {
      const rows = await this.#connection.rows<ComparedRow>(ROWS, [slice.map(({ n }) => n)])
      const cells = new Map(rows.map(({ n, cells: text }) => [n, text === null ? [] : distinctCells(readCells(text))]))
      const found = await countRows(cells, this.#connection)
      const pending = new Set(slice.flatMap(({ n, isPending }) => (isPending ? [n] : [])))
      for (const row of rows) {
        const known = cells.get(row.n)!
        this.#rows += known.length
        this.#texts += row.folded === null ? 0 : 1
        const fault =
          (found.get(row.n) ?? 0) < known.length
            ? 'rows of it are missing'
            : pending.has(row.n)
              ? undefined
              : this.#findFault(row, known)
        yield fault === undefined ? undefined : `${row.id}: ${fault}`
      }
    }
    yield* this.#compareOthers()
  }

  close(): void {
    // The inspection of the workspace owns the connection.
  }

  #findFault(row: ComparedRow, known: readonly Cell[]): string | undefined {
    const schema = this.#model.schemas.get(row.schemaId)
    if (schema === undefined) return known.length > 0 ? 'it has rows of no schema' : undefined
    const entry = entryOf(
      searchedRecord(row, schema, () => row.categoryIds ?? []),
      this.#model,
      this.#categories,
    )
    const places = [...entry.rows, ...entry.texts].map(({ alias, scope, isInherited }) => {
      return { schemaId: schema.id, alias, scope, isInherited }
    })
    if (!this.#numbers.knows(places)) return 'a scope of its values is not known'
    const numbers: KeptNumbers = {
      attributeOf: (alias) => this.#numbers.attributeOf({ schemaId: schema.id, alias }),
      scopeOf: (scope, isInherited) => this.#numbers.scopeOf({ scope, isInherited }),
      knows: () => true,
      asStored: (text) => text.toWellFormed(),
    }
    return findIndexFault(entry, { cells: known, texts: row.folded ?? '', isLarge: row.isLarge }, numbers)
  }

  async *#compareOthers(): AsyncGenerator<string, void> {
    type Other = Sized & { readonly record: number; readonly isPending: boolean }
    const read = 'SELECT cells FROM record_cells WHERE record = ANY ($1::bigint[])'
    for await (const slice of readSliced<Other>(this.#connection, { sql: OTHERS }, SLICE)) {
      const rows = await this.#connection.rows<{ cells: string }>(read, [slice.map(({ record }) => record)])
      for (const { cells } of rows) this.#rows += distinctCells(readCells(cells)).length
      for (const { record, isPending } of slice) if (!isPending) yield `record number ${record}: it is gone`
    }
    const [found] = await this.#connection.rows<{ rows: number; texts: number; others: number }>(
      `SELECT (SELECT count(*) FROM value_num) + (SELECT count(*) FROM value_text) AS rows,
         (SELECT count(*) FROM record_text) AS texts,
         (SELECT count(*) FROM record_text JOIN record_cells USING (record)
           WHERE NOT EXISTS (SELECT 1 FROM record WHERE record.n = record_text.record)) AS others`,
    )
    const { rows, texts, others } = found!
    if (rows !== this.#rows) yield `${rows} rows, where records have ${this.#rows}`
    if (texts !== this.#texts + others) yield `${texts} texts, where records have ${this.#texts + others}`
  }
}

/** Counts the existing rows among the rows that records should have, by record. */
async function countRows(
  cells: ReadonlyMap<number, readonly Cell[]>,
  from: Connection,
): Promise<ReadonlyMap<number, number>> {
  const rows = [...cells].flatMap(([record, known]) => known.map((cell) => ({ record, cell })))
  const counts = new Map<number, number>()
  for (const [table, type] of [
    ['value_num', 'float8'],
    ['value_text', 'text'],
  ] as const) {
    const ofTable = rows.filter(({ cell: [, , key] }) => (typeof key === 'number') === (table === 'value_num'))
    if (ofTable.length === 0) continue
    const sql = `SELECT known.record, count(*) AS found
      FROM unnest($1::int[], $2::int[], $3::${type}[], $4::bigint[]) AS known (attribute, scope, key, record)
      JOIN ${table} USING (attribute, scope, key, record) GROUP BY known.record`
    const found = await from.planned<{ record: number; found: number }>(sql, [
      ofTable.map(({ cell: [attribute] }) => attribute),
      ofTable.map(({ cell: [, scope] }) => scope),
      ofTable.map(({ cell: [, , key] }) => (typeof key === 'number' ? key : writeKey(key))),
      ofTable.map(({ record }) => record),
    ])
    for (const { record, found: count } of found) counts.set(record, (counts.get(record) ?? 0) + count)
  }
  return counts
}
