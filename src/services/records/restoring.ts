// Bringing a version of a record back: its values, or the whole record where it is deleted. It is checked as any write is.
// Contract 3 §3, 3 §10; order of checks as in `records.ts`.
import {
  assertCanWrite,
  assertPermission,
  canRead,
  hasPermission,
  type Permission,
} from '../../domain/accounts/permissions.ts'
import { type ChangeOrigin, LIFECYCLE_CHANGE } from '../../domain/records/changes.ts'
import { denied, invalid, PimletError, shorten } from '../../domain/errors.ts'
import { assertStateFitsPending } from '../../domain/model/model-change.ts'
import type { Schema } from '../../domain/model/model.ts'
import type { PastRecord } from '../../domain/records/past-record.ts'
import { readScopes, valuesToRestore } from '../../domain/records/restoring.ts'
import { withoutEmptyAttributes, readValues } from '../../domain/values/values.ts'
import type { Transaction } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { parseValues } from './readable-records.ts'
import { assignCategories } from './record-categories.ts'
import { appendAudit, findModelOf, updateValues } from './record-writing.ts'
import { createRecord } from './records.ts'
import type { RecordVersion } from './versions.ts'

const ORIGIN: ChangeOrigin = { kind: 'restore' }

/** As the client sent it. */
export interface RestoreInput {
  readonly version: number
  readonly attributeAliases?: readonly string[] | undefined
  /** Checked here. */
  readonly scopes?: unknown
}

export interface Restoring {
  readonly id: string
  readonly input: RestoreInput
  readonly past: RecordVersion
  readonly ifMatch: IfMatch
  readonly maxRecords: number
}

/** What a caller needs of: the first to change a record, the second to bring one back. */
const NEEDED: readonly Permission[] = ['records.update', 'records.create']

/** @throws PERMISSION_DENIED for who may not restore anything */
export function assertMayRestore({ role }: Caller): void {
  if (!NEEDED.some((permission) => hasPermission(role, permission)))
    throw denied(`Your role lacks the permissions '${NEEDED.join("' and '")}'`)
}

/** @throws as any change of a record does */
export async function restoreRecord(
  tx: Transaction,
  system: System,
  caller: Caller,
  restoring: Restoring,
): Promise<StoredRecord> {
  const stored = await tx.records.get(restoring.id)
  if (stored === undefined) return revive(tx, system, caller, restoring)
  assertPermission(caller.role, 'records.update')
  assertMatches(restoring.ifMatch, stored.version)
  const { input, past } = restoring
  if (past.record.schemaId !== stored.schemaId)
    throw invalid(
      `version ${past.version} is of the schema '${past.record.schemaId}', which is not the record's any more`,
    )
  const { model, schema } = await findModelOf(tx, stored)
  const before = parseValues(stored)
  assertAliases(caller, input, schema, past.record)
  const choice = { attributeAliases: input.attributeAliases, scopes: readScopes(input.scopes, model) }
  // What the caller cannot see is not its to bring back: it would not know what it does.
  const isOpen = (alias: string): boolean => canRead(caller.role, schema.id, alias)
  const wanted = valuesToRestore(past.record.values, before, choice, isOpen)
  const update = readValues(wanted, schema, model, () => before)
  return updateValues(tx, system, caller, { record: stored, schema, update, origin: ORIGIN })
}

/** Makes a deleted record again, under its ID, with state, parent and categories as far as they still exist. */
async function revive(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, input, past, ifMatch, maxRecords }: Restoring,
): Promise<StoredRecord> {
  const { record, version } = past
  assertPermission(caller.role, 'records.create')
  if (ifMatch !== undefined)
    throw new PimletError('PRECONDITION_FAILED', `If-Match names a version, but the record '${id}' is deleted`)
  const model = await tx.model()
  const schema = model.schemas.get(record.schemaId)
  if (schema === undefined)
    throw invalid(`version ${version} is of the schema '${record.schemaId}', which does not exist any more`)
  assertAliases(caller, input, schema, record)
  const choice = { attributeAliases: input.attributeAliases, scopes: readScopes(input.scopes, model) }
  const categoryIds = await tx.categories.existing(record.categories.map(({ categoryId }) => categoryId))
  const places = record.categories.filter(({ categoryId }) => categoryIds.has(categoryId))
  if (places.length > 0) assertPermission(caller.role, 'categories.write')
  const made = await createRecord(
    tx,
    system,
    caller,
    {
      id,
      schemaId: schema.id,
      parentId: await findParent(tx, record),
      values: withoutEmptyAttributes(valuesToRestore(record.values, {}, choice, () => true)),
      origin: ORIGIN,
      created: { at: record.createdAt, by: record.createdBy },
    },
    maxRecords,
  )
  const moved = await putInState(tx, system, caller, { record: made, schema, stateId: record.lifecycleStateId })
  return assignCategories(tx, system, caller, { record: moved, places, origin: ORIGIN })
}

/** Null where it is gone, or can be no parent any more. */
async function findParent(tx: Transaction, { parentId, schemaId }: PastRecord): Promise<string | null> {
  const parent = parentId === null ? undefined : await tx.records.get(parentId)
  return parent !== undefined && parent.schemaId === schemaId && parent.parentId === null ? parent.id : null
}

interface Move {
  readonly record: StoredRecord
  readonly schema: Schema
  readonly stateId: string
}

/** As a transition of its own, which is checked by no gate: the record has been there. Where the state is gone, nothing. */
async function putInState(
  tx: Transaction,
  system: System,
  caller: Caller,
  { record, schema, stateId }: Move,
): Promise<StoredRecord> {
  const model = await tx.model()
  const isThere = model.workflows.get(schema.workflowId)?.states.some(({ id }) => id === stateId) === true
  const oldValue = record.lifecycleStateId
  if (!isThere || stateId === oldValue) return record
  assertStateFitsPending(stateId, schema, model)
  const version = appendAudit(tx, system, caller, {
    recordId: record.id,
    schemaId: schema.id,
    action: 'transition',
    changes: [{ attributeAlias: LIFECYCLE_CHANGE, scope: {}, oldValue, newValue: stateId }],
    timestamp: record.updatedAt,
    origin: ORIGIN,
  })
  const moved: StoredRecord = { ...record, lifecycleStateId: stateId, version }
  await tx.records.update(record, moved)
  return moved
}

/**
 * @throws VALIDATION_ERROR naming an alias that neither the schema nor the version has; PERMISSION_DENIED for one that the caller
 * may not write, also where nothing has changed: that is not to be found out so
 */
function assertAliases(
  { role }: Caller,
  { attributeAliases = [] }: RestoreInput,
  schema: Schema,
  { values }: PastRecord,
): void {
  const unknown = attributeAliases.find(
    (alias) => schema.attribute(alias) === undefined && !Object.hasOwn(values, alias),
  )
  if (unknown !== undefined)
    throw invalid(`attributeAliases names '${shorten(unknown, 64)}', which the schema '${schema.id}' does not define`)
  assertCanWrite(role, schema.id, attributeAliases)
}
