// Changes of the model that stored records have to follow, while they are under way, and how far each has come.
import type { ModelChange } from '../../core/model/rules/model-change.ts'
import type { ModelChanges } from '../document-port.ts'
import { Documents } from '../rows/documents.ts'
import type { SqlSession } from '../rows/session.ts'

export class ModelChangeTable extends Documents<ModelChange> implements ModelChanges {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    super(session, { name: 'model_change', resource: 'Change' })
    this.#session = session
  }

  listAbandoned(): Promise<ModelChange[]> {
    return this.list()
  }

  async adopt(): Promise<boolean> {
    return true
  }

  async cursorOf(id: string): Promise<number> {
    const sql = 'SELECT "cursor" FROM model_change WHERE id = $1'
    return (await this.#session.rows<{ cursor: number }>(sql, [id]))[0]?.cursor ?? 0
  }

  /** It changes nothing that others regard. */
  async advance(id: string, cursor: number): Promise<void> {
    this.#session.writer.hold('UPDATE model_change SET "cursor" = $1 WHERE id = $2', cursor, id)
  }
}
