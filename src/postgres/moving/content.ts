// The rows of a moved workspace in PostgreSQL, in one transaction. A cursor reads their places; arrays write them. The
// tables are those of the list (`tables.ts`), except for the differences declared here.
import type { MovedContent } from '../../store/moving-port.ts'
import {
  type Cell,
  COUNTERS,
  DERIVED,
  type DerivedColumns,
  type Kind,
  MOVED_SLICE,
  MOVED_TABLES,
  type MovedRow,
  type MovedTable,
  withDerived,
} from '../../store/moving/tables.ts'
import type { Connection } from '../connection.ts'
import { readSliced, type Sized } from '../sliced.ts'
import type { ModelChange } from '../../core/model/rules/model-change.ts'

/** No table has a column with this name. */
interface Placed {
  readonly row_place: string
}

export class PostgresContent implements MovedContent {
  protected readonly connection: Connection

  /** @param connection within a transaction, which ends with this object */
  constructor(connection: Connection) {
    this.connection = connection
  }

  async count({ name }: MovedTable): Promise<number> {
    const from = name === COUNTERS ? `(${READ_COUNTERS}) AS counters` : name
    const [row] = await this.connection.planned<{ rows: number }>(`SELECT count(*) AS rows FROM ${from}`)
    return row!.rows
  }

  async *rows(table: MovedTable): AsyncGenerator<MovedRow[], void> {
    if (table.name === COUNTERS) {
      yield (await this.connection.planned<Record<string, Cell>>(READ_COUNTERS)).map((row) => toMovedRow(table, row))
      return
    }
    const sql = printPlaces(table)
    for await (const slice of readSliced<Placed & Sized>(this.connection, { sql }, MOVED_SLICE))
      yield await this.#rowsAt(
        table,
        slice.map((row) => row.row_place),
      )
  }

  async write(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    if (table.name === COUNTERS) {
      const { sql, parameters } = printWorkspace(rows)
      await this.connection.planned(sql, parameters)
      return
    }
    const inserted = rows.map((row) => withDerived(table, row, ALL_DERIVED))
    const { columns } = postgresTableOf(table)
    await this.connection.run(
      printInsert(table, columns),
      columns.map((_, index) => inserted.map((row) => row[index])),
    )
  }

  async close(): Promise<void> {
    await this.connection.close()
  }

  async #rowsAt(table: MovedTable, places: readonly string[]): Promise<MovedRow[]> {
    const rows = await this.connection.rows<Record<string, Cell> & Placed>(printRows(table), [places])
    const byPlace = new Map(rows.map((row) => [row.row_place, toMovedRow(table, row)]))
    return places.map((place) => byPlace.get(place)!)
  }
}

const TYPES: Readonly<Record<Kind, string>> = {
  text: 'text',
  integer: 'bigint',
  real: 'float8',
  boolean: 'boolean',
  bytes: 'bytea',
}

const ALL_DERIVED: DerivedColumns = {
  ...DERIVED,
  // If the change has no job, a server that finds the owner dead undoes the change.
  model_change: {
    columns: { owner: 'text' },
    of: ({ document }) => [(JSON.parse(document as string) as ModelChange).jobId === undefined ? '' : null],
  },
}

/** Tables and columns that are not moved, with reasons. */
export const POSTGRES_NOT_MOVED: Readonly<Record<string, string>> = {
  lease: 'of servers that live',
  commit_mark: 'of servers that live',
  request_claim: 'of servers that live',
  presence: 'of people who are there at the moment',
  login_failure: 'a data directory has none: they are kept in memory there',
  import_piece: 'moved as files',
  index_pending: 'the search index is rebuilt',
  index_renewal: 'the search index is rebuilt',
  index_attribute: 'the search index is rebuilt',
  index_scope: 'the search index is rebuilt',
  index_attribute_scope: 'the search index is rebuilt',
  value_num: 'the search index is rebuilt',
  value_text: 'the search index is rebuilt',
  record_cells: 'the search index is rebuilt',
  record_text: 'the search index is rebuilt',
  large_text: 'the search index is rebuilt',
  trigram: 'the search index is rebuilt',
  'workspace.only_one': 'of the database',
  'workspace.schema_version': 'of the database',
  'workspace.identity': 'of the database',
  'workspace.n': 'counted',
  'workspace.records': 'counted',
  'workspace.credentials': 'compared with itself alone',
  'workspace.jobs': 'compared with itself alone',
  'workspace.key_print': 'made of the keys',
}

/** Counter → column of the workspace row. */
const COUNTED: Readonly<Record<string, string>> = {
  export_feeds: 'export_feeds',
  kept_answers: 'kept_answer_bytes',
  model: 'model',
  sequence: 'version',
}

interface PostgresTable {
  readonly name: string
  readonly columns: readonly string[]
}

export function postgresTableOf({ name, columns }: MovedTable): PostgresTable {
  if (name === COUNTERS) return { name: 'workspace', columns: Object.values(COUNTED) }
  return { name, columns: [...columns, ...Object.keys(ALL_DERIVED[name]?.columns ?? {})] }
}

/** The moved rows by column names; `$source` represents the rows. */
const READ_COUNTERS = Object.entries(COUNTED)
  .map(([counter, column]) => `SELECT '${counter}' AS name, ${column} AS value FROM workspace`)
  .join(' UNION ALL ')

/** Selects the place and size of each row, without reading large values. */
function printPlaces({ name, columns, kinds, order }: MovedTable): string {
  const large = columns.filter((_, index) => kinds[index] === 'text' || kinds[index] === 'bytes')
  const size = large.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
  return `SELECT ctid::text AS row_place, ${size} AS size FROM ${name} ORDER BY ${order.join(', ')}`
}

/** Selects the rows at given places. */
function printRows({ name, columns }: MovedTable): string {
  return `SELECT ctid::text AS row_place, ${columns.join(', ')} FROM ${name} WHERE ctid = ANY ($1::tid[])`
}

function toMovedRow({ columns }: MovedTable, cells: Readonly<Record<string, Cell>>): MovedRow {
  return columns.map((column) => cells[column]!)
}

/** Inserts all rows by one statement, with an array for each column. */
function printInsert({ name, kinds }: MovedTable, columns: readonly string[]): string {
  const all = [...kinds, ...Object.values(ALL_DERIVED[name]?.columns ?? {})]
  const arrays = all.map((kind, index) => `$${index + 1}::${TYPES[kind]}[]`)
  return `INSERT INTO ${name} (${columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`
}

/** Sets the numbers of the workspace: some are moved, the others are counted. */
function printWorkspace(counters: readonly MovedRow[]): { sql: string; parameters: readonly Cell[] } {
  const sets = counters.map(([counter], index) => `${COUNTED[counter as string]!} = $${index + 1}`)
  const numbered = MOVED_TABLES.filter(({ columns }) => columns.includes('n'))
  const newest = numbered.map(({ name }) => `(SELECT coalesce(max(n), 0) FROM ${name})`).join(', ')
  return {
    sql: `UPDATE workspace SET ${sets.join(', ')}, n = greatest(${newest}), records = (SELECT count(*) FROM record)`,
    parameters: counters.map(([, value]) => value!),
  }
}
