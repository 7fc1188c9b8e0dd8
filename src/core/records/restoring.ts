// Restores a version of a record: its values, or the whole record if it is deleted. The checks are those of any write.
// Contract 3 §3, 3 §10; order of checks as in `records.ts`.
import {
  assertCanWrite,
  assertPermission,
  canRead,
  hasPermission,
  type Permission,
} from '../accounts/rules/permissions.ts'
import type { ChangeOrigin } from './rules/changes.ts'
import { denied, invalid, PimletError, shorten } from '../../kernel/errors.ts'
import type { Schema } from '../model/rules/model.ts'
import type { PastRecord } from './rules/past-record.ts'
import { readScopes, valuesToRestore, type RestoreInput } from './rules/restored-values.ts'
import { readValues } from '../values/values.ts'
import type { Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { findModelOf } from './readable-records.ts'
import { updateValues } from './record-writing.ts'
import { reviveRecord } from './reviving.ts'
import type { RecordVersion } from './versions.ts'
import { parseValues } from './rules/record.ts'

const ORIGIN: ChangeOrigin = { kind: 'restore' }

interface Restoring {
  readonly id: string
  readonly input: RestoreInput
  readonly past: RecordVersion
  readonly ifMatch: IfMatch
  readonly maxRecords: number
}

/** The permissions to change a record, and to restore a deleted record. */
const NEEDED: readonly Permission[] = ['records.update', 'records.create']

/** @throws PERMISSION_DENIED for a caller who may not restore anything */
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
      `version ${past.version} is of the schema '${past.record.schemaId}', which is no longer the schema of the record`,
    )
  const { model, schema } = await findModelOf(tx, stored)
  const before = parseValues(stored)
  assertAliases(caller, input, schema, past.record)
  const choice = { attributeAliases: input.attributeAliases, scopes: readScopes(input.scopes, model) }
  // A caller cannot restore values that the caller may not read.
  const isOpen = (alias: string): boolean => canRead(caller.role, schema.id, alias)
  const wanted = valuesToRestore(past.record.values, before, choice, isOpen)
  const update = readValues(wanted, schema, model, () => before)
  return updateValues(tx, system, caller, { record: stored, schema, update, origin: ORIGIN, past: wanted })
}

/** Makes a deleted record again, with the attributes and scopes that `input` names. */
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
    throw invalid(`version ${version} is of the schema '${record.schemaId}', which no longer exists`)
  assertAliases(caller, input, schema, record)
  const choice = { attributeAliases: input.attributeAliases, scopes: readScopes(input.scopes, model) }
  const values = valuesToRestore(record.values, {}, choice, () => true)
  return reviveRecord(tx, system, caller, { id, past: { ...record, values }, origin: ORIGIN, maxRecords })
}

/**
 * @throws VALIDATION_ERROR naming an alias that neither the schema nor the version has
 * @throws PERMISSION_DENIED for an alias that the caller may not write, even if nothing has changed: the answer must not
 *   reveal that
 */
function assertAliases(
  { role }: Caller,
  { attributeAliases = [] }: RestoreInput,
  schema: Schema,
  { values }: PastRecord,
): void {
  // First, since a version may have a hidden value of an attribute that is gone.
  assertCanWrite(
    role,
    schema.id,
    attributeAliases.filter((alias) => !canRead(role, schema.id, alias)),
  )
  const unknown = attributeAliases.find(
    (alias) => schema.attribute(alias) === undefined && !Object.hasOwn(values, alias),
  )
  if (unknown !== undefined)
    throw invalid(`attributeAliases names '${shorten(unknown, 64)}', which the schema '${schema.id}' does not define`)
  assertCanWrite(role, schema.id, attributeAliases)
}
