// Schemas: the attributes of records of one kind. Contract 2 §3.
import * as v from 'valibot'
import { type Attribute, AttributeInput, defineAttribute, findAttributeFault } from './attributes.ts'
import { ScopeInput } from '../../search/rules/criterion.ts'
import { invalid } from '../../../kernel/errors.ts'
import { findById } from '../../../kernel/found-by-id.ts'
import { keepNames, NamesInput } from './names.ts'
import { definePresentation, presentationInput } from './presentation.ts'
import type { Model, SchemaDefinition } from './model.ts'
import { PatternBudget } from '../../values/patterns.ts'
import { countCombinations, type Scope, type SegmentedDimension } from '../../scopes/scope.ts'
import { firstDuplicate, Id, listOf, Name, NewId } from '../../../kernel/input/validation.ts'

export const SchemaInput = v.object({
  id: v.optional(NewId),
  name: Name,
  names: v.optional(NamesInput),
  workflowId: v.optional(Id, 'wf-default'),
  attributes: v.optional(listOf(AttributeInput, 1000), []),
  combinations: v.optional(v.nullable(listOf(ScopeInput, 10_000)), null),
  ...presentationInput,
})

/** The most combinations. With more, one completeness score or one search would examine too many values. */
const MAX_COMBINATIONS = 10_000
/**
 * The most combinations of all attributes that any state requires: one score reads each of them, and may list each as
 * missing.
 */
const MAX_REQUIRED = 100_000

/**
 * The most combinations that all guards read: those of the attribute that a criterion names, or of the guarded
 * attribute.
 */
const MAX_GUARDED = 1_000_000

/**
 * Returns the schema that `input` describes, checked against `model`.
 * @param before the present attributes of the schema: placeholders keep their guards
 * @throws VALIDATION_ERROR naming the attribute and field that do not fit
 */
export function defineSchema(
  input: v.InferOutput<typeof SchemaInput>,
  identity: { id: string; createdAt: string; updatedAt: string },
  model: Model,
  before: readonly Attribute[] = [],
): SchemaDefinition {
  const stored = new Map(before.map((attribute) => [attribute.alias, attribute]))
  const attributes = input.attributes.map((attribute) => defineAttribute(attribute, stored.get(attribute.alias)))
  const schema: SchemaDefinition = {
    id: identity.id,
    name: input.name,
    ...keepNames(input.names),
    workflowId: input.workflowId,
    attributes,
    combinations: input.combinations,
    ...definePresentation(input, attributes),
    createdAt: identity.createdAt,
    updatedAt: identity.updatedAt,
  }
  const workflow = model.workflows.get(schema.workflowId)
  if (workflow === undefined) throw invalid(`workflowId names the unknown workflow '${schema.workflowId}'`)
  const twice = firstDuplicate(attributes.map((attribute) => attribute.alias))
  if (twice !== undefined) throw invalid(`attributes: the alias '${twice}' occurs twice`)
  const stateIds = new Set(workflow.states.map((state) => state.id))
  const patterns = new PatternBudget()
  for (const attribute of attributes) {
    const fault =
      findAttributeFault(attribute) ??
      findModelFault(attribute, stateIds, model) ??
      findTargetFault(attribute, schema.id, model) ??
      patterns.findFault(attribute)
    if (fault !== undefined) throw invalid(`attribute '${attribute.alias}': ${fault}`)
  }
  const required = findRequiredFault(attributes, model.dimensions)
  if (required !== undefined) throw invalid(`attributes: those that are required make ${required}`)
  const guarded = findGuardedFault(attributes, model.dimensions)
  if (guarded !== undefined) throw invalid(`attributes: the criteria of their guards look at ${guarded}`)
  schema.combinations?.forEach((scope, index) => {
    const fault = findScopeFault(scope, model)
    if (fault !== undefined) throw invalid(`combinations[${index}] ${fault}`)
  })
  return schema
}

function findModelFault(attribute: Attribute, stateIds: ReadonlySet<string>, model: Model): string | undefined {
  const dimension = attribute.dimensionIds.find((id) => !model.dimensions.has(id))
  if (dimension !== undefined) return `dimensionIds names the unknown dimension '${dimension}'`
  const combinations = findCombinationsFault(attribute.dimensionIds, model.dimensions)
  if (combinations !== undefined) return `dimensionIds make ${combinations}`
  const state = attribute.requiredInStateIds.find((id) => !stateIds.has(id))
  if (state !== undefined) return `requiredInStateIds names the unknown state '${state}'`
  return undefined
}

/** Finds a reference to an unknown schema. A schema may refer to itself, even before it exists. */
function findTargetFault({ validation }: Attribute, ownId: string, { schemas }: Model): string | undefined {
  const { schemaId } = validation
  if (schemaId === undefined || schemaId === ownId || schemas.has(schemaId)) return undefined
  return `validation.schemaId names the unknown schema '${schemaId}'`
}

/** Returns a phrase if the segments of an attribute's dimensions make too many combinations; undefined: they do not. */
export function findCombinationsFault(
  dimensionIds: readonly string[],
  dimensions: ReadonlyMap<string, SegmentedDimension>,
): string | undefined {
  if (countCombinations(dimensionIds, dimensions) <= MAX_COMBINATIONS) return undefined
  return `more than ${MAX_COMBINATIONS} combinations of segments`
}

/**
 * Returns a phrase if all attributes that are required in a state together have too many combinations; undefined: they
 * do not.
 */
export function findRequiredFault(
  attributes: readonly Attribute[],
  dimensions: ReadonlyMap<string, SegmentedDimension>,
): string | undefined {
  const required = attributes.filter((attribute) => attribute.requiredInStateIds.length > 0)
  const count = required.reduce((sum, { dimensionIds }) => sum + countCombinations(dimensionIds, dimensions), 0)
  return count <= MAX_REQUIRED ? undefined : `more than ${MAX_REQUIRED} combinations of segments`
}

/** Returns the fault of the criteria of all guards together; undefined: none. */
export function findGuardedFault(
  attributes: readonly Attribute[],
  dimensions: ReadonlyMap<string, SegmentedDimension>,
): string | undefined {
  const combinations = new Map(attributes.map((item) => [item.alias, countCombinations(item.dimensionIds, dimensions)]))
  let count = 0
  for (const { alias, guard } of attributes)
    for (const { attributeAlias } of guard?.criteria ?? [])
      count += Math.max(combinations.get(alias)!, combinations.get(attributeAlias) ?? 0)
  return count <= MAX_GUARDED ? undefined : `more than ${MAX_GUARDED} combinations of segments`
}

/** Returns the fault of a scope's dimensions or segments, as the rest of a sentence; undefined: none. */
export function findScopeFault(scope: Scope, model: Model): string | undefined {
  for (const [dimensionId, segmentId] of Object.entries(scope)) {
    const dimension = model.dimensions.get(dimensionId)
    if (dimension === undefined) return `names the unknown dimension '${dimensionId.slice(0, 128)}'`
    if (findById(dimension.segments, segmentId) === undefined)
      return `names the unknown segment '${segmentId.slice(0, 128)}' of dimension '${dimensionId}'`
  }
  return undefined
}
