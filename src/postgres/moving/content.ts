// The rows of a workspace in PostgreSQL as they are moved: read through a cursor on where they are, written as arrays. In one transaction.
import type { MovedContent } from '../../store/moving-port.ts'
import { toSlicesBySize } from '../../store/moving/slices.ts'
import { type Cell, COUNTERS, type MovedRow, type MovedTable } from '../../store/moving/tables.ts'
import type { Connection } from '../connection.ts'
import {
  postgresTableOf,
  printInsert,
  printPlaces,
  printRows,
  printWorkspace,
  READ_COUNTERS,
  toInserted,
  toMovedRow,
} from './columns.ts'

/** Rows of which places and sizes are known at a time. */
const PLACES = 5000

/** Tables have no such column of their own. */
interface Placed {
  readonly row_place: string
}

export class PostgresContent implements MovedContent {
  protected readonly connection: Connection

  /** @param connection in a transaction that ends with it */
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
    const { connection } = this
    await connection.script(`DECLARE places NO SCROLL CURSOR FOR ${printPlaces(table)}`)
    for (;;) {
      const found = await connection.planned<Placed & { size: number }>(`FETCH ${PLACES} FROM places`)
      if (found.length === 0) break
      for (const slice of toSlicesBySize(found))
        yield await this.#rowsAt(
          table,
          slice.map((row) => row.row_place),
        )
    }
    await connection.script('CLOSE places')
  }

  async write(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    if (table.name === COUNTERS) {
      const { sql, parameters } = printWorkspace(rows)
      await this.connection.planned(sql, parameters)
      return
    }
    const inserted = rows.map((row) => toInserted(table, row))
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
