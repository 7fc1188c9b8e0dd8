// Dimensions, workflows, schemas and roles, and the `Model` built from them; a change rebuilds only the changed parts.
import type { Dimension } from '../../core/model/rules/dimension.ts'
import { type Model, Schema, type SchemaDefinition } from '../../core/model/rules/model.ts'
import { type ModelChange, pendingChanges } from '../../core/model/rules/model-change.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { Workflow } from '../../core/model/rules/workflow.ts'
import type { Connection } from './connection.ts'
import { Documents } from '../rows/documents.ts'
import { KeptDocuments } from './kept-documents.ts'
import { SqliteSession } from './session.ts'
import { StatementCache } from './statements.ts'
import type { ModelChanges } from '../document-port.ts'
import type { SqlSession } from '../rows/session.ts'

type ModelTable = 'dimension' | 'workflow' | 'schema' | 'role' | 'model_change'

/** A document of the model that was written. */
export interface WrittenDocument {
  readonly table: ModelTable
  readonly id: string
}

export class ModelTables {
  readonly dimensions: Documents<Dimension>
  readonly workflows: Documents<Workflow>
  readonly schemas: Documents<SchemaDefinition>
  readonly roles: Documents<Role>
  readonly changes: ModelChangeTable
  readonly #kept: {
    readonly dimension: KeptDocuments<Dimension, Dimension>
    readonly workflow: KeptDocuments<Workflow, Workflow>
    readonly schema: KeptDocuments<SchemaDefinition, Schema>
    readonly role: KeptDocuments<Role, Role>
    readonly model_change: KeptDocuments<ModelChange, ModelChange>
  }
  readonly #sql: StatementCache
  #model: Model | undefined
  #version = -1

  /** `onWrite` is called when a table of the model changes. */
  constructor(db: Connection, onWrite?: (written: WrittenDocument) => void) {
    this.#sql = new StatementCache(db)
    const session = new SqliteSession(db, (kind, id) => {
      const written = { table: kind as ModelTable, id }
      this.forget(written)
      onWrite?.(written)
    })
    this.dimensions = new Documents(session, { name: 'dimension', resource: 'Dimension' })
    this.workflows = new Documents(session, { name: 'workflow', resource: 'Workflow' })
    this.schemas = new Documents(session, { name: 'schema', resource: 'Schema' })
    this.roles = new Documents(session, { name: 'role', resource: 'Role' })
    this.changes = new ModelChangeTable(session)
    this.#kept = {
      dimension: new KeptDocuments(db, 'dimension', (dimension) => dimension),
      workflow: new KeptDocuments(db, 'workflow', (workflow) => workflow),
      schema: new KeptDocuments(db, 'schema', (definition) => new Schema(definition)),
      role: new KeptDocuments(db, 'role', (role) => role),
      model_change: new KeptDocuments(db, 'model_change', (change) => change),
    }
  }

  readonly model = async (): Promise<Model> => this.modelNow()

  /** Returns the model without a promise, for threads that may block. */
  modelNow(): Model {
    const { dimension, workflow, schema, role, model_change: changes } = this.#kept
    this.#model ??= {
      dimensions: dimension.read(),
      workflows: workflow.read(),
      schemas: schema.read(),
      roles: role.read(),
      pending: pendingChanges([...changes.read().values()], (definition) => new Schema(definition)),
    }
    return this.#model
  }

  /** Rises with every change. */
  versionNow(): number {
    return this.#sql.get<{ value: number }>("SELECT value FROM main.counter WHERE name = 'model'", [])!.value
  }

  /** Returns the model of the connection's present snapshot, while other connections write. */
  modelOfSnapshot(): Model {
    const version = this.versionNow()
    if (version !== this.#version) {
      for (const documents of Object.values(this.#kept)) documents.compare()
      this.#model = undefined
    }
    this.#version = version
    return this.modelNow()
  }

  /** The next reading of the model parses the changed document again. */
  forget({ table, id }: WrittenDocument): void {
    this.#kept[table].forget(id)
    this.#model = undefined
  }
}

class ModelChangeTable extends Documents<ModelChange> implements ModelChanges {
  constructor(session: SqlSession) {
    super(session, { name: 'model_change', resource: 'Change' })
  }

  listAbandoned(): Promise<ModelChange[]> {
    return this.list()
  }

  async adopt(): Promise<boolean> {
    return true
  }

  async cursorOf(id: string): Promise<number> {
    const sql = 'SELECT "cursor" FROM model_change WHERE id = $1'
    return (await this.session.rows<{ cursor: number }>(sql, [id]))[0]?.cursor ?? 0
  }

  /** Stores the cursor; no cached value depends on it. */
  async advance(id: string, cursor: number): Promise<void> {
    this.session.writer.hold('UPDATE model_change SET "cursor" = $1 WHERE id = $2', cursor, id)
  }
}
