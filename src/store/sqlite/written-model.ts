// The model that transactions change. Transactions parse changed documents again after a rollback; readers parse them
// again when the batch is durable.
import type { Connection } from './connection.ts'
import { ModelTables, type WrittenDocument } from './stored-model.ts'
import { StatementCache } from './statements.ts'

export class WrittenModel {
  /** The model that transactions see. */
  readonly tables: ModelTables
  readonly #committed: ModelTables
  /** Documents that the present batch has written. */
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

  /** Forgets the changes of the batch, after a transaction was rolled back. */
  undo(): void {
    for (const document of this.#written.values()) this.tables.forget(document)
  }

  /** Forgets the changes, after the whole batch was rolled back. */
  abandon(): void {
    this.undo()
    this.#written.clear()
  }

  /** Shows the changes to readers, after the batch is durable. */
  publish(): void {
    for (const document of this.#written.values()) this.#committed.forget(document)
    this.#written.clear()
  }
}
