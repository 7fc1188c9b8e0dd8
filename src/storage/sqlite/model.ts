// Dimensions, workflows, schemas and roles, and the model of them, of which a change makes anew what it changed.
import type { Dimension } from '../../domain/dimensions.ts'
import { type Model, Schema } from '../../domain/model.ts'
import type { Role } from '../../domain/permissions.ts'
import type { SchemaDefinition } from '../../domain/schemas.ts'
import type { Workflow } from '../../domain/workflows.ts'
import type { Connection } from './connection.ts'
import { Documents } from './documents.ts'
import { KeptDocuments } from './kept-documents.ts'
import { StatementCache } from './statements.ts'

export type ModelTable = 'dimension' | 'workflow' | 'schema' | 'role'

/** A document of the model that was written. */
export interface ModelChange {
  readonly table: ModelTable
  readonly id: string
}

export class ModelTables {
  readonly dimensions: Documents<Dimension>
  readonly workflows: Documents<Workflow>
  readonly schemas: Documents<SchemaDefinition>
  readonly roles: Documents<Role>
  readonly #kept: {
    readonly dimension: KeptDocuments<Dimension, Dimension>
    readonly workflow: KeptDocuments<Workflow, Workflow>
    readonly schema: KeptDocuments<SchemaDefinition, Schema>
    readonly role: KeptDocuments<Role, Role>
  }
  readonly #sql: StatementCache
  #model: Model | undefined
  #version = -1

  /** `onWrite` is called when a table of the model changes. */
  constructor(db: Connection, onWrite?: (change: ModelChange) => void) {
    this.#sql = new StatementCache(db)
    const changed =
      (table: ModelTable) =>
      (id: string): void => {
        this.forget({ table, id })
        onWrite?.({ table, id })
      }
    this.dimensions = new Documents(db, { name: 'dimension', resource: 'Dimension', onWrite: changed('dimension') })
    this.workflows = new Documents(db, { name: 'workflow', resource: 'Workflow', onWrite: changed('workflow') })
    this.schemas = new Documents(db, { name: 'schema', resource: 'Schema', onWrite: changed('schema') })
    this.roles = new Documents(db, { name: 'role', resource: 'Role', onWrite: changed('role') })
    this.#kept = {
      dimension: new KeptDocuments(db, 'dimension', (dimension) => dimension),
      workflow: new KeptDocuments(db, 'workflow', (workflow) => workflow),
      schema: new KeptDocuments(db, 'schema', (definition) => new Schema(definition)),
      role: new KeptDocuments(db, 'role', (role) => role),
    }
  }

  async model(): Promise<Model> {
    return this.modelNow()
  }

  /** `model` without a promise, for threads that may block. */
  modelNow(): Model {
    const { dimension, workflow, schema, role } = this.#kept
    this.#model ??= {
      dimensions: dimension.read(),
      workflows: workflow.read(),
      schemas: schema.read(),
      roles: role.read(),
    }
    return this.#model
  }

  /** Rises with every change. */
  versionNow(): number {
    return this.#sql.get<{ value: number }>("SELECT value FROM main.counter WHERE name = 'model'", [])!.value
  }

  /** The model of the connection's present snapshot, where other connections write. */
  modelOfSnapshot(): Model {
    const version = this.versionNow()
    if (version !== this.#version) {
      for (const documents of Object.values(this.#kept)) documents.compare()
      this.#model = undefined
    }
    this.#version = version
    return this.modelNow()
  }

  /** What was changed is read anew when the model is asked for next. */
  forget({ table, id }: ModelChange): void {
    this.#kept[table].forget(id)
    this.#model = undefined
  }
}
