// The use case of checking values before a write. It reports all faults that the write would refuse, and missing values
// that a state requires. The caller sees only faults that the caller may know. Nothing is written. Contract 3 §2.
import { invalid, notFound, shorten } from '../../kernel/errors.ts'
import { RecordId } from '../../kernel/input/validation.ts'
import { parse } from '../../kernel/input/parse.ts'
import { tallyCompleteness } from './rules/completeness.ts'
import { stateToScore } from './rules/transition.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { mayKnow } from '../model/rules/hidden-rules.ts'
import { parseValues, scopedValues, stringifyValues, type Values } from './rules/record.ts'
import {
  checkAccess,
  type DraftScore,
  MAX_ISSUES,
  type RecordCheck,
  type RecordCheckResult,
  requiredIssue,
  scoreDraft,
} from './rules/record-issues.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { isQuicklyScored } from './rules/score-cost.ts'
import { mergePatch } from './rules/scoped-patch.ts'
import { parseScopeKey } from '../scopes/scope.ts'
import { describeTaken, isPlainObject, readEach, replaceValues, uniqueKeys } from '../values/values.ts'
import { FaultList } from '../values/value-fault.ts'
import type { Reads, Store } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertState } from './record-completeness.ts'
import { judgeFiles } from './naming-files.ts'
import { assertParent, initialState } from './records.ts'
import { describeBroken, findBroken } from './record-writing.ts'
import { notesToHold } from '../model/rules/model-change.ts'

/** The record that the values belong to. */
interface Target {
  readonly id: string
  /** Undefined for a new record. */
  readonly record: StoredRecord | undefined
  readonly parent: StoredRecord | undefined
  readonly schema: Schema
  readonly model: Model
}

interface Draft extends Target {
  readonly faults: FaultList
  readonly values: Values
  readonly valuesJson: string
  readonly stateId: string
}

/** Replaces the ID of a new record: no record has this ID. */
const NEW_RECORD = ''

export function createRecordCheckService({ store }: { store: Store }) {
  return {
    /**
     * @throws NOT_FOUND for an unknown ID without a schema
     * @throws VALIDATION_ERROR for a schema, parent or state that does not exist or does not belong to the record
     * @throws VALIDATION_ERROR for an ID that no record may have, and for values that are no map
     * @throws UNAVAILABLE if completeness exceeds its time
     */
    async check(caller: Caller, input: RecordCheck, signal: AbortSignal): Promise<RecordCheckResult> {
      const draft = await store.snapshot((reads) => makeDraft(reads, caller, input))
      const { required, ...score } = await scoreOf(store, draft, caller, signal)
      for (const field of required) draft.faults.add(requiredIssue(field, draft.stateId))
      const completeness = { entityId: draft.record?.id ?? null, lifecycleStateId: draft.stateId, ...score }
      return { issues: draft.faults.faults, completeness }
    },
  }
}

async function makeDraft(reads: Reads, caller: Caller, input: RecordCheck): Promise<Draft> {
  const target = await findTarget(reads, input)
  const { record, schema, model } = target
  const workflow = model.workflows.get(schema.workflowId)!
  if (input.stateId !== undefined) assertState(workflow, input.stateId)
  const stateId = input.stateId ?? stateToScore(workflow, record?.lifecycleStateId ?? initialState(schema, model))
  const faults = new FaultList(MAX_ISSUES)
  const before = record === undefined ? {} : parseValues(record)
  const isPatch = input.mode === 'patch'
  const { role } = caller
  const readable = isPlainObject(input.values) ? checkAccess(input.values, role, schema.id, faults) : input.values
  const given = readEach(readable, schema, model, { stored: () => before, keepsNull: isPatch, faults })
  const merged = isPatch ? mergePatch(before, given) : given
  const update = await judgeFiles(reads, caller, { schema, values: merged, known: before }, faults)
  const values = replaceValues(before, update)
  if (!faults.isFull) await checkReferences(reads, { ...target, faults }, update, before)
  if (!faults.isFull) await checkUnique(reads, { ...target, faults }, values, Object.keys(update))
  return { ...target, faults, values, valuesJson: stringifyValues(values), stateId }
}

async function findTarget(reads: Reads, { id, schemaId, parentId }: RecordCheck): Promise<Target> {
  const model = await reads.model()
  const record = id === undefined ? undefined : await reads.records.get(id)
  if (record === undefined) {
    if (schemaId === undefined && id !== undefined) throw notFound('Record', id)
    if (schemaId === undefined) throw invalid('schemaId is required where there is no id')
    const schema = model.schemas.get(schemaId)
    if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
    if (id !== undefined) parse(RecordId, id, 'id')
    const parent = typeof parentId === 'string' ? await assertParent(reads, parentId, schema) : undefined
    return { id: id ?? NEW_RECORD, record, parent, schema, model }
  }
  if (schemaId !== undefined && schemaId !== record.schemaId)
    throw invalid(`schemaId cannot change: the record '${record.id}' has the schema '${record.schemaId}'`)
  if (parentId !== undefined && parentId !== record.parentId)
    throw invalid(`parentId cannot change: the record '${record.id}' has ${JSON.stringify(record.parentId)}`)
  const parent = record.parentId === null ? undefined : await reads.records.get(record.parentId)
  // A schema cannot be deleted while it has records.
  return { id: record.id, record, parent, schema: model.schemas.get(record.schemaId)!, model }
}

async function checkReferences(
  reads: Reads,
  { id, schema, faults }: Target & { readonly faults: FaultList },
  update: Values,
  before: Values,
): Promise<void> {
  for (const broken of await findBroken(reads, schema, id, update, before)) {
    const { alias, recordId } = broken
    const { records } = dataTypeOf(schema.attribute(alias)!)
    for (const { scope, value } of scopedValues(update, alias))
      if (records!.named(value).includes(recordId))
        faults.add({ attributeAlias: alias, scope, code: 'reference', message: describeBroken(broken) })
  }
}

async function checkUnique(
  reads: Reads,
  { id, schema, model, faults }: Target & { readonly faults: FaultList },
  values: Values,
  aliases: readonly string[],
): Promise<void> {
  const changed = new Set(aliases)
  const keys = notesToHold(uniqueKeys, values, schema, model).filter(({ alias }) => changed.has(alias))
  for (const key of await reads.records.takenUniqueKeys({ id, schemaId: schema.id }, keys))
    faults.add({
      attributeAlias: key.alias,
      scope: parseScopeKey(key.scope),
      code: 'unique',
      message: describeTaken(key),
    })
}

/** Scores on this thread if it is quick, otherwise in a reader thread. */
async function scoreOf(store: Store, draft: Draft, caller: Caller, signal: AbortSignal): Promise<DraftScore> {
  const { faults, parent, schema, model, stateId, values, valuesJson } = draft
  const faulty = faults.faults.filter(({ code }) => !['permission', 'reference', 'unique'].includes(code))
  const { role, id: callerId } = caller
  const characters = valuesJson.length + (parent?.valuesJson.length ?? 0)
  if (isQuicklyScored(schema, [stateId], model, characters)) {
    const layers = { own: values, inherited: parent === undefined ? null : parseValues(parent) }
    return scoreDraft(tallyCompleteness({ layers, schema, model }, stateId, mayKnow(role, schema.id)), faulty)
  }
  const fields = faulty.map(({ attributeAlias, scope }) => ({ attributeAlias, scope }))
  const query = {
    schemaId: schema.id,
    parentId: parent?.id ?? null,
    valuesJson,
    stateId,
    faulty: fields,
    role,
    callerId,
  }
  return store.read.completeness.draft(query, signal)
}
