// What `pimlet import --failed` writes: the lines that failed as they were, and why, so that they can be put right and sent
// again. A csv gets two more columns, a JSON object two more members, which an import ignores.
import type { ImportResult } from '../domain/records/import.ts'
import { type ImportFormat, isBlankRow, type SourceLine } from './source-lines.ts'

export type LineError = ImportResult['errors'][number]

/** What an earlier run has added to the object that the line is. */
const ADDED = /(?:,|(?<=\{))"error":"[A-Z_]+","message":"(?:[^"\\]|\\.)*"\}$/

export class FailedLines {
  readonly #format: ImportFormat
  #header: Buffer | undefined
  #isBegun = false

  readonly #delimiter: string

  constructor(format: ImportFormat, delimiter = ',') {
    this.#format = format
    this.#delimiter = delimiter
  }

  /** Of a csv, once it is known. */
  get header(): Buffer | undefined {
    return this.#header
  }

  /** Whether the line is not a record: the header of a csv, which is remembered here, or a line before it. */
  isHead(line: SourceLine): boolean {
    if (this.#format !== 'csv' || this.#header !== undefined) return false
    if (!isBlankRow(line)) this.#header = line.bytes
    return true
  }

  /** What is written for the line. */
  describe({ bytes }: SourceLine, { error, message }: LineError): Buffer {
    if (this.#format === 'ndjson') return describeObject(bytes, error, message)
    const described = withCells(bytes, this.#lineEnd, this.#delimiter, [error, message])
    if (this.#isBegun || this.#header === undefined) return described
    this.#isBegun = true
    return Buffer.concat([withCells(this.#header, this.#lineEnd, this.#delimiter, ['error', 'message']), described])
  }

  /** As the header has it. */
  get #lineEnd(): string {
    return this.#header?.at(-2) === 0x0d ? '\r\n' : '\n'
  }
}

function withCells(row: Buffer, lineEnd: string, delimiter: string, cells: readonly string[]): Buffer {
  const more = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return Buffer.concat([withoutEnd(row), Buffer.from(`${delimiter}${more.join(delimiter)}${lineEnd}`)])
}

/** The text of its values stays as it is: parsed and written again, some numbers would change. */
function describeObject(line: Buffer, error: string, message: string): Buffer {
  const bytes = withoutEnd(line)
  const text = bytes.toString('utf8').trimEnd()
  if (!isObject(text)) return Buffer.concat([bytes, Buffer.from('\n')])
  const members = text.replace(ADDED, '}').slice(0, -1).trimEnd()
  const separator = members.endsWith('{') ? '' : ','
  const added = `${separator}"error":${JSON.stringify(error)},"message":${JSON.stringify(message)}}\n`
  return Buffer.from(members + added)
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function withoutEnd(line: Buffer): Buffer {
  const end = line.at(-1) === 0x0a ? line.length - 1 : line.length
  return line.subarray(0, line[end - 1] === 0x0d ? end - 1 : end)
}
