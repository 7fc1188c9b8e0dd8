// Changes of the model that stored records must follow, and the rules for writers meanwhile: a written value must fit
// the present and the new definition. Contract 2 §3, 3 §9.3.
import { type Dimension, removedSegments } from './dimension.ts'
import { conflict } from '../../../kernel/errors.ts'
import type { Model, PendingChanges, Schema, SchemaDefinition } from './model.ts'
import type { ChangeOrigin } from '../../records/rules/changes.ts'
import { scopedValues, type Values } from '../../records/rules/record.ts'
import { endangeredAliases, fitValues, misfits } from './schema-changes.ts'
import { describeScope, type RecordReference, valueLinks, type UniqueKey, uniqueKeys } from '../../values/values.ts'
import type { Attribute } from './attributes.ts'
import { scopeKey, segmentOf } from '../../scopes/scope.ts'

/**
 * look: searches values that the change forbids. claim: stores unique keys of both definitions. drop: removes values
 * that do not fit. undo: the change is cancelled, and its claimed keys are released. clear: the change is made, and
 * keys of the old definition are released.
 */
export type ModelChangeStage = 'look' | 'claim' | 'drop' | 'undo' | 'clear'

interface Change<Kind extends string, Definition> {
  /** The `changeId` of kind and definition: each has at most one change at a time. */
  readonly id: string
  readonly kind: Kind
  readonly stage: ModelChangeStage
  readonly before: Definition
  readonly after: Definition
  /** The caller of the change, and the caller's role. */
  readonly callerId: string
  readonly roleId: string
  /** The bulk job that makes the change, also after a restart; undefined: a restart undoes the change. */
  readonly jobId?: string
  /** Undefined: a request, or the bulk job. */
  readonly origin?: ChangeOrigin | undefined
}

export type SchemaChange = Change<'schema', SchemaDefinition>
export type DimensionChange = Change<'dimension', Dimension>
export type ModelChange = SchemaChange | DimensionChange

export function changeId(kind: ModelChange['kind'], id: string): string {
  return `${kind} ${id}`
}

/** Returns the pending changes; undefined, in most cases: none. @param asSchema prepares a schema for look-ups */
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

/** One write of a record, in the members that a pending change of the model needs. */
interface RecordWrite {
  readonly schema: Schema
  /** The written attributes, without unchanged ones. */
  readonly update: Values
  readonly before: Values
  readonly after: Values
  /** The state that the record enters; undefined: its state stays. */
  readonly stateId?: string
}

/** The unique keys of a record that one write replaces. */
export interface UniqueKeyChange {
  readonly before: readonly UniqueKey[]
  readonly after: readonly UniqueKey[]
  /** True: `after` contains keys of a new definition of the schema. */
  readonly isForNewDefinition: boolean
}

/**
 * Returns the unique keys that the write replaces; undefined: they stay. @throws CONFLICT if a value, or the state,
 * does not fit a pending change
 */
export function checkWrite(write: RecordWrite, model: Model): UniqueKeyChange | undefined {
  const { schema, update, before, after, stateId } = write
  const { pending } = model
  if (pending !== undefined) {
    assertValuesFit(update, schema, pending)
    if (stateId !== undefined) assertStateFitsPending(stateId, schema, model)
  }
  const next = pending?.schemas.get(schema.id)
  // While keys are released, every write of a record releases the record's keys.
  const isReleasing = pending?.releasing.has(schema.id) === true
  const isUnique = (alias: string): boolean =>
    schema.attribute(alias)?.unique === true || next?.attribute(alias)?.unique === true
  if (!isReleasing && !Object.keys(update).some(isUnique)) return undefined
  return {
    before: notesKept(uniqueKeys, before, schema, model),
    after: notesToHold(uniqueKeys, after, schema, model),
    isForNewDefinition: next !== undefined,
  }
}

function assertValuesFit(values: Values, schema: Schema, pending: PendingChanges): void {
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

/** @throws CONFLICT if the schema's future workflow lacks the state */
export function assertStateFitsPending(stateId: string, schema: Schema, { pending, workflows }: Model): void {
  const after = pending?.schemas.get(schema.id)
  if (after === undefined || after.workflowId === schema.workflowId) return
  if (workflows.get(after.workflowId)?.states.some((state) => state.id === stateId) === true) return
  throw conflict(
    `The schema '${schema.id}' is getting the workflow '${after.workflowId}', which has no state '${stateId}'`,
  )
}

/** The references of a record that one write replaces. */
export interface ReferenceChange {
  readonly before: readonly RecordReference[]
  readonly after: readonly RecordReference[]
}

/** Returns the stored references that the write replaces; undefined: they stay. */
export function changedReferences(
  { schema, update, before, after }: Omit<RecordWrite, 'stateId'>,
  model: Pick<Model, 'pending'>,
): ReferenceChange | undefined {
  const { pending } = model
  const next = pending?.schemas.get(schema.id)
  const isReleasing = pending?.releasing.has(schema.id) === true
  const isUpdated = ({ alias }: Attribute): boolean => Object.hasOwn(update, alias)
  const isNaming = schema.naming.some(isUpdated) || next?.naming.some(isUpdated) === true
  if (!isReleasing && !isNaming) return undefined
  return { before: notesKept(valueLinks, before, schema, model), after: notesToHold(valueLinks, after, schema, model) }
}

/** Returns the data that is stored beside a record: its unique keys (`uniqueKeys`), or its references (`valueLinks`). */
type Notes<Note> = (values: Values, schema: Schema) => Note[]

/** Returns the notes that a record must have, by the present and the future definition. */
export function notesToHold<Note>(
  notes: Notes<Note>,
  values: Values,
  schema: Schema,
  model: Pick<Model, 'pending'>,
): Note[] {
  const after = model.pending?.schemas.get(schema.id)
  return after === undefined ? notes(values, schema) : notesOfBoth(notes, values, schema, after)
}

/** Returns the notes that may be stored for a record: some may be left over while they are released. */
export function notesKept<Note>(
  notes: Notes<Note>,
  values: Values,
  schema: Schema,
  model: Pick<Model, 'pending'>,
): Note[] {
  const releasing = model.pending?.releasing.get(schema.id)
  return releasing === undefined ? notesToHold(notes, values, schema, model) : notesOfBoth(notes, values, ...releasing)
}

/** The notes of the values under both definitions. */
export function notesOfBoth<Note>(notes: Notes<Note>, values: Values, before: Schema, after: Schema): Note[] {
  const kept = fitValues(values, endangeredAliases(before, after), before, after)
  const all = [...notes(values, before), ...notes(kept, after)]
  return [...new Map(all.map((note) => [JSON.stringify(note), note])).values()]
}
