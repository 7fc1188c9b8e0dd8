// Changes of the model that stored records have to follow, while they are under way, and how far each has come.
import type { ModelChange } from '../../core/model/rules/model-change.ts'
import type { ModelChanges } from '../document-port.ts'
import type { Connection } from './connection.ts'
import { Documents } from './documents.ts'
import { StatementCache } from './statements.ts'

export class ModelChangeTable extends Documents<ModelChange> implements ModelChanges {
  readonly #sql: StatementCache

  /** `onWrite` is called after each write but `advance`, which changes nothing that others regard. */
  constructor(db: Connection, onWrite: (id: string) => void) {
    super(db, { name: 'model_change', resource: 'Change', onWrite })
    this.#sql = new StatementCache(db)
  }

  listAbandoned(): Promise<ModelChange[]> {
    return this.list()
  }

  async adopt(): Promise<boolean> {
    return true
  }

  async cursorOf(id: string): Promise<number> {
    return this.#sql.get<{ cursor: number }>('SELECT "cursor" FROM model_change WHERE id = ?', [id])?.cursor ?? 0
  }

  async advance(id: string, cursor: number): Promise<void> {
    this.#sql.run('UPDATE model_change SET "cursor" = ? WHERE id = ?', [cursor, id])
  }
}
