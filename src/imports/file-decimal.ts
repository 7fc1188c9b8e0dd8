// The decimal sign of a kept file, by all of its rows if the first ones do not say it. Contract 3 §4.
import { DecimalVotes, numberColumns, settleDecimal } from '../core/csv/decimal-evidence.ts'
import type { CsvHeader } from '../core/csv/csv-header.ts'
import type { Decimal } from '../core/csv/source-dialect.ts'
import type { ImportPlan } from './rules/import-profile.ts'
import { settingOf } from './rules/import-setting.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import type { Store } from '../store/port.ts'
import { readHeader, schemasOf } from './file-header.ts'
import { readFileRows } from './file-rows.ts'
import { prepare } from './import-line.ts'
import type { ImportFiles } from './import-file-store.ts'

/** Rows whose columns each have a vote: behind them the first number that says anything decides. */
const VOTING = 200

/** @throws VALIDATION_ERROR where the sign can be either and that matters, or the file cannot be read; UNAVAILABLE */
export async function decimalOf(
  { store, files }: { readonly store: Store; readonly files: ImportFiles },
  upload: ImportUpload,
  mapping: ImportPlan,
  signal: AbortSignal,
): Promise<Decimal | null> {
  const { format, delimiter, decimal, isDecimalSaid } = upload
  if (format !== 'csv' || delimiter === null || isDecimalSaid === true) return decimal
  const model = await store.read.model()
  const setting = settingOf({}, mapping, model)
  const votes = new DecimalVotes(delimiter)
  let header: CsvHeader | undefined
  let columns: ReturnType<typeof numberColumns> = []
  const rows = readFileRows(
    files,
    { ...upload, decimal: '.' },
    async (line) => {
      header = await readHeader(store, line, setting)
      columns = numberColumns(header, schemasOf(line.names, setting, model))
    },
    signal,
  )
  for await (const { line, position } of rows) {
    if (columns.length === 0 || (position > VOTING && votes.decided !== undefined)) break
    if (line.kind === 'row')
      votes.add(
        prepare(line, header).cells,
        columns.map(({ cell }) => cell),
      )
  }
  return (header && settleDecimal(votes, header, columns)) ?? '.'
}
