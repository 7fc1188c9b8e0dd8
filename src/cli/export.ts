// `pimlet export`: writes a server's records into a file. Contract 2 §6, 2 §8, 3 §8.
import type { IncomingMessage } from 'node:http'
import { CONNECTION_FLAGS } from '../kernel/settings/config.ts'
import { type Connection, readConnection } from '../kernel/settings/workspace-place.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../exports/rules/export-format.ts'
import { StartError, UsageError } from '../kernel/machine/start-error.ts'
import { call, readJson } from './client.ts'
import type { Command, Given } from './command.ts'
import { assertKnownSelection, scopeOf, searchOf, SELECTION_FLAGS } from './export-query.ts'
import { assertWritable, writeOutput } from './output-file.ts'
import { showProgress } from './progress-bar.ts'

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
  await assertKnownSelection(connection, given)
  const search = await searchOf(connection, given)
  const total = await countMatches(connection, search)
  const { bytes, records = total } = await writeRendered(connection, { ...search, dimensionScope }, wanted)
  // A pipe or device may be standard output itself, so nothing else is printed.
  if (bytes !== undefined) process.stdout.write(`${out}: ${records} records, ${bytes} bytes\n`)
}

/** Lines without records, in formats with one line for each record. */
const OTHER_LINES: Partial<Record<ExportFormat, number>> = { jsonl: 0, json: 2 }
const LINE_FEED = 10

interface WrittenFile {
  /** Undefined: the output is no file. */
  readonly bytes: number | undefined
  /** Undefined: counting would mean reading the whole file. */
  readonly records: number | undefined
}

async function countMatches(connection: Connection, search: object): Promise<number> {
  const response = await post(connection, '/api/v1/search', { ...search, limit: 1, select: [] })
  await readJson(response)
  const total = Number(response.headers['x-total-count'])
  if (Number.isSafeInteger(total)) return total
  throw new StartError('The server did not answer as a pimlet server does')
}

/** Writes the file as the server renders it. */
async function writeRendered(
  connection: Connection,
  search: object,
  { format, out, mayReplace }: Wanted,
): Promise<WrittenFile> {
  const body = { ...search, format, variantValues: 'own' }
  const response = await post(connection, '/api/v1/records/export', body)
  const progress = showProgress({ label: 'export', total: undefined, unit: 'bytes' })
  const others = OTHER_LINES[format]
  let lines = 0
  const take = (chunk: Buffer): void => {
    progress.advance(chunk.length)
    if (others !== undefined) lines += linesIn(chunk)
  }
  try {
    const bytes = await writeOutput(out, received(response, take), { mayReplace })
    return { bytes, records: others === undefined ? undefined : lines - others }
  } finally {
    progress.stop()
  }
}

function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1
  return lines
}

async function* received(response: IncomingMessage, take: (chunk: Buffer) => void): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      take(chunk)
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
