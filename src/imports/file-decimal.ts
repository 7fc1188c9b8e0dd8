// Finds the decimal sign of a csv before any row is written. If the first rows leave the sign open, all rows are read.
// Contract 3 §4.
import { DecimalVotes, numberColumns, settleDecimal } from '../core/csv/decimal-evidence.ts'
import type { CsvHeader } from '../core/csv/csv-header.ts'
import type { Decimal } from '../core/csv/source-dialect.ts'
import { type ImportPlan, withoutNumberSteps } from './rules/import-profile.ts'
import { type ImportSetting, settingOf } from './rules/import-setting.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import { modelFor } from './rules/planned-model.ts'
import type { ArrivingFile, ImportSource, ReadOptions } from './rules/import-outcome.ts'
import type { Store } from '../store/port.ts'
import { readHeader, schemasOf } from './file-header.ts'
import { rowsOf } from './file-rows.ts'
import { prepare } from './import-line.ts'
import type { ImportFiles } from './readers/import-files.ts'

interface DecimalDeps {
  readonly store: Pick<Store, 'read'>
  readonly files: ImportFiles
}

interface Question {
  readonly setting: Pick<ImportSetting, 'schemaId' | 'mapping' | 'newModel'>
  /** Whether the source has only the first rows of the file. */
  readonly isCut: boolean
  readonly signal: AbortSignal
}

/** Rows in which each column has a vote. In later rows, the first number that settles the sign decides. */
const VOTING = 200
/** Keeps the cells as they are in the file. */
const UNREAD = '.'

/**
 * Finds the decimal sign of a kept file.
 * @throws VALIDATION_ERROR where the sign is ambiguous and matters, or the file cannot be read; UNAVAILABLE
 */
export async function decimalOf(
  { store, files }: DecimalDeps,
  { id, format, delimiter, decimal, encoding, isDecimalSaid }: ImportUpload,
  mapping: ImportPlan,
  signal: AbortSignal,
): Promise<Decimal | null> {
  if (format !== 'csv' || delimiter === null || isDecimalSaid === true) return decimal
  const how = { delimiter, decimal: UNREAD, encoding: encoding ?? undefined } as const
  const setting = settingOf({}, mapping, await store.read.model())
  return (await findDecimal(store, files.read(id, format, how, signal), { setting, isCut: false, signal }))!
}

interface SettledFile {
  readonly file: ArrivingFile<Buffer>
  readonly decimal: Decimal | undefined
  /** Must be called after the file has been read. */
  readonly end: () => Promise<void>
}

/**
 * Finds the decimal sign of an arriving file. The file waits on the disk if its first rows leave the sign open.
 * @throws as `decimalOf` does, and errors of `file`
 */
export async function settleArriving(
  { store, files }: DecimalDeps,
  file: ArrivingFile<Buffer>,
  how: ReadOptions,
  { setting, signal }: Omit<Question, 'isCut'>,
): Promise<SettledFile> {
  const end = async (): Promise<void> => undefined
  if (file.format !== 'csv' || how.decimal !== undefined) return { file, decimal: how.decimal, end }
  const asked = { ...how, decimal: UNREAD } as const
  const { rows, isWhole, file: all } = await files.beginningOf(file)
  const find = (some: ArrivingFile<Buffer>, isCut: boolean) =>
    findDecimal(store, files.readBody(some, asked, signal), { setting, isCut, signal })
  const early = rows && (await find(rows, !isWhole))
  if (early !== undefined) return { file: all, decimal: early, end }
  const held = await files.hold(all)
  try {
    return { file: held.file, decimal: await find(held.file, false), end: held.remove }
  } catch (error) {
    await held.remove()
    throw error
  }
}

/** Undefined: rows beyond the cut may settle the sign. @throws VALIDATION_ERROR as `decimalOf` does */
async function findDecimal(
  store: Pick<Store, 'read'>,
  source: ImportSource,
  { setting, isCut, signal }: Question,
): Promise<Decimal | undefined> {
  const model = modelFor(setting, await store.read.model())
  const unread = { ...setting, mapping: setting.mapping && withoutNumberSteps(setting.mapping) }
  let votes = new DecimalVotes(',')
  let header: CsvHeader | undefined
  let columns: ReturnType<typeof numberColumns> = []
  for await (const { line, position } of rowsOf(source, signal)) {
    if (line.kind === 'header') {
      header = await readHeader(store, line, unread)
      columns = numberColumns(header, schemasOf(line.names, setting, model))
      votes = new DecimalVotes(source.dialect()!.delimiter!)
    } else if (columns.length === 0) return UNREAD
    if (position > VOTING && votes.decided !== undefined) return votes.decided
    const prepared = prepare(line, header)
    if (prepared.kind === 'row')
      votes.add(
        prepared.cells,
        columns.map(({ cell }) => cell),
      )
  }
  return isCut ? undefined : (settleDecimal(votes, header!, columns) ?? UNREAD)
}
