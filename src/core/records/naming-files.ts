// Decides which files a caller may know and name in values, and which facts about files values contain. Contract 4 §1,
// 4 §2.
import type { Caller } from '../accounts/caller.ts'
import { canRead, hasPermission, type Role } from '../accounts/rules/permissions.ts'
import { type FileName, type FileValue, findFileFault } from '../datatypes/file.ts'
import type { Attribute } from '../model/rules/attributes.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { invalid } from '../../kernel/errors.ts'
import type { FileReads, FileRow } from '../../store/file-port.ts'
import type { AuditReads } from '../../store/audit-port.ts'
import type { Reads } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { ScopedValue } from '../scopes/scope.ts'
import { FaultList, type FaultSink, type FieldFault } from '../values/value-fault.ts'
import { parseValues, scopedValues, type Values } from './rules/record.ts'
import type { AttributeOfSchema } from './rules/referrer.ts'

/** The most files that one write may name: each is looked up. */
const MAX_NAMED_FILES = 5000

/** The number of entries of a record's trail that are examined. */
const LAST_CHANGES = 100

const NONE: ReadonlySet<string> = new Set()

type NamingReads = Pick<Reads, 'model'> & { readonly files: FileReads }

/** Returns the files that are named by values which the role may read. */
export async function readSomewhere(
  reads: NamingReads,
  role: Role,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0 || !hasPermission(role, 'records.read')) return new Set()
  return reads.files.namedIn(hashes, readablePlaces(await reads.model(), role))
}

function readablePlaces({ schemas }: Model, role: Role): AttributeOfSchema[] {
  return [...schemas.values()].flatMap((schema) =>
    schema.fileAttributes
      .filter(({ alias }) => canRead(role, schema.id, alias))
      .map(({ alias }) => ({ schemaId: schema.id, alias })),
  )
}

/** Finds a value of the record, own or inherited, that names the file and that the role may read. */
export async function findReadableFile(
  reads: Pick<Reads, 'model' | 'records'>,
  role: Role,
  recordId: string,
  sha256: string,
): Promise<FileValue | undefined> {
  const record = await reads.records.get(recordId)
  const schema = record && (await reads.model()).schemas.get(record.schemaId)
  if (record === undefined || schema === undefined) return undefined
  const parent = record.parentId === null ? undefined : await reads.records.get(record.parentId)
  for (const layer of parent === undefined ? [record] : [record, parent]) {
    const values = parseValues(layer)
    for (const { alias } of schema.fileAttributes.filter((attribute) => canRead(role, schema.id, attribute.alias)))
      for (const { value } of scopedValues(values, alias))
        if ((value as FileValue).sha256 === sha256) return value as FileValue
  }
  return undefined
}

export interface Naming {
  readonly schema: Schema
  readonly values: Values
  /** Values that the record holds, or held before: the caller may name the files of these values. */
  readonly known: Values
  /** Further files that the caller may name; read only if a file cannot be named otherwise. */
  readonly formerly?: (() => Promise<ReadonlySet<string>>) | undefined
}

/**
 * Adds the facts of files to values. @throws VALIDATION_ERROR for a file that does not exist, that the caller may not
 * name, or that breaks the attribute's rules
 */
export async function describeFiles(reads: NamingReads, caller: Caller, naming: Naming): Promise<Values> {
  const faults = new FaultList()
  const described = await judgeFiles(reads, caller, naming, faults)
  faults.assertNone()
  return described
}

