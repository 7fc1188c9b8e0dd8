// Parts of a model that are made together, all or none: by a template, the demonstration, or an import of a file
// without a schema. Contract 5 §1.
import * as v from 'valibot'
import type { SavedQuery } from '../../search/rules/saved-query.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { firstDuplicate, Id, listOf } from '../../../kernel/input/validation.ts'
import { type Catalog, CatalogInput, type Category, CategoryInput, defineCategory } from './catalog.ts'
import { defineDimension, type Dimension, DimensionInput } from './dimension.ts'
import { findGuardFault } from './guards.ts'
import { type Model, Schema, type SchemaDefinition } from './model.ts'
import { defineSchema, SchemaInput } from './schema.ts'
import { defineWorkflow, type Workflow, WorkflowInput } from './workflow.ts'

/** The most parts of each kind. Segments of a dimension, and attributes of a schema, have their own limits. */
const MAX_PARTS = 5
const MAX_CATALOGS = 2
/** The most categories of a catalog: all are made in one transaction. */
const MAX_CATEGORIES = 100

/** Each part needs an ID, because other parts of the same model name it. */
const named = { id: Id }
const NewCatalog = v.object({
  ...CatalogInput.entries,
  ...named,
  categories: v.optional(
    v.pipe(
      listOf(v.object({ ...CategoryInput.entries, ...named }), MAX_CATEGORIES),
      v.description('Parents stand before their children.'),
    ),
    [],
  ),
})

export const NewModelInput = exactObject({
  dimensions: v.optional(
    v.pipe(
      listOf(v.object({ ...DimensionInput.entries, ...named }), MAX_PARTS),
      v.description('A dimension that exists gets the segments that it lacks.'),
    ),
    [],
  ),
  workflows: v.optional(listOf(v.object({ ...WorkflowInput.entries, ...named }), MAX_PARTS), []),
  schemas: v.pipe(
    listOf(v.object({ ...SchemaInput.entries, ...named }), MAX_PARTS),
    v.minLength(1, 'must have a schema'),
  ),
  catalogs: v.optional(listOf(NewCatalog, MAX_CATALOGS), []),
})
/** Only the model of the demonstration has views of its records; no request sends any. */
export type NewModel = v.InferOutput<typeof NewModelInput> & { readonly savedQueries?: readonly SavedQuery[] }

/** A dimension after the change. `added`: the segments that the dimension lacks so far. */
interface GrownDimension {
  readonly before: Dimension | undefined
  readonly after: Dimension
  readonly added: readonly string[]
}

/** The parts of a new model, adapted to the present model. */
interface PlannedModel {
  readonly dimensions: readonly GrownDimension[]
  readonly workflows: readonly Workflow[]
  readonly schemas: readonly SchemaDefinition[]
  readonly catalogs: readonly Catalog[]
  readonly categories: readonly Category[]
  /** The model with all new parts except catalogs. */
  readonly model: Model
}

/** The made parts, in their state at that time. */
export interface MadeModel {
  /** `added`: segments; `isNew`: the dimension did not exist before. */
  readonly dimensions: readonly {
    readonly after: Dimension
    readonly added: readonly string[]
    readonly isNew: boolean
  }[]
  readonly workflows: readonly Workflow[]
  readonly schemas: readonly SchemaDefinition[]
  readonly catalogs: readonly Catalog[]
  readonly categories: readonly Category[]
  /** Absent: none. */
  readonly savedQueries?: readonly SavedQuery[]
}

/**
 * Plans a new model. Its transitions name only existing roles.
 * @param now ISO 8601
 * @throws VALIDATION_ERROR naming the part that does not fit, CONFLICT for a part that exists
 */
