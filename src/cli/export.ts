// `pimlet export`: writes a server's records into a file. Decisions §6 and §8.
import type { ArgumentsCamelCase, CommandModule } from 'yargs'
import { type Connection, readConnection } from '../config.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../domain/export-format.ts'
import { UsageError } from '../start-error.ts'
import { call, CONNECTION_FLAGS, getJson } from './client.ts'
import { formatted, jsonArray, jsonLines, type ExportModel, type RecordTexts } from './export-text.ts'
import { readElements } from './json-elements.ts'
import { writeOutput } from './output-file.ts'
import { type Progress, showProgress } from './progress.ts'

export const EXPORT_FLAGS = {
  ...CONNECTION_FLAGS,
  out: { type: 'string', requiresArg: true, default: '-', describe: 'The file; - for standard output; .gz packs it' },
  format: { choices: EXPORT_FORMATS, describe: 'Needed where the name of the file does not tell' },
  schema: { type: 'string', requiresArg: true, describe: 'ID of a schema: only its records' },
} as const

const EXAMPLES: [string, string][] = [
  ['pimlet export --out shirts.csv --schema sch-shirt', 'The shirts, with the key in PIMLET_API_KEY'],
  ['pimlet export --out all.jsonl.gz', 'Everything, packed; pimlet import takes it back'],
  ['pimlet export --format jsonl | jq .id', 'Into another program'],
]

export const exportCommand: CommandModule = {
  command: 'export',
  describe: 'Write the records of a server into a file',
  builder: (command) =>
    command
      .options(EXPORT_FLAGS)
      .example(EXAMPLES)
      .epilogue('The file has the values of the records themselves; export jobs also write what variants inherit.'),
  handler: (argv) => exportFile(readConnection(argv), argv),
}

async function exportFile(connection: Connection, argv: ArgumentsCamelCase): Promise<void> {
  const out = argv['out'] as string
  const format = formatOf(out, argv['format'] as ExportFormat | undefined)
  const schemaId = argv['schema'] as string | undefined
  const query = new URLSearchParams({ limit: '1', ...(schemaId === undefined ? {} : { schemaId }) })
  const { total } = await getJson<{ total: number }>(connection, `/api/v1/records?${query.toString()}`)
  const model = await readModel(connection, format, schemaId)
  const search = JSON.stringify({ criteria: [], criteriaOperator: 'and', schemaId })
  const response = await call(connection, 'POST', '/api/v1/search', { type: 'application/json', content: search })
  const progress = showProgress({ label: 'export', total, unit: 'records' })
  try {
    await writeOutput(out, render(counted(readElements(response), progress), format, model))
  } finally {
    progress.stop()
  }
}

/** @throws UsageError */
function formatOf(out: string, given: ExportFormat | undefined): ExportFormat {
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(out)?.[1]?.toLowerCase()
  const format = given ?? EXPORT_FORMATS.find((name) => name === (ending === 'ndjson' ? 'jsonl' : ending))
  if (format !== undefined) return format
  throw new UsageError(`--format is required: '${out}' does not end in .${EXPORT_FORMATS.join(', .')}`)
}

async function readModel(
  connection: Connection,
  format: ExportFormat,
  schemaId: string | undefined,
): Promise<ExportModel> {
  if (format === 'json' || format === 'jsonl') return { dimensions: [], schemas: [] }
  const schemas = await getJson<ExportModel['schemas']>(connection, '/api/v1/schemas')
  const dimensions = await getJson<ExportModel['dimensions']>(connection, '/api/v1/dimensions')
  return { dimensions, schemas: schemas.filter(({ id }) => schemaId === undefined || id === schemaId) }
}

async function* counted(records: RecordTexts, progress: Progress): AsyncGenerator<readonly string[], void> {
  for await (const some of records) {
    progress.advance(some.length)
    yield some
  }
}

function render(records: RecordTexts, format: ExportFormat, model: ExportModel): AsyncGenerator<string, void> {
  if (format === 'jsonl') return jsonLines(records)
  return format === 'json' ? jsonArray(records) : formatted(records, format, model)
}
