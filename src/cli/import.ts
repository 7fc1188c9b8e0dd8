// `pimlet import`: sends a file of records to a server. Contract 2 §7, 2 §8.
import path from 'node:path'
import type { Readable } from 'node:stream'
import { CONNECTION_FLAGS } from '../kernel/settings/config.ts'
import { type Connection, readConnection } from '../kernel/settings/workspace-place.ts'
import { ENCODINGS } from '../core/csv/source-dialect.ts'
import { DECIMALS } from '../core/csv/csv-dialect.ts'
import { MEDIA_TYPES } from '../imports/rules/media-types.ts'
import {
  DUPLICATES,
  EMPTY_CELLS,
  IMPORT_FORMATS,
  IMPORT_MODES,
  type ImportFormat,
  type ImportResult,
} from '../imports/rules/import-outcome.ts'
import { limitError } from '../core/records/rules/record-limit.ts'
import { escapeControls } from '../kernel/text.ts'
import { StartError, UsageError } from '../kernel/machine/start-error.ts'
import { call, readJson } from './client.ts'
import type { Command, Given } from './command.ts'
import { importByJob, type JobImport, type JobResult } from './import-by-job.ts'
import { assertKnown, assertKnownSchema, assertListed, readVisibleModel } from './assert-known.ts'
import { findInputFile, type InputFile } from './input-file.ts'
import { assertWritable, removeOutput } from './output-file.ts'
import { showProgress } from './progress-bar.ts'

/** Parameters of the endpoints by flag: for the lines, and for reading the file. */
const SETTING = {
  schema: 'schemaId',
  profile: 'profile',
  mode: 'mode',
  'match-by': 'matchBy',
  'empty-cells': 'emptyCells',
} as const
const DUPLICATED = { duplicates: 'duplicates' } as const
const READING = { delimiter: 'delimiter', decimal: 'decimal', encoding: 'encoding', sheet: 'sheet' } as const

/** Most failed lines that are shown. */
const SHOWN_ERRORS = 20

export const importCommand: Command = {
  name: 'import',
  description: 'Create or update records from a file of JSON lines, a csv or an xlsx',
  argument: { name: 'file', description: 'The file, also packed by gzip; - for standard input' },
  flags: [
    {
      name: 'mode',
      choices: IMPORT_MODES,
      defaultText: "create, or the profile's",
      description: 'Whether a line with an ID that exists is an error, changes that record, or must do so',
    },
    { name: 'profile', description: 'ID of an import profile, which says what the columns mean' },
    { name: 'match-by', description: 'Alias of a unique attribute by which records are found, in place of their ID' },
    { name: 'empty-cells', choices: EMPTY_CELLS, description: 'Whether an empty cell keeps the value that is there' },
    { name: 'delimiter', description: 'Between the cells of a csv, where it is not to be found out; tab for a tab' },
    { name: 'decimal', choices: DECIMALS, description: 'In the numbers of a csv' },
    { name: 'encoding', choices: ENCODINGS, description: 'Of a csv' },
    { name: 'sheet', description: 'Name of the sheet of an xlsx; without it the first one' },
    {
      name: 'duplicates',
      choices: DUPLICATES,
      defaultText: 'fail',
      description: 'Whether a line fails whose key an earlier line has, or the last one is taken',
    },
    { name: 'dry-run', isSwitch: true, description: 'Say what would come of each line, and write nothing' },
    { name: 'schema', description: 'ID of the schema, for lines that name none' },
    { name: 'format', choices: IMPORT_FORMATS, description: 'Needed where the name of the file does not tell' },
    { name: 'failed', description: 'A file that the lines that fail are written into, each with what is wrong' },
    { name: 'force', isSwitch: true, description: 'Replace that file where it exists' },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    ['pimlet import shirts.jsonl', 'Create a record of each line, with the key in PIMLET_API_KEY'],
    ['pimlet import shirts.csv.gz --mode upsert --dry-run', 'See what a csv would change'],
    ['pimlet import shirts.csv --failed wrong.csv', 'Put wrong.csv right, and import it after the others'],
    ['pimlet import prices.csv --mode upsert --schema sch-shirt', 'A csv without a column schemaId'],
    ['pimlet import list.xlsx --profile supplier --failed wrong.csv', 'A spreadsheet of somebody else'],
    ['zcat old.gz | pimlet import - --format ndjson', 'From another program'],
  ],
  notes:
    'Each line stands alone: the first 20 that fail are listed, --failed FILE takes all of them, and the exit status is 1. See docs/import.md.',
  async run(given) {
    const connection = readConnection(given.flags)
    await assertKnownNames(connection, given)
    const failed = given.text('failed')
    const isDryRun = given.isOn('dry-run')
    if (failed === undefined) report(await importFile(connection, given), isDryRun)
    else report(await importTelling(connection, given, failed), isDryRun, failed)
    return 0
  },
}

/** Runs before the file is sent. @throws UsageError, StartError */
async function assertKnownNames(connection: Connection, given: Given): Promise<void> {
  const [schema, profile, matchBy] = [given.text('schema'), given.text('profile'), given.text('match-by')]
  if (profile !== undefined)
    await assertListed(connection, '/api/v1/import-profiles', '--profile', 'import profile', profile)
  if (schema === undefined && matchBy === undefined) return
  const model = await readVisibleModel(connection)
  if (model === undefined) return
  assertKnownSchema(model, '--schema', schema)
  const aliases = model.schemas
    .filter(({ id }) => schema === undefined || id === schema)
    .flatMap(({ attributes }) => attributes.map(({ alias }) => alias))
  assertKnown(aliases, '--match-by', 'attribute', matchBy)
}