/** Adds the facts of files to values, and each fault to `faults`; faulty values stay unchanged. */
export async function judgeFiles(
  reads: NamingReads,
  caller: Caller,
  { schema, values, known, formerly }: Naming,
  faults: FaultSink,
): Promise<Values> {
  const named = schema.fileAttributes.filter(({ alias }) => Object.hasOwn(values, alias))
  if (named.length === 0) return values
  const hashes = hashesIn(named, values)
  if (hashes.size > MAX_NAMED_FILES) throw invalid(`values must name at most ${MAX_NAMED_FILES} files`)
  const found = await findNameable(reads, caller, hashes, { held: hashesIn(named, known), formerly })
  const describe = (attribute: Attribute, item: ScopedValue, index: number): ScopedValue => {
    const value = item.value as FileName
    const row = found.get(value.sha256)
    const add = (code: FieldFault['code'], problem: string): ScopedValue => {
      const message = `values.${attribute.alias}[${index}].value ${problem}`
      faults.add({ attributeAlias: attribute.alias, scope: item.scope, code, message })
      return item
    }
    if (row === undefined) return add('reference', describeUnknown(value))
    const fault = findFileFault(row, attribute.validation)
    // A stored value may stay, even if today's rules refuse it.
    const isRefused = fault !== undefined && !isHeld(item, scopedValues(known, attribute.alias))
    return isRefused ? add(fault.code, fault.problem) : { ...item, value: toValue(value, row) }
  }
  const described = named.map((attribute) => [
    attribute.alias,
    scopedValues(values, attribute.alias).map((item, index) =>
      item.value === null ? item : describe(attribute, item, index),
    ),
  ])
  return { ...values, ...Object.fromEntries(described) }
}

function hashesIn(attributes: readonly Attribute[], values: Values): Set<string> {
  const scoped = attributes.flatMap(({ alias }) => scopedValues(values, alias))
  return new Set(scoped.flatMap(({ value }) => (value === null ? [] : [(value as FileName).sha256])))
}

async function findNameable(
  reads: NamingReads,
  caller: Caller,
  hashes: ReadonlySet<string>,
  { held, formerly }: { readonly held: ReadonlySet<string>; readonly formerly: Naming['formerly'] },
): Promise<ReadonlyMap<string, FileRow>> {
  const present = await reads.files.get([...hashes])
  const kept = [...present].filter(([, { state }]) => state === 'kept')
  const strange = kept.map(([sha256]) => sha256).filter((sha256) => !held.has(sha256))
  const uploaded = strange.length === 0 ? NONE : await reads.files.uploadedBy(caller.id, strange)
  const others = strange.filter((sha256) => !uploaded.has(sha256))
  const read = await readSomewhere(reads, caller.role, others)
  const isLeft = formerly !== undefined && others.some((sha256) => !read.has(sha256))
  const former = isLeft ? await formerly() : NONE
  return new Map(kept.filter(([sha256]) => [held, uploaded, read, former].some((some) => some.has(sha256))))
}

/**
 * Returns the files that the last changes of a record have removed, from attributes that the role may read: for an
 * undo.
 */
export async function formerFiles(
  { audit }: { readonly audit: Pick<AuditReads, 'readTrail'> },
  { id }: Pick<StoredRecord, 'id'>,
  { role, schema }: { readonly role: Role; readonly schema: Schema },
): Promise<ReadonlySet<string>> {
  const readable = schema.fileAttributes.filter(({ alias }) => canRead(role, schema.id, alias))
  const aliases = new Set(readable.map(({ alias }) => alias))
  const { entries } = await audit.readTrail(id, { limit: LAST_CHANGES })
  const before = entries.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      'attributeAlias' in change && aliases.has(change.attributeAlias) ? (change.oldValue as FileName | null) : null,
    ),
  )
  return new Set(before.flatMap((value) => (value === null ? [] : value.sha256)))
}

function isHeld({ value }: ScopedValue, known: readonly ScopedValue[]): boolean {
  return known.some((item) => (item.value as FileName).sha256 === (value as FileName).sha256)
}

function toValue({ sha256, fileName }: FileName, { mediaType, size, width, height, thumbhash }: FileRow): FileValue {
  return { sha256, fileName, mediaType, size, width, height, thumbhash }
}

function describeUnknown({ sha256 }: FileName): string {
  return `names the file ${sha256}, which does not exist or which you may not name`
}
