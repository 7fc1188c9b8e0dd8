// The model of a workspace as a whole: dimensions, workflows, schemas and roles by ID, ready to look things up.
// Contract 2 §3. Maps, not objects: IDs and aliases may be called `constructor`.
import type { Attribute } from './attributes.ts'
import type { Dimension } from './dimension.ts'
import type { Role } from '../../accounts/rules/permissions.ts'
import type { Named } from './names.ts'
import type { Presentation } from './presentation.ts'
import type { Scope } from '../../scopes/scope.ts'
import type { Workflow } from './workflow.ts'

/** A schema as it is stored; as clients see it but for guards that are hidden from them. */
export interface SchemaDefinition extends Named, Presentation {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A schema with its attributes by alias. */
export class Schema {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
  /** The attribute that a record is called by; undefined: the first text. */
  readonly labelAttribute: string | undefined
  readonly #byAlias: ReadonlyMap<string, Attribute>

  constructor(definition: Omit<SchemaDefinition, 'name' | 'createdAt' | 'updatedAt'>) {
    this.id = definition.id
    this.workflowId = definition.workflowId
    this.attributes = definition.attributes
    this.combinations = definition.combinations
    this.labelAttribute = definition.labelAttribute
    this.#byAlias = new Map(definition.attributes.map((attribute) => [attribute.alias, attribute]))
  }

  attribute(alias: string): Attribute | undefined {
    return this.#byAlias.get(alias)
  }
}

/** Model changes in progress, which writers of records must respect. */
export interface PendingChanges {
  /** Schemas as they will be, by ID. */
  readonly schemas: ReadonlyMap<string, Schema>
  /** Segments that will go, by dimension. */
  readonly segments: ReadonlyMap<string, ReadonlySet<string>>
  /**
   * Schemas whose records may hold more unique keys than they must, of either definition. Every write of a record
   * releases the keys of the record.
   */
  readonly releasing: ReadonlyMap<string, readonly [before: Schema, after: Schema]>
}

export interface Model {
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly schemas: ReadonlyMap<string, Schema>
  readonly roles: ReadonlyMap<string, Role>
  /** Undefined where no change is under way. */
  readonly pending: PendingChanges | undefined
}
