// Builds a model from its parts, as storage does.
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import { type Model, Schema, type SchemaDefinition } from '../../src/core/model/rules/model.ts'
import { type ModelChange, pendingChanges } from '../../src/core/model/rules/model-change.ts'
import type { Role } from '../../src/core/accounts/rules/permissions.ts'
import type { Workflow } from '../../src/core/model/rules/workflow.ts'

export interface ModelParts {
  readonly dimensions: readonly Dimension[]
  readonly workflows: readonly Workflow[]
  readonly schemas: readonly SchemaDefinition[]
  readonly roles: readonly Role[]
  /** Changes under way that records must follow. */
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
