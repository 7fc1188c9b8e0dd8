// The use cases of records: create, read, list, replace values, delete. Contract 1 §2.2, 1 §4.1, 2 §3 (variants), 2 §4.
//
// Every change is checked in one order:
// - The record exists (404).
// - The version is the one that the client saw (412).
// - The input is valid (400).
// - The caller may write these attributes (403).
// - There is room (403).
// - Unique values are unique (409).
import { type ChangeOrigin, diffValues, loseCategories } from './rules/changes.ts'
import { alreadyExists, invalid, MissingRecord, PimletError, shorten } from '../../kernel/errors.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { changedReferences, checkWrite, notesKept } from '../model/rules/model-change.ts'
import { assertCanWrite, readableValues } from '../accounts/rules/permissions.ts'
import { parseValues, stringifyValues, type Values } from './rules/record.ts'
import { readValues, valueLinks, withoutEmptyAttributes } from '../values/values.ts'
import type { RecordTransaction, Store, Transaction } from '../../store/port.ts'
import type { Page, RecordFilter, RecordList, RecordReads, StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { describeFiles, formerFiles } from './naming-files.ts'
import { findModelOf, findRecord, readableRecord } from './readable-records.ts'
import type { ChangingTransaction } from './rehearsal.ts'
import { assertNotListed } from './referrers.ts'
import { appendAudit, assertReferencesExist, holdUniqueKeys, updateValues, writeValues } from './record-writing.ts'

/** The most records in memory together: one record may have megabytes. */
const READ_AT_ONCE = 10
/** From this number, other requests run while a record and its variants are deleted. */
const MANY_VARIANTS = 100

export interface NewRecord {
  readonly id?: string | undefined
  readonly schemaId: string
  /** The parent, if the new record is a variant. */
  readonly parentId?: string | null | undefined
  /** The values that the client sent: only this function checks them against the schema. */
  readonly values: unknown
  /** Undefined: the request of the caller. */
  readonly origin?: ChangeOrigin | undefined
  /** For a record that comes back: the time (ISO 8601) and the author of its first creation. */
  readonly created?: { readonly at: string; readonly by: string } | undefined
  /** For a record that comes back: its former values, whose references may name deleted records. */
  readonly known?: Values | undefined
  /** For a record that comes back: its former values, whose files the caller may name. */
  readonly past?: Values | undefined
}

/** `maxRecords`: the most records of the workspace, variants included; 0: no limit. */
export function createRecordService(deps: { store: Store; system: System; maxRecords: number }) {
  const { store, system, maxRecords } = deps
  return {
    /**
     * @throws VALIDATION_ERROR, LIMIT_EXCEEDED
     * @throws PERMISSION_DENIED for an attribute that the caller may not write
     * @throws CONFLICT for an ID or a unique value that exists
     */
    create: (caller: Caller, input: NewRecord): Promise<StoredRecord> =>
      writeValues(store, input.values, async (tx) =>
        keepAnswer(tx, caller, await createRecord(tx, system, caller, input, maxRecords)),
      ),

    /** @throws NOT_FOUND */
    async get(caller: Caller, id: string): Promise<StoredRecord> {
      return readableRecord(caller.role, await findRecord(store.read, id))
    },

    /** In the order of creation. */
    async list(caller: Caller, filter: RecordFilter, page: Page): Promise<RecordList | undefined> {
      const found = await store.read.records.list(filter, page)
      return found && { ...found, items: found.items.map((record) => readableRecord(caller.role, record)) }
    },

    /**
     * Replaces the whole value of each attribute in `values`; other attributes stay.
     * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT
     */
    update: (caller: Caller, id: string, values: unknown, ifMatch: IfMatch): Promise<StoredRecord> =>
      writeValues(store, values, (tx) => updateRecord(tx, system, caller, { id, values, ifMatch })),

    /**
     * Deletes the variants of the record, then the record.
     * @throws NOT_FOUND, PRECONDITION_FAILED, CONFLICT if lists of references of other records name one of them
     */
    async delete(caller: Caller, id: string, ifMatch: IfMatch): Promise<void> {
      const { length } = await store.read.records.variantIdsOf(id)
      const remove = (tx: Transaction): Promise<void> => removeRecord(tx, system, caller, { id, ifMatch })
      await (length < MANY_VARIANTS ? store.transaction(remove) : store.longTransaction(remove))
    },
  }
}

export type RecordService = ReturnType<typeof createRecordService>

/** Throws as `create` does. */
export async function createRecord(
  tx: RecordTransaction,
  system: System,
  caller: Caller,
  input: NewRecord,
  maxRecords: number,
): Promise<StoredRecord> {
  const { schema, id, values, stateId, uniqueKeys, references } = await checkNew(tx, system, caller, input)
  if (maxRecords > 0) await takeRoom(tx, maxRecords, input.id)
  await tx.pause?.()
  const valuesJson = stringifyValues(values)
  await tx.pause?.()
  const changes = diffValues({}, values)
  await tx.pause?.()
  const timestamp = system.now().toISOString()
  const what = {
    recordId: id,
    schemaId: schema.id,
    action: 'create',
    changes,
    timestamp,
    origin: input.origin,
  } as const
  const version = appendAudit(tx, system, caller, what)
  await tx.pause?.()
  const record: StoredRecord = {
    id,
    schemaId: schema.id,
    parentId: input.parentId ?? null,
    lifecycleStateId: stateId,
    createdAt: input.created?.at ?? timestamp,
    updatedAt: timestamp,
    createdBy: input.created?.by ?? caller.id,
    updatedBy: caller.id,
    version,
    valuesJson,
  }
  await tx.records.insert(record)
  if (uniqueKeys !== undefined) await holdUniqueKeys(tx, record, uniqueKeys)
  if (references !== undefined) await tx.records.setReferences(record, references.before, references.after)
  // A caller may read every value that the caller may write, so nothing is hidden.
  return record
}

async function checkNew(tx: RecordTransaction, system: System, caller: Caller, input: NewRecord) {
  const model = await tx.model()
  const schema = model.schemas.get(input.schemaId)
  if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(input.schemaId, 128)}'`)
  const parentId = input.parentId ?? null
  if (parentId !== null) await assertParent(tx, parentId, schema)
  const given = readValues(input.values, schema, model)
  await tx.pause?.()
  const id = input.id ?? system.newId('ent')
  await assertReferencesExist(tx, schema, id, given, input.known)
  assertCanWrite(caller.role, schema.id, Object.keys(given))
  const naming = { schema, values: withoutEmptyAttributes(given), known: input.known ?? input.past ?? {} }
  const values = schema.fileAttributes.length === 0 ? naming.values : await describeFiles(tx, caller, naming)
  const stateId = initialState(schema, model)
  const write = { schema, update: values, before: {}, after: values, stateId }
  return {
    schema,
    id,
    values,
    stateId,
    uniqueKeys: checkWrite(write, model),
    references: changedReferences(write, model),
  }
}