async function importFile(connection: Connection, given: Given): Promise<ImportResult> {
  const format = formatOf(given.argument, given.text('format') as ImportFormat | undefined)
  const file = findInputFile(given.argument)
  return watched(file, (open) => send(connection, given, format, open()))
}

/** Imports, and writes every failed line into the file `failed`. @throws StartError */
async function importTelling(connection: Connection, given: Given, failed: string): Promise<JobResult> {
  const format = formatOf(given.argument, given.text('format') as ImportFormat | undefined)
  const mayReplace = given.isOn('force')
  const file = findInputFile(given.argument)
  assertTakesFailed(failed, given.argument, mayReplace)
  const asked: JobImport = {
    watched: (work) => watched(file, work),
    fileName: given.argument === '-' ? 'standard input' : path.basename(given.argument).slice(-255),
    type: MEDIA_TYPES[format],
    unit: 'rows',
    reading: parametersOf(given, READING),
    mapping: mappingOf(given),
    beginning: parametersOf(given, DUPLICATED),
    dryRun: given.isOn('dry-run'),
    shown: SHOWN_ERRORS,
  }
  const result = await importByJob(connection, asked, { name: failed, mayReplace })
  // An earlier import's file would look like failed rows of this one.
  if (result.failed === 0 && mayReplace) removeOutput(failed)
  return result
}

/** Returns a profile, or the mapping for the columns of an export. */
function mappingOf(given: Given): object {
  const { profile, schemaId, ...setting } = parametersOf(given, SETTING)
  return profile === undefined
    ? { ...setting, ...(schemaId === undefined ? {} : { schemaId }), columns: null }
    : { ...setting, profileId: profile }
}

/** Runs before anything is imported. @throws StartError, UsageError */
function assertTakesFailed(failed: string, source: string, mayReplace: boolean): void {
  if (failed === '-') throw new UsageError('--failed must name a file: standard output has the counts')
  if (source !== '-' && path.resolve(failed) === path.resolve(source))
    throw new UsageError('--failed must name another file than the one that is imported')
  assertWritable(failed, { mayReplace })
}

/** Lets work read the file, and shows the progress. */
export async function watched<Result>(
  file: InputFile,
  work: (open: () => Readable) => Promise<Result>,
): Promise<Result> {
  const progress = showProgress({ label: 'import', total: file.size, unit: 'bytes' })
  try {
    return await work(() => file.open((bytes) => progress.advance(bytes)))
  } finally {
    progress.stop()
  }
}

/** Returns the delimiter for the server; shells make a tab hard to write. */
function delimiterOf(given: Given): string | undefined {
  const text = given.text('delimiter')
  return text === 'tab' || text === '\\t' ? '\t' : text
}

/** Returns the given flags under the parameter names of the endpoints. */
function parametersOf(given: Given, names: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(names).map(([flag, parameter]): [string, string | undefined] => [
    parameter,
    flag === 'delimiter' ? delimiterOf(given) : given.text(flag),
  ])
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

async function send(
  connection: Connection,
  given: Given,
  format: ImportFormat,
  content: Readable,
): Promise<ImportResult> {
  const parameters = parametersOf(given, { ...SETTING, ...READING, ...DUPLICATED })
  const query = new URLSearchParams({ ...parameters, dryRun: String(given.isOn('dry-run')) })
  const body = { type: MEDIA_TYPES[format], content }
  return readJson<ImportResult>(await call(connection, 'POST', `/api/v1/records/import?${query.toString()}`, body))
}

/** @throws UsageError */
function formatOf(name: string, given: ImportFormat | undefined): ImportFormat {
  if (given !== undefined) return given
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === 'csv' || ending === 'xlsx') return ending
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson'
  const hint = ending === 'json' ? ' (a JSON array cannot be imported: it must be one record a line)' : ''
  throw new UsageError(`--format is required: '${name}' does not end in .csv, .xlsx, .jsonl or .ndjson${hint}`)
}

/** @throws StartError where lines failed, or the import ended early */
function report(result: ImportResult | JobResult, isDryRun: boolean, file?: string): void {
  const { created, updated, unchanged, failed, errors, limit } = result
  const shown = errors.slice(0, SHOWN_ERRORS)
  for (const { line, id, error, message } of shown)
    process.stderr.write(
      `line ${line}${id === null ? '' : ` (${escapeControls(id)})`}: ${error}: ${escapeControls(message)}\n`,
    )
  if (failed > shown.length) process.stderr.write(`… and ${failed - shown.length} lines more that failed\n`)
  const counts = `created ${created}, updated ${updated}, unchanged ${unchanged}, failed ${failed}`
  process.stdout.write(`${isDryRun ? 'dry run, nothing is written: ' : ''}${counts}\n`)
  if (limit !== undefined) throw new StartError(limitError(limit, true).message)
  const where = file === undefined ? '' : `: ${file} has them`
  if (failed > 0) throw new StartError(`${failed} of ${created + updated + unchanged + failed} lines failed${where}`)
}
