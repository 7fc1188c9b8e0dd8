// Inspects an uploaded file: its dialect, sheets and columns, and the likely meaning of each column. Contract 3 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid, shorten } from '../kernel/errors.ts'
import { DecimalVotes } from '../core/csv/decimal-evidence.ts'
import type { Decimal } from '../core/csv/source-dialect.ts'
import { dataTypeOf } from '../core/datatypes/data-types.ts'
import { suggestTargets } from './rules/column-suggestions.ts'
import type { FileColumn, ImportUpload } from './rules/import-upload.ts'
import { MAX_SAMPLE_LENGTH, MAX_SAMPLES_OF_COLUMN } from './rules/proposal/column-facts.ts'
import { tellApart } from './rules/told-apart.ts'
import { MAX_PROFILE_COLUMNS } from './rules/import-profile.ts'
import { canRead, type Role } from '../core/accounts/rules/permissions.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import type { FileHeader, ImportFormat, ReadOptions } from './rules/import-outcome.ts'
import type { ImportFiles } from './readers/import-files.ts'

/** Rows read for samples. */
const ROWS = 200

type Inspected = Pick<ImportUpload, 'encoding' | 'delimiter' | 'decimal' | 'sheet' | 'sheets' | 'schemaId'> & {
  readonly columns: readonly FileColumn[]
}

export interface FileToInspect {
  readonly name: string
  readonly format: ImportFormat
  readonly how: ReadOptions
  /** Undefined: the schema that fits the columns best. */
  readonly schemaId: string | undefined
}

/** The facts of a zip of files, which has no columns. */
export const NO_COLUMNS: Inspected = {
  encoding: null,
  delimiter: null,
  decimal: null,
  sheet: null,
  sheets: null,
  schemaId: null,
  columns: [],
}

/** @throws VALIDATION_ERROR for a file that cannot be read, or has too many columns; UNAVAILABLE */
export async function inspectFile(
  files: ImportFiles,
  { name, format, how, schemaId }: FileToInspect,
  { model, role }: { readonly model: Model; readonly role: Role },
  signal: AbortSignal,
): Promise<Inspected> {
  const sheets = format === 'xlsx' ? await files.sheetsOf(name, signal) : null
  const encoding = format === 'csv' ? await files.encodingOf(name, how.encoding) : undefined
  const { headers, samples, sample, dialect } = await readBeginning(files, name, format, { ...how, encoding }, signal)
  if (headers.length > MAX_PROFILE_COLUMNS) throw invalid(`The file has more than ${MAX_PROFILE_COLUMNS} columns`)
  const schemas = schemaId === undefined ? [...model.schemas.values()] : [model.schemas.get(schemaId)!]
  const readable = schemas.map((schema) => ({
    schema,
    attributes: schema.attributes.filter(({ alias }) => canRead(role, schema.id, alias)),
  }))
  const columns = headers.map((header, index) => ({ header, samples: samples[index]! }))
  const found = await inSteps(suggestTargets(columns, readable, model), signal)
  const schemaOfFound = found.schemaId === undefined ? undefined : model.schemas.get(found.schemaId)
  return {
    encoding: dialect?.encoding ?? null,
    delimiter: dialect?.delimiter ?? null,
    decimal: dialect === undefined ? null : decimalOf(found.columns, schemaOfFound, sample, dialect.decimal),
    sheet: how.sheet ?? null,
    sheets,
    schemaId: found.schemaId ?? null,
    columns: tellApart(headers).map((header, index) => ({
      index,
      header,
      samples: samples[index]!,
      ...found.columns[index]!,
    })),
  }
}

/** Milliseconds of suggesting before other requests get a turn. */
const MAX_TURN = 2

/** @throws the signal's reason */
async function inSteps<Result>(steps: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  let turn = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (performance.now() - turn < MAX_TURN) continue
    await nextTurn()
    signal.throwIfAborted()
    turn = performance.now()
  }
}

async function readBeginning(
  files: ImportFiles,
  name: string,
  format: ImportFormat,
  how: ReadOptions,
  signal: AbortSignal,
) {
  const source = files.read(name, format, how, signal)
  let headers: readonly string[] = []
  let sample: FileHeader['sample']
  let samples: string[][] = []
  let rows = 0
  for await (const some of source.lines) {
    for (const line of some) {
      if (line.kind === 'header') {
        headers = line.names
        sample = line.sample
        samples = headers.map(() => [])
      } else rows += 1
      if (line.kind !== 'row') continue
      for (const [index, cell] of line.cells.entries())
        if (cell !== null && cell !== '' && samples[index]!.length < MAX_SAMPLES_OF_COLUMN)
          samples[index]!.push(shorten(String(cell), MAX_SAMPLE_LENGTH))
    }
    if (rows >= ROWS || format === 'ndjson') break
  }
  return { headers, samples, sample, dialect: source.dialect() }
}

/** The sign used by columns that seem to hold numbers; null: both signs are possible. */
function decimalOf(
  columns: readonly Pick<FileColumn, 'suggestion'>[],
  schema: Schema | undefined,
  sample: FileHeader['sample'],
  found: Decimal | null,
): Decimal | null {
  if (sample === undefined) return found
  const holdsNumbers = ({ suggestion }: Pick<FileColumn, 'suggestion'>): boolean => {
    if (suggestion === null || 'field' in suggestion) return false
    const attribute = schema?.attribute(suggestion.attributeAlias)
    return attribute !== undefined && dataTypeOf(attribute).order === 'number'
  }
  const indexes = columns.flatMap((column, index) => (holdsNumbers(column) ? [index] : []))
  if (indexes.length === 0) return found
  const votes = new DecimalVotes(sample.delimiter)
  for (const row of sample.rows) votes.add(row, indexes)
  return votes.decided ?? (votes.either === undefined ? found : null)
}
