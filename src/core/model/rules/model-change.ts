// Changes of the model that stored records have to follow, and what they mean for those who write records meanwhile: what
// is written must fit the definition as it is and as it will be. Contract 2 §3, 3 §9.3.
import { type Dimension, removedSegments } from './dimension.ts'
import { conflict } from '../../../kernel/errors.ts'
import type { Model, PendingChanges, Schema, SchemaDefinition } from './model.ts'
import { scopedValues, type Values } from '../../records/rules/record.ts'
import { endangeredAliases, fitValues, misfits } from './schema-changes.ts'
import { describeScope, type UniqueKey, uniqueKeys } from '../../values/values.ts'
import { scopeKey, segmentOf } from '../../scopes/scope.ts'

/**
 * look: are there values that the change forbids? claim: unique values are noted for both definitions. drop: values that
 * fit no longer are removed. undo: the change does not happen, and what was claimed for it is given back. clear: it has
 * happened, and unique values are noted that need not be any more.
 */
export type ModelChangeStage = 'look' | 'claim' | 'drop' | 'undo' | 'clear'

interface Change<Kind extends string, Definition> {
  /** `changeId` of kind and definition: there is one change of each at a time. */
  readonly id: string
  readonly kind: Kind
  readonly stage: ModelChangeStage
  readonly before: Definition
  readonly after: Definition
  /** Who asked for it, with which role. */
  readonly callerId: string
  readonly roleId: string
  /** The bulk job that carries it out, and goes on with it at the next start; without it, a change is undone then. */
  readonly jobId?: string
}

export type SchemaChange = Change<'schema', SchemaDefinition>
export type DimensionChange = Change<'dimension', Dimension>
export type ModelChange = SchemaChange | DimensionChange

export function changeId(kind: ModelChange['kind'], id: string): string {
  return `${kind} ${id}`
}

/** Undefined where there is nothing to regard, as there mostly is. `asSchema` makes a schema ready to look things up. */
export function pendingChanges(
  changes: readonly ModelChange[],
  asSchema: (definition: SchemaDefinition) => Schema,
): PendingChanges | undefined {
  if (changes.length === 0) return undefined
  const schemas = new Map<string, Schema>()
  const segments = new Map<string, ReadonlySet<string>>()
  const releasing = new Map<string, readonly [Schema, Schema]>()
  for (const { kind, stage, before, after } of changes) {
    if (kind === 'dimension') segments.set(after.id, new Set(removedSegments(before, after)))
    else if (stage === 'undo' || stage === 'clear') releasing.set(after.id, [asSchema(before), asSchema(after)])
    else schemas.set(after.id, asSchema(after))
  }
  return { schemas, segments, releasing }
}

/** @throws CONFLICT where a change that is under way has no place for one of the values */
export function assertFitsPending(values: Values, schema: Schema, { pending }: Model): void {
  if (pending === undefined) return
  const after = pending.schemas.get(schema.id)
  for (const alias of Object.keys(values)) {
    const [misfit] = after === undefined ? [] : misfits(values, alias, after)
    if (misfit !== undefined)
      throw conflict(
        `values.${alias} does not fit the new definition of the schema '${schema.id}', in scope ${describeScope(scopeKey(misfit.scope))}`,
      )
    const [dimensionId] = pending.segments.size === 0 ? [] : goingSegment(values, alias, pending)
    if (dimensionId !== undefined)
      throw conflict(`values.${alias} is scoped to a segment that is being removed from the dimension '${dimensionId}'`)
  }
}

function goingSegment(values: Values, alias: string, { segments }: PendingChanges): string[] {
  return [...segments.keys()].filter((dimensionId) =>
    scopedValues(values, alias).some(({ scope }) => {
      const segment = segmentOf(scope, dimensionId)
      return segment !== undefined && segments.get(dimensionId)!.has(segment)
    }),
  )
}

/** @throws CONFLICT where the schema is being given a workflow without the state */
export function assertStateFitsPending(stateId: string, schema: Schema, { pending, workflows }: Model): void {
  const after = pending?.schemas.get(schema.id)
  if (after === undefined || after.workflowId === schema.workflowId) return
  if (workflows.get(after.workflowId)?.states.some((state) => state.id === stateId) === true) return
  throw conflict(
    `The schema '${schema.id}' is getting the workflow '${after.workflowId}', which has no state '${stateId}'`,
  )
}

/** The unique values to note for a record: those of the schema, and of what it is being changed to. */
export function uniqueKeysToHold(values: Values, schema: Schema, { pending }: Pick<Model, 'pending'>): UniqueKey[] {
  const after = pending?.schemas.get(schema.id)
  return after === undefined ? uniqueKeys(values, schema) : uniqueKeysOfBoth(values, schema, after)
}

/** The unique values that may be noted for a record with these values: more than it has to hold, where some are given back. */
export function uniqueKeysNoted(values: Values, schema: Schema, model: Pick<Model, 'pending'>): UniqueKey[] {
  const releasing = model.pending?.releasing.get(schema.id)
  return releasing === undefined ? uniqueKeysToHold(values, schema, model) : uniqueKeysOfBoth(values, ...releasing)
}

/** Those of the values as they are, and as they will be. */
export function uniqueKeysOfBoth(values: Values, before: Schema, after: Schema): UniqueKey[] {
  const kept = fitValues(values, endangeredAliases(before, after), before, after)
  const keys = [...uniqueKeys(values, before), ...uniqueKeys(kept, after)]
  return [...new Map(keys.map((key) => [JSON.stringify([key.alias, key.scope, key.key]), key])).values()]
}

/** Whether a write of the attributes `aliases` may change which unique values are to be noted for the record. */
export function changesUniqueKeys(
  aliases: readonly string[],
  schema: Schema,
  { pending }: Pick<Model, 'pending'>,
): boolean {
  if (pending?.releasing.has(schema.id) === true) return true
  const after = pending?.schemas.get(schema.id)
  return aliases.some((alias) => schema.attribute(alias)?.unique === true || after?.attribute(alias)?.unique === true)
}
