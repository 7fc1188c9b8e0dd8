// An import that learns of every line that fails: a server tells the first thousand of a request. So the file goes in parts of
// no more lines than that, one after another. A dry run must see the file as a whole, since later lines build on earlier ones;
// it is repeated without the lines that are known to fail, which change nothing for the others.
import { type ImportResult, MAX_IMPORT_ERRORS } from '../domain/records/import.ts'
import { StartError } from '../machine/start-error.ts'
import { FailedLines, type LineError } from './failed-lines.ts'
import { type ImportFormat, readSourceLines, type SourceLine } from './source-lines.ts'

/** Bytes of a part; a single line may be larger. */
const MAX_PART = 8 * 1024 ** 2

const KINDS = ['created', 'updated', 'unchanged', 'failed'] as const

/** Sends lines to the server. @throws StartError */
export type SendLines = (content: AsyncIterable<Buffer>) => Promise<ImportResult>

export interface ImportTally {
  created: number
  updated: number
  unchanged: number
  failed: number
  /** The first of them, for the user. */
  readonly errors: LineError[]
  /** What ended the import early, with parts before it written. */
  fault: StartError | undefined
}

export interface TellingImport {
  /** The file from its beginning. */
  readonly open: () => AsyncIterable<Buffer>
  readonly format: ImportFormat
  /** Of a csv; without it a comma. */
  readonly delimiter?: string | undefined
  readonly send: SendLines
  /** Errors that the tally keeps. */
  readonly shown: number
}

export function newTally(): ImportTally {
  return { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], fault: undefined }
}

/** Yields what is to be written of lines that fail, and counts in `tally`. @throws StartError where nothing was written yet */
export async function* importInParts(
  { open, format, delimiter, send, shown }: TellingImport,
  tally: ImportTally,
): AsyncGenerator<Buffer, void> {
  const failed = new FailedLines(format, delimiter)
  let isFirst = true
  for await (const part of readParts(readSourceLines(open(), format, delimiter), failed)) {
    let result: ImportResult
    try {
      result = await send(once([failed.header ?? Buffer.alloc(0), ...part.map(({ bytes }) => bytes)]))
      if (result.errors.length < result.failed) throw new StartError('The server does not tell every line that failed')
    } catch (error) {
      if (isFirst || !(error instanceof StartError)) throw error
      tally.fault = new StartError(`${error.message} (lines from ${part[0]?.line} on are not told)`, { cause: error })
      return
    }
    isFirst = false
    for (const kind of KINDS) tally[kind] += result[kind]
    const lineAt = linesOf(part, failed.header)
    for (const error of result.errors) {
      const source = lineAt.get(error.line)!
      const told = { ...error, line: source.line }
      if (tally.errors.length < shown) tally.errors.push(told)
      yield failed.describe(source, told)
    }
  }
}

/** At least one, so that the server sees a file without records, too. */
async function* readParts(lines: AsyncIterable<SourceLine>, failed: FailedLines): AsyncGenerator<SourceLine[], void> {
  let part: SourceLine[] = []
  let size = 0
  let parts = 0
  for await (const line of lines) {
    if (failed.isHead(line)) continue
    if (part.length >= MAX_IMPORT_ERRORS || size + line.bytes.length > MAX_PART) {
      if (part.length > 0) yield part
      parts += 1
      part = []
      size = 0
    }
    part.push(line)
    size += line.bytes.length
  }
  if (part.length > 0 || parts === 0) yield part
}

/** The lines of a part by the number that they have in its request. */
function linesOf(part: readonly SourceLine[], header: Buffer | undefined): Map<number, SourceLine> {
  let at = 1 + (header === undefined ? 0 : feedsIn(header))
  const lines = new Map<number, SourceLine>()
  for (const line of part) {
    lines.set(at, line)
    at += line.feeds
  }
  return lines
}

function feedsIn(bytes: Buffer): number {
  return bytes.filter((byte) => byte === 0x0a).length
}

/** The same of a dry run. `open` is called more than once. */
export async function* tellDryRun(
  { open, format, delimiter, send, shown }: TellingImport,
  tally: ImportTally,
): AsyncGenerator<Buffer, void> {
  const known = new Map<number, LineError>()
  const passes = { isOver: false }
  while (!passes.isOver) {
    const skipped: SourceLine[] = []
    const result = await send(without(known, skipped, readSourceLines(open(), format, delimiter)))
    if (known.size === 0) for (const kind of KINDS) tally[kind] = result[kind]
    for (const error of result.errors) {
      const line = lineInFile(error.line, skipped)
      known.set(line, { ...error, line })
    }
    passes.isOver = result.failed <= result.errors.length || result.errors.length === 0
  }
  tally.failed = known.size
  const failed = new FailedLines(format, delimiter)
  for await (const line of readSourceLines(open(), format, delimiter)) {
    const error = known.get(line.line)
    if (failed.isHead(line) || error === undefined) continue
    if (tally.errors.length < shown) tally.errors.push(error)
    yield failed.describe(line, error)
  }
}

async function* without(
  known: ReadonlyMap<number, unknown>,
  skipped: SourceLine[],
  lines: AsyncIterable<SourceLine>,
): AsyncGenerator<Buffer, void> {
  for await (const line of lines) {
    if (known.has(line.line)) skipped.push({ ...line, bytes: Buffer.alloc(0) })
    else yield line.bytes
  }
}

/** Where the line is that has the number `sent` in a file without those that were skipped. */
function lineInFile(sent: number, skipped: readonly SourceLine[]): number {
  let line = sent
  for (const { line: at, feeds } of skipped) {
    if (at > line) break
    line += feeds
  }
  return line
}

async function* once(chunks: readonly Buffer[]): AsyncGenerator<Buffer, void> {
  yield Buffer.concat(chunks)
}
