// Dimensions, workflows, schemas and roles, and the model built from them, which is kept until one of them changes.
import type { Dimension } from '../../domain/dimensions.ts'
import { buildModel, type Model } from '../../domain/model.ts'
import type { Role } from '../../domain/permissions.ts'
import type { SchemaDefinition } from '../../domain/schemas.ts'
import type { Workflow } from '../../domain/workflows.ts'
import type { Connection } from './connection.ts'
import { Documents } from './documents.ts'

export class ModelTables {
  readonly dimensions: Documents<Dimension>
  readonly workflows: Documents<Workflow>
  readonly schemas: Documents<SchemaDefinition>
  readonly roles: Documents<Role>
  #model: Model | undefined

  /** `onWrite` is called when a table of the model changes. */
  constructor(db: Connection, onWrite?: () => void) {
    const changed = (): void => {
      this.forget()
      onWrite?.()
    }
    this.dimensions = new Documents(db, { name: 'dimension', resource: 'Dimension', onWrite: changed })
    this.workflows = new Documents(db, { name: 'workflow', resource: 'Workflow', onWrite: changed })
    this.schemas = new Documents(db, { name: 'schema', resource: 'Schema', onWrite: changed })
    this.roles = new Documents(db, { name: 'role', resource: 'Role', onWrite: changed })
  }

  async model(): Promise<Model> {
    this.#model ??= buildModel({
      dimensions: await this.dimensions.list(),
      workflows: await this.workflows.list(),
      schemas: await this.schemas.list(),
      roles: await this.roles.list(),
    })
    return this.#model
  }

  /** The model is read anew when it is asked for next. */
  forget(): void {
    this.#model = undefined
  }
}
