// Dimensions, workflows, schemas and roles, and the model built from them, which is kept until one of them changes.
import type { Dimension } from '../../domain/dimensions.ts'
import { buildModel, type Model } from '../../domain/model.ts'
import type { Role } from '../../domain/permissions.ts'
import type { SchemaDefinition } from '../../domain/schemas.ts'
import type { Workflow } from '../../domain/workflows.ts'
import type { Connection } from './connection.ts'
import { Documents } from './documents.ts'
import { ModelChangeTable } from './model-changes.ts'
import { StatementCache } from './statements.ts'

export class ModelTables {
  readonly dimensions: Documents<Dimension>
  readonly workflows: Documents<Workflow>
  readonly schemas: Documents<SchemaDefinition>
  readonly roles: Documents<Role>
  readonly changes: ModelChangeTable
  readonly #sql: StatementCache
  #model: Model | undefined
  #version = -1

  /** `onWrite` is called when a table of the model changes. */
  constructor(db: Connection, onWrite?: () => void) {
    this.#sql = new StatementCache(db)
    const changed = (): void => {
      this.forget()
      onWrite?.()
    }
    this.dimensions = new Documents(db, { name: 'dimension', resource: 'Dimension', onWrite: changed })
    this.workflows = new Documents(db, { name: 'workflow', resource: 'Workflow', onWrite: changed })
    this.schemas = new Documents(db, { name: 'schema', resource: 'Schema', onWrite: changed })
    this.roles = new Documents(db, { name: 'role', resource: 'Role', onWrite: changed })
    this.changes = new ModelChangeTable(db, changed)
  }

  async model(): Promise<Model> {
    return this.modelNow()
  }

  /** `model` without a promise, for threads that may block. */
  modelNow(): Model {
    this.#model ??= buildModel({
      dimensions: this.dimensions.listNow(),
      workflows: this.workflows.listNow(),
      schemas: this.schemas.listNow(),
      roles: this.roles.listNow(),
      changes: this.changes.listNow(),
    })
    return this.#model
  }

  /** The model of the connection's present snapshot, where other connections write. */
  modelOfSnapshot(): Model {
    const sql = "SELECT value FROM main.counter WHERE name = 'model'"
    const { value } = this.#sql.get<{ value: number }>(sql, [])!
    if (value !== this.#version) this.forget()
    this.#version = value
    return this.modelNow()
  }

  /** The model is read anew when it is asked for next. */
  forget(): void {
    this.#model = undefined
  }
}