export function planModel(parts: NewModel, base: Model, now: string): PlannedModel {
  assertOnce(parts)
  const dimensions = parts.dimensions.map((input) => grow(input, base))
  const workflows = parts.workflows.map((input) => defineWorkflow(input.id, withKnownRoles(input, base)))
  for (const { id } of workflows) if (base.workflows.has(id)) throw conflict(`The workflow '${id}' already exists`)
  let model: Model = {
    ...base,
    dimensions: new Map([...base.dimensions, ...dimensions.map(({ after }) => [after.id, after] as const)]),
    workflows: new Map([...base.workflows, ...workflows.map((workflow) => [workflow.id, workflow] as const)]),
  }
  const planned = new Map<string, SchemaDefinition>()
  for (const input of referredFirst(parts.schemas)) {
    if (base.schemas.has(input.id)) throw conflict(`The schema '${input.id}' already exists`)
    const definition = defineSchema(input, { id: input.id, createdAt: now, updatedAt: now }, model)
    const schema = new Schema(definition)
    const fault = findGuardFault(schema, model)
    if (fault !== undefined) throw invalid(fault)
    planned.set(schema.id, definition)
    model = { ...model, schemas: new Map([...model.schemas, [schema.id, schema]]) }
  }
  const schemas = parts.schemas.map(({ id }) => planned.get(id)!)
  const catalogs = parts.catalogs.map(({ id, name }) => ({ id, name }))
  const categories = parts.catalogs.flatMap(({ id, categories: tree }) =>
    tree.map((input) => defineCategory(input.id, id, input)),
  )
  assertParentsFirst(categories)
  return { dimensions, workflows, schemas, catalogs, categories, model }
}

/** @throws VALIDATION_ERROR */
function assertOnce(parts: NewModel): void {
  for (const kind of ['dimensions', 'workflows', 'schemas', 'catalogs'] as const) {
    const twice = firstDuplicate(parts[kind].map(({ id }) => id))
    if (twice !== undefined) throw invalid(`${kind}: the ID '${twice}' occurs twice`)
  }
}

function grow(input: NewModel['dimensions'][number], { dimensions }: Model): GrownDimension {
  const asked = defineDimension(input.id, input)
  const before = dimensions.get(input.id)
  const known = new Set(before?.segments.map(({ id }) => id))
  const lacking = asked.segments.filter(({ id }) => !known.has(id))
  const after = before === undefined ? asked : { ...before, segments: [...before.segments, ...lacking] }
  return { before, after, added: lacking.map(({ id }) => id) }
}

interface Referring {
  readonly id: string
  readonly attributes: readonly { readonly validation?: { readonly schemaId?: string | undefined } | undefined }[]
}

/** Orders schemas so that each comes after the schemas that its references name, unless they form a circle. */
export function referredFirst<Of extends Referring>(schemas: readonly Of[]): Of[] {
  const byId = new Map(schemas.map((schema) => [schema.id, schema]))
  const ordered = new Set<Of>()
  const entered = new Set<string>()
  const add = (schema: Of): void => {
    if (entered.has(schema.id)) return
    entered.add(schema.id)
    for (const { validation } of schema.attributes) {
      const referred = byId.get(validation?.schemaId ?? '')
      if (referred !== undefined) add(referred)
    }
    ordered.add(schema)
  }
  for (const schema of schemas) add(schema)
  return [...ordered]
}

function withKnownRoles(input: NewModel['workflows'][number], { roles }: Model): NewModel['workflows'][number] {
  const transitions = input.transitions.map((transition) => ({
    ...transition,
    allowedRoleIds: transition.allowedRoleIds.filter((id) => roles.has(id)),
  }))
  return { ...input, transitions }
}

/** @throws VALIDATION_ERROR */
function assertParentsFirst(categories: readonly Category[]): void {
  const before = new Map<string, string>()
  for (const { id, parentId, catalogId } of categories) {
    if (before.has(id)) throw invalid(`categories: the ID '${id}' occurs twice`)
    if (parentId !== null && before.get(parentId) !== catalogId)
      throw invalid(`The category '${id}' names the parent '${parentId}', which does not stand before it`)
    before.set(id, catalogId)
  }
}