/** Throws as `update` does. */
export async function updateRecord(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, values, ifMatch }: { readonly id: string; readonly values: unknown; readonly ifMatch: IfMatch },
): Promise<StoredRecord> {
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const { model, schema } = await findModelOf(tx, record)
  const update = readValues(values, schema, model, () => readableValues(caller.role, schema.id, parseValues(record)))
  await tx.pause?.()
  const formerly = () => formerFiles(tx, record, { role: caller.role, schema })
  return readableRecord(caller.role, await updateValues(tx, system, caller, { record, schema, update, formerly }))
}

const NONE: ReadonlySet<string> = new Set()

interface Removal {
  readonly id: string
  readonly ifMatch?: IfMatch
  /** Undefined: the request of the caller. */
  readonly origin?: ChangeOrigin | undefined
  /** Records that are deleted in the same transaction: their lists do not prevent this deletion. */
  readonly going?: ReadonlySet<string>
}

/** Throws the errors of `delete`. @param pause called between variants */
export async function removeRecord(
  tx: ChangingTransaction,
  system: System,
  caller: Caller,
  { id, ifMatch, origin, going = NONE }: Removal,
  pause = async () => tx.pause?.(),
): Promise<void> {
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const variantIds = await tx.records.variantIdsOf(id)
  const family = [id, ...variantIds]
  const all = new Set([...family, ...going])
  for (let at = 0; at < family.length; at += READ_AT_ONCE) {
    await assertNotListed(tx, caller, family.slice(at, at + READ_AT_ONCE), all)
    await pause()
  }
  for (let at = 0; at < variantIds.length; at += READ_AT_ONCE) {
    for (const variant of (await tx.records.getMany(variantIds.slice(at, at + READ_AT_ONCE))).values())
      await deleteRecord(tx, system, caller, variant, origin)
    await pause()
  }
  await deleteRecord(tx, system, caller, record, origin)
}

/** @throws VALIDATION_ERROR if a record of the schema cannot be a variant of `parentId` */
export async function assertParent(
  reads: { readonly records: Pick<RecordReads, 'get'> },
  parentId: string,
  schema: Schema,
): Promise<StoredRecord> {
  const parent = await reads.records.get(parentId)
  const named = shorten(parentId, 128)
  if (parent === undefined) throw new MissingRecord(`parentId names the unknown record '${named}'`)
  if (parent.schemaId !== schema.id)
    throw invalid(`parentId names '${named}' of the schema '${parent.schemaId}': a variant has its parent's schema`)
  if (parent.parentId !== null) throw invalid(`parentId names '${named}', which is a variant itself`)
  return parent
}

/** @throws LIMIT_EXCEEDED; CONFLICT if the ID exists, because then room would not help */
async function takeRoom(tx: RecordTransaction, maxRecords: number, id: string | undefined): Promise<void> {
  try {
    await tx.records.reserve(maxRecords)
  } catch (error) {
    if (!(error instanceof PimletError) || error.code !== 'LIMIT_EXCEEDED') throw error
    if (id !== undefined && (await tx.records.existing([id])).has(id)) throw alreadyExists('Record', id)
    const message = `The record limit of this workspace is reached: at most ${maxRecords} records (--max-records)`
    throw new PimletError('LIMIT_EXCEEDED', message, { cause: error })
  }
}

export function initialState(schema: Schema, model: Model): string {
  // A workflow cannot be deleted while a schema uses it.
  return model.workflows.get(schema.workflowId)!.initialStateId
}

async function deleteRecord(
  tx: ChangingTransaction,
  system: System,
  caller: Caller,
  record: StoredRecord,
  origin: ChangeOrigin | undefined,
): Promise<void> {
  const { version, parentId, lifecycleStateId, createdAt, createdBy } = record
  const { model, schema } = await findModelOf(tx, record)
  const values = parseValues(record)
  const categories = loseCategories(await tx.categories.assignmentsOf(record.id))
  appendAudit(tx, system, caller, {
    recordId: record.id,
    schemaId: record.schemaId,
    action: 'delete',
    changes: [...diffValues(values, {}), ...categories],
    timestamp: system.now().toISOString(),
    origin,
    removed: { version, parentId, lifecycleStateId, createdAt, createdBy },
  })
  await tx.records.setReferences(record, notesKept(valueLinks, values, schema, model), [])
  await tx.records.delete(record.id)
}
