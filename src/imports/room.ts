// Checks whether the records of a file fit within the limit, before the first line is written. Contract 2 §7, 3 §4.
import type { CsvHeader } from '../core/csv/csv-header.ts'
import { PimletError } from '../kernel/errors.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import { limitError, limitPassed, type RecordLimit } from '../core/records/rules/record-limit.ts'
import type { ImportLine, RecordLine } from './rules/import-outcome.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { readHeader } from './file-header.ts'
import { headOf, prepare } from './import-line.ts'
import { ImportRun } from './import-run.ts'
import { findByValue } from './matching.ts'
import { modelFor } from './rules/planned-model.ts'

/** IDs of one query. */
const AT_ONCE = 500

export interface RoomDeps {
  readonly store: Store
  readonly system: System
  /** 0: no limit. */
  readonly maxRecords: number
}

interface AskedLines {
  readonly caller: Caller
  readonly setting: ImportSetting
  /** Yields lines from the header on; may be called twice. */
  readonly read: () => AsyncIterable<ImportLine> | Iterable<ImportLine>
  /** Whether the lines are all lines of the file. */
  readonly isWhole: boolean
}

/** Resolves to the number of records that may still be created. */
export async function roomOf({ store, maxRecords }: Pick<RoomDeps, 'store' | 'maxRecords'>): Promise<number> {
  return maxRecords === 0 ? Number.POSITIVE_INFINITY : maxRecords - (await store.read.records.count({}))
}

/** Undefined: the records that an import makes fit within the limit. */
export async function limitAfter(
  { store, maxRecords }: Pick<RoomDeps, 'store' | 'maxRecords'>,
  created: number,
): Promise<RecordLimit | undefined> {
  return limitPassed(created, (await store.read.records.count({})) + created, maxRecords)
}

/**
 * Counts the lines that name no existing record. If these are too many, a dry run finds how many would fail; a dry run
 * takes as long as an import.
 * @throws LIMIT_EXCEEDED
 */
export async function assertRoomFor(deps: RoomDeps, lines: AskedLines): Promise<void> {
  const { caller, setting, read, isWhole } = lines
  if (setting.mode === 'update' || (await countNew(deps.store, lines)) <= (await roomOf(deps))) return
  const rehearsal = new ImportRun(deps, caller, setting, true)
  try {
    for await (const line of read()) await rehearsal.take(line)
    const limit = await limitAfter(deps, (await rehearsal.finish()).created)
    if (limit !== undefined) throw limitError(limit, isWhole)
  } finally {
    await rehearsal.settle()
  }
}

/** Counts the lines that would create a record, if none of them fails. */
async function countNew(store: Store, { caller, setting, read }: AskedLines): Promise<number> {
  const matchBy = setting.mode === 'upsert' ? setting.matchBy : undefined
  let header: CsvHeader | undefined
  let count = 0
  let ids: string[] = []
  const ask = async (): Promise<void> => {
    const there = await store.read.records.existing(ids)
    count += ids.filter((id) => !there.has(id)).length
    ids = []
  }
  for await (const line of read()) {
    if (line.kind === 'header') header = await readHeader(store, line, setting)
    if (line.kind === 'header' || line.kind === 'fault') continue
    const prepared = prepare(line, header)
    if (prepared.kind === 'fault') continue
    const { id } = headOf(prepared, header)
    if (matchBy !== undefined) count += Number(await findsNone(store, { caller, setting, header }, prepared))
    else if (typeof id !== 'string') count += 1
    else if (ids.push(id) >= AT_ONCE) await ask()
  }
  await ask()
  return count
}

async function findsNone(
  { read }: Store,
  { caller, setting, header }: Pick<AskedLines, 'caller' | 'setting'> & { readonly header: CsvHeader | undefined },
  line: RecordLine,
): Promise<boolean> {
  const named = headOf(line, header).schemaId ?? setting.schemaId
  const schema = typeof named === 'string' ? modelFor(setting, await read.model()).schemas.get(named) : undefined
  if (schema === undefined) return false
  try {
    const how = { role: caller.role, schema, matchBy: setting.matchBy, header }
    return (await findByValue(read, how, line)).stored === undefined
  } catch (error) {
    if (error instanceof PimletError) return false
    throw error
  }
}
