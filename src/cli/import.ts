// `pimlet import`: sends a file of records to a server. Decisions §7 and §8.
import type { ArgumentsCamelCase, CommandModule } from 'yargs'
import { type Connection, readConnection } from '../config.ts'
import { IMPORT_MODES, type ImportResult } from '../domain/import.ts'
import { StartError, UsageError } from '../start-error.ts'
import { call, CONNECTION_FLAGS, readJson } from './client.ts'
import { findInputFile } from './input-file.ts'
import { showProgress } from './progress.ts'

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
type ImportFormat = keyof typeof TYPES

/** Failed lines that are shown. */
const SHOWN_ERRORS = 20

export const IMPORT_FLAGS = {
  ...CONNECTION_FLAGS,
  mode: {
    choices: IMPORT_MODES,
    default: 'create',
    describe: 'Whether a line with an ID that exists is an error, or changes that record',
  },
  'dry-run': { type: 'boolean', default: false, describe: 'Say what would come of each line, and write nothing' },
  schema: { type: 'string', requiresArg: true, describe: 'ID of the schema, for lines that name none' },
  format: { choices: ['ndjson', 'csv'], describe: 'Needed where the name of the file does not tell' },
} as const

const EXAMPLES: [string, string][] = [
  ['pimlet import shirts.jsonl', 'Create a record of each line, with the key in PIMLET_API_KEY'],
  ['pimlet import shirts.csv.gz --mode upsert --dry-run', 'See what a csv would change'],
  ['pimlet import prices.csv --mode upsert --schema sch-shirt', 'A csv without a column schemaId'],
  ['zcat old.gz | pimlet import - --format ndjson', 'From another program'],
]

export const importCommand: CommandModule = {
  command: 'import <file>',
  describe: 'Create or update records from a file of JSON lines or a csv',
  builder: (command) =>
    command
      .positional('file', { type: 'string', describe: 'The file, also packed by gzip; - for standard input' })
      // Without it `-` comes out as an empty text.
      .nargs('file', 1)
      .options(IMPORT_FLAGS)
      .example(EXAMPLES)
      .epilogue('Each line stands alone: those that fail are listed, and the exit status is 1. See docs/import.md.'),
  handler: async (argv) => {
    report(await importFile(readConnection(argv), argv), argv['dry-run'] === true)
  },
}

async function importFile(connection: Connection, argv: ArgumentsCamelCase): Promise<ImportResult> {
  const name = argv['file'] as string
  const type = TYPES[formatOf(name, argv['format'] as ImportFormat | undefined)]
  const query = new URLSearchParams({ mode: argv['mode'] as string, dryRun: String(argv['dry-run']) })
  if (argv['schema'] !== undefined) query.set('schemaId', argv['schema'] as string)
  const file = findInputFile(name)
  const progress = showProgress({ label: 'import', total: file.size, unit: 'bytes' })
  try {
    const content = file.open((bytes) => progress.advance(bytes))
    return await readJson<ImportResult>(
      await call(connection, 'POST', `/api/v1/records/import?${query.toString()}`, { type, content }),
    )
  } finally {
    progress.stop()
  }
}

/** @throws UsageError */
function formatOf(name: string, given: ImportFormat | undefined): ImportFormat {
  if (given !== undefined) return given
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === 'csv') return 'csv'
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson'
  const hint = ending === 'json' ? ' (a JSON array cannot be imported: it must be one record a line)' : ''
  throw new UsageError(`--format is required: '${name}' does not end in .csv, .jsonl or .ndjson${hint}`)
}

/** @throws StartError where lines failed */
function report(result: ImportResult, isDryRun: boolean): void {
  const { created, updated, unchanged, failed, errors } = result
  const shown = errors.slice(0, SHOWN_ERRORS)
  for (const { line, id, error, message } of shown)
    process.stderr.write(`line ${line}${id === null ? '' : ` (${id})`}: ${error}: ${message}\n`)
  if (failed > shown.length) process.stderr.write(`… and ${failed - shown.length} lines more that failed\n`)
  const counts = `created ${created}, updated ${updated}, unchanged ${unchanged}, failed ${failed}`
  process.stdout.write(`${isDryRun ? 'dry run, nothing is written: ' : ''}${counts}\n`)
  if (failed > 0) throw new StartError(`${failed} of ${created + updated + unchanged + failed} lines failed`)
}
