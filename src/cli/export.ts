// `pimlet export`: writes a server's records into a file. Contract 2 §6, 2 §8, 3 §8.
import type { IncomingMessage } from 'node:http'
import { CONNECTION_FLAGS } from '../settings/config.ts'
import { type Connection, readConnection } from '../settings/places.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../domain/exports/export-format.ts'
import { StartError, UsageError } from '../machine/start-error.ts'
import { call, readJson } from './client.ts'
import type { Command, Given } from './command.ts'
import { scopeOf, searchOf, SELECTION_FLAGS } from './export-query.ts'
import { jsonArray, jsonLines, type RecordTexts } from './export-text.ts'
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
    ...SELECTION_FLAGS,
    { name: 'scope', description: 'language=de;market=eu: one value of each attribute, for this scope' },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    ['pimlet export --out shirts.csv --schema sch-shirt', 'The shirts, with the key in PIMLET_API_KEY'],
    ['pimlet export --out de.xlsx --scope language=de --state state-published', 'A workbook of what is published'],
    ['pimlet export --out all.jsonl.gz', 'Everything, packed; pimlet import takes it back'],
    ['pimlet export --format jsonl | jq .id', 'Into another program'],
  ],
  notes: 'The file has the values of the records themselves; export jobs also write what variants inherit.',
  async run(given) {
    await exportFile(readConnection(given.flags), given)
    return 0
  },
}

interface Wanted {
  readonly format: ExportFormat
  readonly out: string
  readonly mayReplace: boolean
}

async function exportFile(connection: Connection, given: Given): Promise<void> {
  const out = given.text('out') ?? '-'
  const wanted: Wanted = {
    format: formatOf(out, given.text('format') as ExportFormat | undefined),
    out,
    mayReplace: given.isOn('force'),
  }
  assertWritable(out, wanted)
  const dimensionScope = scopeOf(given)
  const search = await searchOf(connection, given)
  const total = await countMatches(connection, search)
  const isWhole = (wanted.format === 'json' || wanted.format === 'jsonl') && dimensionScope === undefined
  const written = isWhole
    ? await writeRecords(connection, search, total, wanted)
    : await writeRendered(connection, { ...search, dimensionScope }, total, wanted)
  // A pipe or device may be standard output itself.
  if (written.bytes !== undefined) process.stdout.write(`${out}: ${written.records} records, ${written.bytes} bytes\n`)
}

interface WrittenFile {
  readonly records: number
  /** Undefined where it is no file. */
  readonly bytes: number | undefined
}

async function countMatches(connection: Connection, search: object): Promise<number> {
  const response = await post(connection, '/api/v1/search', { ...search, limit: 1, select: [] })
  await readJson(response)
  const total = Number(response.headers['x-total-count'])
  if (Number.isSafeInteger(total)) return total
  throw new StartError('The server did not answer as a pimlet server does')
}

/** The records as they are, in JSON. */
async function writeRecords(
  connection: Connection,
  search: object,
  total: number,
  { format, out, mayReplace }: Wanted,
): Promise<WrittenFile> {
  const response = await post(connection, '/api/v1/search', search)
  const progress = showProgress({ label: 'export', total, unit: 'records' })
  let count = 0
  try {
    const records = counted(readElements(response), (some) => {
      progress.advance(some)
      count += some
    })
    const text = format === 'jsonl' ? jsonLines(records) : jsonArray(records)
    const bytes = await writeOutput(out, text, { mayReplace })
    return { records: count, bytes }
  } finally {
    progress.stop()
  }
}

/** The file as the server makes it. */
async function writeRendered(
  connection: Connection,
  search: object,
  total: number,
  { format, out, mayReplace }: Wanted,
): Promise<WrittenFile> {
  const body = { ...search, format, variantValues: 'own' }
  const response = await post(connection, '/api/v1/records/export', body)
  const progress = showProgress({ label: 'export', total: undefined, unit: 'bytes' })
  try {
    const bytes = await writeOutput(
      out,
      received(response, (some) => progress.advance(some)),
      { mayReplace },
    )
    return { records: total, bytes }
  } finally {
    progress.stop()
  }
}

async function* received(response: IncomingMessage, count: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      count(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw new StartError('The connection was cut before the file was complete', { cause: error })
  }
}

function post(connection: Connection, path: string, body: object): Promise<IncomingMessage> {
  return call(connection, 'POST', path, { type: 'application/json', content: JSON.stringify(body) })
}

/** @throws UsageError */
function formatOf(out: string, given: ExportFormat | undefined): ExportFormat {
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(out)?.[1]?.toLowerCase()
  const format = given ?? EXPORT_FORMATS.find((name) => name === (ending === 'ndjson' ? 'jsonl' : ending))
  if (format !== undefined) return format
  throw new UsageError(`--format is required: '${out}' does not end in .${EXPORT_FORMATS.join(', .')}`)
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
