// The model as transactions change it: changed documents are parsed again by transactions after a rollback, and by
// readers once the batch is durable.
import type { Connection } from './connection.ts'
import { ModelTables, type WrittenDocument } from './stored-model.ts'
import { StatementCache } from './statements.ts'

export class WrittenModel {
  /** As transactions see it. */
  readonly tables: ModelTables
  readonly #committed: ModelTables
  /** By the present batch. */
  readonly #written = new Map<string, WrittenDocument>()

  /** @param committed the model that readers see */
  constructor(writer: Connection, committed: ModelTables) {
    const sql = new StatementCache(writer)
    this.#committed = committed
    this.tables = new ModelTables(writer, (document) => {
      this.#written.set(`${document.table} ${document.id}`, document)
      sql.run("UPDATE counter SET value = value + 1 WHERE name = 'model'", [])
    })
  }

  /** A transaction was rolled back: the changes of its batch are forgotten. */
  undo(): void {
    for (const document of this.#written.values()) this.tables.forget(document)
  }

  /** The whole batch was rolled back. */
  abandon(): void {
    this.undo()
    this.#written.clear()
  }

  /** The batch is durable, and readers see it. */
  publish(): void {
    for (const document of this.#written.values()) this.#committed.forget(document)
    this.#written.clear()
  }
}
