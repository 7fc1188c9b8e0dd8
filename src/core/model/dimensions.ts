// The use cases of dimensions and their segments. Dimensions and segments stay while an attribute, a value, a schema or an
// export job uses them. Contract 2 §3.
import type * as v from 'valibot'
import { defineDimension, type Dimension, type DimensionInput, removedSegments } from './rules/dimension.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import type { Model } from './rules/model.ts'
import { findCombinationsFault, findGuardedFault, findRequiredFault } from './rules/schema.ts'
import {
  describeJob,
  exportedSegments,
  findDimensionUse,
  findSegmentUse,
  isScopedBy,
  type SegmentUse,
} from './rules/usage.ts'
import type { ModelEffects } from './rules/model-preview.ts'
import { eachOf } from '../../store/each-of.ts'
import type { Transaction } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertDimensionRests } from './changes/interference.ts'
import type { ChangingDeps } from './changes/model-changes.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { searchOf } from './job-uses.ts'
import { type ModelChanger, noteModelChange } from './model-entries.ts'
import { replaceSegments } from './changes/segment-removal.ts'

type Input = v.InferOutput<typeof DimensionInput>

export function createDimensionService(deps: ChangingDeps) {
  const { store, system } = deps
  return {
    /** In the order of creation. */
    list: (_caller: Caller): AsyncGenerator<readonly Dimension[], void> => store.read.dimensions.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Dimension> => store.read.dimensions.find(id),

    /** @throws VALIDATION_ERROR, CONFLICT for an ID that exists */
    async create(caller: Caller, input: Input): Promise<Dimension> {
      const dimension = defineDimension(input.id ?? system.newId('dim'), input)
      return store.transaction(async (tx) => {
        await tx.dimensions.insert(dimension)
        noteModelChange(tx, system, caller, { entityType: 'dimension', after: dimension })
        return keepAnswer(tx, caller, dimension)
      })
    },

    /**
     * @throws NOT_FOUND, VALIDATION_ERROR, UNAVAILABLE
     * @throws CONFLICT for a removed segment that is in use, or while the dimension is being changed already
     */
    replace: async (caller: Caller, id: string, input: Input): Promise<Dimension> =>
      replaceDimension({ ...deps, caller }, defineDimension(id, input)),

    /**
     * Previews the effects of a replacement on the records of the schemas that the dimension scopes; nothing is
     * changed.
     * @throws NOT_FOUND, VALIDATION_ERROR; UNAVAILABLE if the preview exceeds its time
     */
    async preview(
      { role, id: callerId }: Caller,
      id: string,
      input: Input,
      signal: AbortSignal,
    ): Promise<ModelEffects> {
      const dimension = defineDimension(id, input)
      await store.read.dimensions.find(id)
      const model = await store.read.model()
      assertFewCombinations(model, dimension)
      const scoped = [...model.schemas.values()].filter((schema) => isScopedBy(schema, id))
      return store.read.preview({ dimension, schemaIds: scoped.map((schema) => schema.id), role, callerId }, signal)
    },

    /** @throws NOT_FOUND, CONFLICT while the dimension is in use */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction((tx) => removeDimension(tx, { system, caller }, id)),
  }
}

/** @throws as replacing a dimension does */
export function replaceDimension(deps: ChangingDeps & ModelChanger, after: Dimension): Promise<Dimension> {
  return replaceSegments(deps, deps.caller, after, {
    decide: (tx) => assertReplaceable(tx, after),
    replace: async (tx) => writeDimension(tx, deps, await assertReplaceable(tx, after), after),
  })
}

/** Writes a dimension that may be replaced. */
async function writeDimension(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  before: Dimension,
  after: Dimension,
): Promise<void> {
  await tx.dimensions.update(after)
  noteModelChange(tx, system, caller, { entityType: 'dimension', before, after, origin })
  if (removedSegments(before, after).length > 0 || removedSegments(after, before).length > 0)
    await reindexScopedBy(tx, await tx.model(), after.id)
}

/** Adds segments to a dimension that exists. @throws VALIDATION_ERROR; CONFLICT while the dimension is being changed */
export async function growDimension(tx: Transaction, changer: ModelChanger, after: Dimension): Promise<void> {
  const before = await assertReplaceable(tx, after)
  await assertDimensionRests(tx, after.id)
  await writeDimension(tx, changer, before, after)
}

/** @throws as deleting a dimension does */
export async function removeDimension(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  id: string,
): Promise<void> {
  const before = await tx.dimensions.find(id)
  await assertDimensionRests(tx, id)
  const model = await tx.model()
  // Dimensions of its attribute scope a stored value. If no attribute has the dimension, no value does.
  const use = findDimensionUse(model.schemas.values(), id) ?? (await findExport(tx, id, () => true))?.use
  if (use !== undefined) throw conflict(`The dimension '${id}' is used by ${use}`)
  await tx.dimensions.delete(id)
  noteModelChange(tx, system, caller, { entityType: 'dimension', before, origin })
}

/**
 * Checks everything except stored values. Resolves to the present dimension. @throws NOT_FOUND, VALIDATION_ERROR,
 * CONFLICT
 */
async function assertReplaceable(tx: Transaction, after: Dimension): Promise<Dimension> {
  const before = await tx.dimensions.find(after.id)
  const model = await tx.model()
  const removed = new Set(removedSegments(before, after))
  const used =
    findSegmentUse(model.schemas.values(), after.id, removed) ??
    (removed.size > 0 ? await findExport(tx, after.id, (segmentId) => removed.has(segmentId)) : undefined)
  if (used !== undefined)
    throw conflict(`The segment '${used.segmentId}' of the dimension '${after.id}' is used by ${used.use}`)
  assertFewCombinations(model, after)
  return before
}

/** Finds the first segment that an export job names, among the segments of the dimension that `isMeant` accepts. */
async function findExport(
  tx: Transaction,
  dimensionId: string,
  isMeant: (segmentId: string) => boolean,
): Promise<SegmentUse | undefined> {
  for await (const job of eachOf(tx.exportJobs)) {
    const segmentId = exportedSegments(job, await searchOf(tx, job), dimensionId).find(isMeant)
    if (segmentId !== undefined) return { segmentId, use: describeJob(job) }
  }
  return undefined
}

/** Checks every attribute that the dimension scopes, because combinations multiply. */
function assertFewCombinations(model: Model, after: Dimension): void {
  const dimensions = new Map(model.dimensions).set(after.id, after)
  for (const schema of model.schemas.values()) {
    if (!isScopedBy(schema, after.id)) continue
    const required = findRequiredFault(schema.attributes, dimensions)
    if (required !== undefined)
      throw invalid(`segments: with these, the attributes that the schema '${schema.id}' requires have ${required}`)
    const guarded = findGuardedFault(schema.attributes, dimensions)
    if (guarded !== undefined)
      throw invalid(`segments: with these, the guards of the schema '${schema.id}' look at ${guarded}`)
    for (const attribute of schema.attributes) {
      if (!attribute.dimensionIds.includes(after.id)) continue
      const fault = findCombinationsFault(attribute.dimensionIds, dimensions)
      if (fault !== undefined)
        throw invalid(
          `segments: with these, the attribute '${attribute.alias}' of the schema '${schema.id}' has ${fault}`,
        )
    }
  }
}

/** The values that a variant inherits depend on the present combinations of segments. */
async function reindexScopedBy(tx: Transaction, model: Model, dimensionId: string): Promise<void> {
  for (const schema of model.schemas.values()) if (isScopedBy(schema, dimensionId)) await tx.records.reindex(schema.id)
}
