// The model of a workspace as a whole: dimensions, workflows, schemas and roles by ID, ready to look things up.
// Decisions §3. Maps, not objects: IDs and aliases may be called `constructor`.
import type { Attribute } from './attributes.ts'
import type { Dimension } from './dimensions.ts'
import { type ModelChange, type PendingChanges, pendingChanges } from './model-change.ts'
import type { Role } from './permissions.ts'
import type { SchemaDefinition } from './schemas.ts'
import type { Scope } from './scope.ts'
import type { Workflow } from './workflows.ts'

/** A schema with its attributes by alias. */
export class Schema {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
  readonly #byAlias: ReadonlyMap<string, Attribute>

  constructor(definition: SchemaDefinition) {
    this.id = definition.id
    this.workflowId = definition.workflowId
    this.attributes = definition.attributes
    this.combinations = definition.combinations
    this.#byAlias = new Map(definition.attributes.map((attribute) => [attribute.alias, attribute]))
  }

  attribute(alias: string): Attribute | undefined {
    return this.#byAlias.get(alias)
  }
}

export interface Model {
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly schemas: ReadonlyMap<string, Schema>
  readonly roles: ReadonlyMap<string, Role>
  /** Undefined where no change is under way. */
  readonly pending: PendingChanges | undefined
}

export interface ModelParts {
  readonly dimensions: readonly Dimension[]
  readonly workflows: readonly Workflow[]
  readonly schemas: readonly SchemaDefinition[]
  readonly roles: readonly Role[]
  /** That records have to follow, and are under way. */
  readonly changes?: readonly ModelChange[]
}

export function buildModel(parts: ModelParts): Model {
  const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> =>
    new Map(items.map((item) => [item.id, item]))
  return {
    dimensions: byId(parts.dimensions),
    workflows: byId(parts.workflows),
    schemas: byId(parts.schemas.map((definition) => new Schema(definition))),
    roles: byId(parts.roles),
    pending: pendingChanges(parts.changes ?? [], (definition) => new Schema(definition)),
  }
}
