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
import type { Model, Schema } from '../model/rules/model.ts'
import {
  readScopes,
  type RestoreChoice,
  type RestoreInput,
  valuesToRestore,
  withPresentAliases,
} from './rules/restored-values.ts'
import { readValues } from '../values/values.ts'
import type { Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { findModelOf } from './readable-records.ts'
import { updateValues } from './record-writing.ts'
import { reviveRecord } from './reviving.ts'
import type { FormerAliases } from './renamed-versions.ts'
import type { RecordVersion } from './versions.ts'
import { parseValues, type Values } from './rules/record.ts'

const ORIGIN: ChangeOrigin = { kind: 'restore' }

interface Restoring {
  readonly id: string
  readonly input: RestoreInput
  readonly past: RecordVersion
  readonly former: FormerAliases
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
  const { past } = restoring
  if (past.record.schemaId !== stored.schemaId)
    throw invalid(
      `version ${past.version} is of the schema '${past.record.schemaId}', which is no longer the schema of the record`,
    )
  const { model, schema } = await findModelOf(tx, stored)
  const before = parseValues(stored)
  const { values: then, choice, hidden } = targetOf(caller, restoring, schema, model)
  // A caller cannot restore values that the caller may not read.
  const isOpen = (alias: string): boolean => canRead(caller.role, schema.id, alias) && !hidden.has(alias)
  const wanted = valuesToRestore(then, before, choice, isOpen)
  const update = readValues(wanted, schema, model, () => before)
  return updateValues(tx, system, caller, { record: stored, schema, update, origin: ORIGIN, past: wanted })
}

/** Makes a deleted record again, with the attributes and scopes that `input` names. */
async function revive(tx: Transaction, system: System, caller: Caller, restoring: Restoring): Promise<StoredRecord> {
  const { id, past, ifMatch, maxRecords } = restoring
  const { record, version } = past
  assertPermission(caller.role, 'records.create')
  if (ifMatch !== undefined)
    throw new PimletError('PRECONDITION_FAILED', `If-Match names a version, but the record '${id}' is deleted`)
  const model = await tx.model()
  const schema = model.schemas.get(record.schemaId)
  if (schema === undefined)
    throw invalid(`version ${version} is of the schema '${record.schemaId}', which no longer exists`)
  const { values: then, choice, hidden } = targetOf(caller, restoring, schema, model)
  const values = valuesToRestore(then, {}, choice, () => true)
  assertShown(hidden, Object.keys(values))
  return reviveRecord(tx, system, caller, { id, past: { ...record, values }, origin: ORIGIN, maxRecords })
}

interface Target {
  /** The values of the version under the present aliases. */
  readonly values: Values
  readonly choice: RestoreChoice
  /** Present aliases of attributes whose earlier values the role may not read. */
  readonly hidden: ReadonlySet<string>
}

/**
 * @throws VALIDATION_ERROR naming an alias that neither the schema nor the version has
 * @throws PERMISSION_DENIED for an alias that the caller may not write, even if nothing has changed: the answer must not
 *   reveal that
 */
function targetOf({ role }: Caller, { input, past, former }: Restoring, schema: Schema, model: Model): Target {
  const { attributeAliases = [], scopes } = input
  const { values } = past.record
  const isRead = (alias: string): boolean => canRead(role, schema.id, alias)
  // First, since a version may have a hidden value of an attribute that is gone.
  assertCanWrite(
    role,
    schema.id,
    attributeAliases.filter((alias) => !isRead(alias)),
  )
  const unknown = attributeAliases.find(
    (alias) => schema.attribute(alias) === undefined && !Object.hasOwn(values, alias),
  )
  if (unknown !== undefined)
    throw invalid(`attributeAliases names '${shorten(unknown, 64)}', which the schema '${schema.id}' does not define`)
  const aliases = attributeAliases.map((alias) => former.get(alias) ?? alias)
  assertCanWrite(role, schema.id, aliases)
  const hidden = new Set([...former].flatMap(([alias, present]) => (isRead(alias) ? [] : present)))
  assertShown(hidden, aliases)
  const choice = { attributeAliases: input.attributeAliases && aliases, scopes: readScopes(scopes, model) }
  return { values: withPresentAliases(values, former), choice, hidden }
}

/** @throws PERMISSION_DENIED */
function assertShown(hidden: ReadonlySet<string>, aliases: readonly string[]): void {
  const found = aliases.find((alias) => hidden.has(alias))
  if (found !== undefined) throw denied(`Your role may not read the earlier values of the attribute '${found}'`)
}
