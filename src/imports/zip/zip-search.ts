// Finds the record of a group of files, and the files that the record has. Contract 4 §4.
import type { Caller } from '../../core/accounts/caller.ts'
import type { FileName } from '../../core/datatypes/file.ts'
import { effectiveValueIn, parseValues, scopedValues, type Values } from '../../core/records/rules/record.ts'
import { type ScopedValue, scopeKey } from '../../core/scopes/scope.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Reads } from '../../store/port.ts'
import type { RecordReads, StoredRecord } from '../../store/record-port.ts'
import { findHolder } from '../matching.ts'
import type { PicturePlace } from '../rules/picture-attribute.ts'
import { BY_ID, matchScopes, type ZipMapping, type ZipTarget } from '../rules/zip-mapping.ts'

/** The record of a group, and the files that the record has. */
export interface FoundRecord {
  readonly record: StoredRecord
  readonly own: Values
  /** Records of pictures in the list, which may be that of the parent. */
  readonly list: readonly string[]
  /** The hashes of the files that the record has; of a list, each with the record of the picture. */
  readonly held: ReadonlyMap<string, string>
}

/** The searcher, and the records that it looks for. */
export interface ZipSearch {
  readonly caller: Caller
  readonly mapping: ZipMapping
  readonly target: ZipTarget
  /** The lists that a dry run would give to records, by the ID of the record. */
  readonly rehearsed?: Map<string, readonly string[]> | undefined
}

export type ZipReads = Pick<Reads, 'model'> & {
  readonly records: Pick<RecordReads, 'get' | 'getMany' | 'holderOf' | 'referrers'>
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function findRecordOf(
  { records }: ZipReads,
  { caller: { role }, mapping: { matchBy }, target, rehearsed }: ZipSearch,
  key: string,
): Promise<FoundRecord> {
  const { schema, attribute, scope, pictures } = target
  const scopes = matchScopes(target)
  const id = matchBy === BY_ID ? key : await findHolder({ records }, { role, schema, matchBy, scopes }, key)
  const record = id === undefined ? undefined : await records.get(id)
  if (record?.schemaId !== schema.id) throw notFound(matchBy === BY_ID ? 'Record' : `Record with the ${matchBy}`, key)
  const own = parseValues(record)
  if (pictures === undefined) {
    const file = ownValue(own, target) as FileName | undefined
    return { record, own, list: [], held: new Map(file === undefined ? [] : [[file.sha256, record.id]]) }
  }
  // Without a list of its own, the record begins with the list in force: else the new list would hide that one.
  const parent = record.parentId === null ? undefined : await records.get(record.parentId)
  const layers = { own, inherited: parent === undefined ? null : valuesOfParent(parent, target, rehearsed) }
  const inForce = effectiveValueIn(layers, attribute.alias, scope, attribute.dimensionIds)
  const list = (inForce?.value ?? []) as readonly string[]
  return { record, own, list, held: await readHeld(records, list, pictures) }
}

function valuesOfParent(parent: StoredRecord, target: ZipTarget, rehearsed: ZipSearch['rehearsed']): Values {
  const values = parseValues(parent)
  const given = rehearsed?.get(parent.id)
  return given === undefined ? values : { ...values, ...withValue(values, target, given) }
}

/** The values of the attribute, other scopes as they are. */
export function withValue(
  own: Values,
  { attribute, scope }: Pick<ZipTarget, 'attribute' | 'scope'>,
  value: unknown,
): Values {
  const given: ScopedValue = { scope, value }
  const before = scopedValues(own, attribute.alias)
  const isThere = before.some((item) => scopeKey(item.scope) === scopeKey(scope))
  const after = before.map((item) => (scopeKey(item.scope) === scopeKey(scope) ? given : item))
  return { [attribute.alias]: isThere ? after : [...after, given] }
}

function ownValue(own: Values, { attribute, scope }: Pick<ZipTarget, 'attribute' | 'scope'>): unknown {
  return scopedValues(own, attribute.alias).find((item) => scopeKey(item.scope) === scopeKey(scope))?.value
}

async function readHeld(
  records: Pick<RecordReads, 'getMany'>,
  list: readonly string[],
  { schema, attribute }: PicturePlace,
): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>()
  const found = await records.getMany(list)
  for (const picture of list) {
    const stored = found.get(picture)
    if (stored?.schemaId !== schema.id) continue
    for (const { value } of scopedValues(parseValues(stored), attribute.alias)) {
      const { sha256 } = value as FileName
      if (!held.has(sha256)) held.set(sha256, picture)
    }
  }
  return held
}
