// The steps that every change of values shares: references, attribute permissions, the audit entry and unique keys.
// Contract 1 §2.5, 1 §4.1, 2 §2, 2 §3.
import { type AuditAction, BY_REQUEST, type Change, type ChangeOrigin, diffValues } from './rules/changes.ts'
import { conflict, invalid, MissingRecord, PimletError, shorten } from '../../kernel/errors.ts'
import type { Schema } from '../model/rules/model.ts'
import type { RemovedRecord } from './rules/past-record.ts'
import { assertCanWrite, readableValues } from '../accounts/rules/permissions.ts'
import { parseValues, stringifyValues, type Values } from './rules/record.ts'
import {
  changedReferences,
  checkWrite,
  type ReferenceChange,
  type UniqueKeyChange,
} from '../model/rules/model-change.ts'
import { type RecordReference, recordReferences, replaceValues } from '../values/values.ts'
import type { RecordTransaction, Reads, Store, Transaction } from '../../store/port.ts'
import type { RecordReads, StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { describeFiles, type Naming } from './naming-files.ts'
import type { AuditWrites } from '../../store/audit-port.ts'

interface RecordAction {
  readonly recordId: string
  readonly schemaId: string
  readonly action: AuditAction
  readonly changes: readonly Change[]
  /** ISO 8601. */
  readonly timestamp: string
  /** Undefined: the request of the caller. */
  readonly origin?: ChangeOrigin | undefined
  /** In a deletion: the data that a restore needs. */
  readonly removed?: RemovedRecord | undefined
}

/**
 * Scoped values. From this number, a write takes longer than one turn should. Then other requests run between its steps, at
 * the price of a commit of its own.
 */
const MANY_VALUES = 10_000

/** Runs `work`, which writes the `values` that a client sent. */
export function writeValues<Result>(
  store: Store,
  values: unknown,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return hasMany(values) ? store.longTransaction(work) : store.transaction(work)
}

function hasMany(values: unknown): boolean {
  if (typeof values !== 'object' || values === null) return false
  let count = 0
  for (const scoped of Object.values(values)) count += Array.isArray(scoped) ? scoped.length : 0
  return count >= MANY_VALUES
}

/** Writes the audit entry of a change. @returns the version of the record after the change */
export function appendAudit(
  tx: Pick<Transaction, 'newVersion'> & { readonly audit: Pick<AuditWrites, 'append'> },
  system: System,
  caller: Caller,
  what: RecordAction,
): number {
  const version = tx.newVersion()
  tx.audit.append({
    id: system.newId('aud'),
    entityId: what.recordId,
    userId: caller.id,
    timestamp: what.timestamp,
    action: what.action,
    changes: what.changes,
    origin: what.origin ?? BY_REQUEST,
    schemaId: what.schemaId,
    version,
    removed: what.removed,
  })
  return version
}

/** @throws VALIDATION_ERROR naming the attribute and the record of the first of `findBroken` */
export async function assertReferencesExist(
  reads: { readonly records: Pick<RecordReads, 'existing'> },
  schema: Schema,
  recordId: string,
  values: Values,
  known: Values = {},
): Promise<void> {
  const [broken] = await findBroken(reads, schema, recordId, values, known)
  if (broken === undefined) return
  throw broken.foundIn === undefined ? new MissingRecord(describeBroken(broken)) : invalid(describeBroken(broken))
}

interface BrokenReference extends Omit<RecordReference, 'scope'> {
  /** The schema of the record; undefined: the record does not exist. */
  readonly foundIn: string | undefined
  /** The schema that the attribute requires; undefined: any. */
  readonly wanted: string | undefined
}

const NONE: readonly BrokenReference[] = []
/**
 * The most references that one write may add to a record. Looking them up and storing them takes about 10 ms, in which
 * other requests wait.
 */
const MAX_ADDED_REFERENCES = 1000

/**
 * Finds references to records that do not exist, or that belong to another schema than the attribute requires, each
 * once.
 * @param known values that the record already holds: the records that they name may be deleted
 * @throws VALIDATION_ERROR for more new references than one write may add
 */
export async function findBroken(
  reads: { readonly records: Pick<RecordReads, 'existing'> },
  schema: Schema,
  recordId: string,
  values: Values,
  known: Values,
): Promise<readonly BrokenReference[]> {
  const wanted = recordReferences(values, schema)
  if (wanted.length === 0) return NONE
  const held = new Set(recordReferences(known, schema).map((reference) => `${reference.alias} ${reference.recordId}`))
  const asked = wanted.filter(({ alias, recordId: target }) => !held.has(`${alias} ${target}`))
  const excess = asked[MAX_ADDED_REFERENCES]
  if (excess !== undefined)
    throw invalid(`values.${excess.alias} is too much: a write may add ${MAX_ADDED_REFERENCES} references to a record`)
  const others = asked.map(({ recordId: target }) => target).filter((target) => target !== recordId)
  if (asked.length === 0) return NONE
  const existing = others.length === 0 ? undefined : await reads.records.existing(others)
  const broken = new Map<string, BrokenReference>()
  for (const { alias, recordId: target } of asked) {
    // A record may refer to itself, even before it exists.
    const foundIn = target === recordId ? schema.id : existing?.get(target)
    const { schemaId } = schema.attribute(alias)!.validation
    if (foundIn === undefined || (schemaId !== undefined && foundIn !== schemaId))
      broken.set(`${alias} ${target}`, { alias, recordId: target, foundIn, wanted: schemaId })
  }
  return [...broken.values()]
}

export function describeBroken({ alias, recordId, foundIn, wanted }: BrokenReference): string {
  const subject = `values.${alias} refers to the record '${shorten(recordId, 128)}'`
  if (foundIn === undefined) return `${subject}, which does not exist`
  return `${subject} of the schema '${foundIn}': it may refer to records of '${wanted}' only`
}

interface ValuesUpdate {
  readonly record: StoredRecord
  readonly schema: Schema
  readonly update: Values
  readonly origin?: ChangeOrigin | undefined
  /**
   * Values that the record held before, and whose named records may be deleted. Default: the values that the record
   * holds.
   */
  readonly known?: Values | undefined
  /** Former values of the record, whose files the caller may name. */
  readonly past?: Values | undefined
  /** See `Naming.formerly`. */
  readonly formerly?: Naming['formerly']
}

/** A change of values that is checked, except for unique values. */
export interface CheckedUpdate {
  readonly record: StoredRecord
  readonly schema: Schema
  readonly after: Values
  readonly valuesJson: string
  readonly changes: readonly Change[]
  readonly uniqueKeys: UniqueKeyChange | undefined
  readonly references: ReferenceChange | undefined
}

/**
 * Replaces the attributes in `update` and leaves all other attributes. An update that changes nothing also has an audit
 * entry, without changes.
 * @throws VALIDATION_ERROR for a reference to no record or to a record of a wrong schema
 * @throws PERMISSION_DENIED for an attribute that the caller may not write
 * @throws CONFLICT for a unique value that another record holds
 * @throws CONFLICT for values that a pending change of the model does not allow
 */
export async function updateValues(
  tx: RecordTransaction,
  system: System,
  caller: Caller,
  { origin, ...what }: ValuesUpdate,
): Promise<StoredRecord> {
  return writeUpdate(tx, system, caller, await checkUpdate(tx, caller, what), origin)
}

/** Checks an update without writing. Throws the errors of `updateValues`, except those for unique values. */
export async function checkUpdate(
  reads: Pick<Reads, 'model' | 'files'> &
    Pick<Transaction, 'pause'> & { readonly records: Pick<RecordReads, 'existing'> },
  caller: Caller,
  { record, schema, update: given, known, past = known, formerly }: Omit<ValuesUpdate, 'origin'>,
): Promise<CheckedUpdate> {
  const aliases = Object.keys(given)
  const before = parseValues(record)
  // Hidden references are refused below, whether they exist or not: the answer must neither confirm a guess nor name a
  // stored reference.
  const readable = readableValues(caller.role, schema.id, given)
  await assertReferencesExist(reads, schema, record.id, readable, known ?? before)
  assertCanWrite(caller.role, schema.id, aliases)
  const held = past === undefined ? before : { ...before, ...past }
  const naming = { schema, values: given, known: held, formerly }
  const update = schema.fileAttributes.length === 0 ? given : await describeFiles(reads, caller, naming)
  const after = replaceValues(before, update)
  await reads.pause?.()
  const [write, model] = [{ schema, update, before, after }, await reads.model()]
  const uniqueKeys = checkWrite(write, model)
  const references = changedReferences(write, model)
  await reads.pause?.()
  const changes = diffValues(before, after, aliases)
  await reads.pause?.()
  return { record, schema, after, valuesJson: stringifyValues(after), changes, uniqueKeys, references }
}

/** @throws CONFLICT for a unique value that another record holds */
export async function writeUpdate(
  tx: RecordTransaction,
  system: System,
  caller: Caller,
  { record, schema, valuesJson, changes, uniqueKeys, references }: CheckedUpdate,
  origin?: ChangeOrigin,
): Promise<StoredRecord> {
  await tx.pause?.()
  const timestamp = system.now().toISOString()
  const version = appendAudit(tx, system, caller, {
    recordId: record.id,
    schemaId: schema.id,
    action: 'update',
    changes,
    timestamp,
    origin,
  })
  await tx.pause?.()
  const updated: StoredRecord = { ...record, updatedAt: timestamp, updatedBy: caller.id, version, valuesJson }
  await tx.records.update(record, updated)
  if (uniqueKeys !== undefined) await holdUniqueKeys(tx, updated, uniqueKeys)
  if (references !== undefined) await tx.records.setReferences(updated, references.before, references.after)
  return updated
}

/** @throws CONFLICT for a unique value that another record holds */
export async function holdUniqueKeys(
  tx: RecordTransaction,
  record: StoredRecord,
  { before, after, isForNewDefinition }: UniqueKeyChange,
): Promise<void> {
  const { id, schemaId } = record
  try {
    await tx.records.setUniqueKeys({ id, schemaId }, before, after)
  } catch (error) {
    if (!isForNewDefinition || !(error instanceof PimletError) || error.code !== 'CONFLICT') throw error
    throw conflict(`${error.message}; the schema '${schemaId}' is being changed, and its new definition counts too`)
  }
}
