// `pimlet export`: writes a server's records into a file. Contract 2 §6, 2 §8.
import { type Connection, CONNECTION_FLAGS, readConnection } from '../settings/config.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../domain/exports/export-format.ts'
import { UsageError } from '../machine/start-error.ts'
import { call, getJson } from './client.ts'
import type { Command, Given } from './command.ts'
import { formatted, jsonArray, jsonLines, type ExportModel, type RecordTexts } from './export-text.ts'
import { readElements } from './json-elements.ts'
import { assertWritable, writeOutput } from './output-file.ts'
import { showProgress } from './progress.ts'

export const exportCommand: Command = {
  name: 'export',
  description: 'Write the records of a server into a file',
  flags: [
    { name: 'out', description: 'The file; - for standard output; .gz packs it', defaultText: '-' },
    { name: 'force', isSwitch: true, description: 'Replace the file where it exists' },
    { name: 'format', choices: EXPORT_FORMATS, description: 'Needed where the name of the file does not tell' },
    { name: 'schema', description: 'ID of a schema: only its records' },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    ['pimlet export --out shirts.csv --schema sch-shirt', 'The shirts, with the key in PIMLET_API_KEY'],
    ['pimlet export --out all.jsonl.gz', 'Everything, packed; pimlet import takes it back'],
    ['pimlet export --format jsonl | jq .id', 'Into another program'],
  ],
  notes: 'The file has the values of the records themselves; export jobs also write what variants inherit.',
  async run(given) {
    await exportFile(readConnection(given.flags), given)
    return 0
  },
}

async function exportFile(connection: Connection, given: Given): Promise<void> {
  const out = given.text('out') ?? '-'
  const format = formatOf(out, given.text('format') as ExportFormat | undefined)
  const mayReplace = given.isOn('force')
  assertWritable(out, { mayReplace })
  const schemaId = given.text('schema')
  const query = new URLSearchParams({ limit: '1', ...(schemaId === undefined ? {} : { schemaId }) })
  const { total } = await getJson<{ total: number }>(connection, `/api/v1/records?${query.toString()}`)
  const model = await readModel(connection, format, schemaId)
  const search = JSON.stringify({ criteria: [], criteriaOperator: 'and', schemaId })
  const response = await call(connection, 'POST', '/api/v1/search', { type: 'application/json', content: search })
  const progress = showProgress({ label: 'export', total, unit: 'records' })
  const written = { records: 0 }
  let bytes: number | undefined
  try {
    const records = counted(readElements(response), (count) => {
      progress.advance(count)
      written.records += count
    })
    bytes = await writeOutput(out, render(records, format, model), { mayReplace })
  } finally {
    progress.stop()
  }
  // A pipe or device may be standard output itself.
  if (bytes !== undefined) process.stdout.write(`${out}: ${written.records} records, ${bytes} bytes\n`)
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

async function* counted(
  records: RecordTexts,
  count: (records: number) => void,
): AsyncGenerator<readonly string[], void> {
  for await (const some of records) {
    count(some.length)
    yield some
  }
}

function render(records: RecordTexts, format: ExportFormat, model: ExportModel): AsyncGenerator<string, void> {
  if (format === 'jsonl') return jsonLines(records)
  return format === 'json' ? jsonArray(records) : formatted(records, format, model)
}
