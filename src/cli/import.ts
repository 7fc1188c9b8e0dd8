// `pimlet import`: sends a file of records to a server. Decisions §7 and §8.
import { type Connection, CONNECTION_FLAGS, readConnection } from '../config.ts'
import { IMPORT_MODES, type ImportResult } from '../domain/import.ts'
import { escapeControls } from '../domain/text.ts'
import { StartError, UsageError } from '../start-error.ts'
import { call, readJson } from './client.ts'
import type { Command, Given } from './command.ts'
import { findInputFile } from './input-file.ts'
import { showProgress } from './progress.ts'

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
type ImportFormat = keyof typeof TYPES

/** Failed lines that are shown. */
const SHOWN_ERRORS = 20

export const importCommand: Command = {
  name: 'import',
  description: 'Create or update records from a file of JSON lines or a csv',
  argument: { name: 'file', description: 'The file, also packed by gzip; - for standard input' },
  flags: [
    {
      name: 'mode',
      choices: IMPORT_MODES,
      defaultText: 'create',
      description: 'Whether a line with an ID that exists is an error, or changes that record',
    },
    { name: 'dry-run', isSwitch: true, description: 'Say what would come of each line, and write nothing' },
    { name: 'schema', description: 'ID of the schema, for lines that name none' },
    { name: 'format', choices: ['ndjson', 'csv'], description: 'Needed where the name of the file does not tell' },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    ['pimlet import shirts.jsonl', 'Create a record of each line, with the key in PIMLET_API_KEY'],
    ['pimlet import shirts.csv.gz --mode upsert --dry-run', 'See what a csv would change'],
    ['pimlet import prices.csv --mode upsert --schema sch-shirt', 'A csv without a column schemaId'],
    ['zcat old.gz | pimlet import - --format ndjson', 'From another program'],
  ],
  notes: 'Each line stands alone: those that fail are listed, and the exit status is 1. See docs/import.md.',
  async run(given) {
    report(await importFile(readConnection(given.flags), given), given.isOn('dry-run'))
    return 0
  },
}

async function importFile(connection: Connection, given: Given): Promise<ImportResult> {
  const name = given.argument
  const type = TYPES[formatOf(name, given.text('format') as ImportFormat | undefined)]
  const query = new URLSearchParams({
    mode: given.text('mode') ?? 'create',
    dryRun: String(given.isOn('dry-run')),
  })
  const schemaId = given.text('schema')
  if (schemaId !== undefined) query.set('schemaId', schemaId)
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
    process.stderr.write(
      `line ${line}${id === null ? '' : ` (${escapeControls(id)})`}: ${error}: ${escapeControls(message)}\n`,
    )
  if (failed > shown.length) process.stderr.write(`… and ${failed - shown.length} lines more that failed\n`)
  const counts = `created ${created}, updated ${updated}, unchanged ${unchanged}, failed ${failed}`
  process.stdout.write(`${isDryRun ? 'dry run, nothing is written: ' : ''}${counts}\n`)
  if (failed > 0) throw new StartError(`${failed} of ${created + updated + unchanged + failed} lines failed`)
}
