// Fetches or finds the files that cells of an import name, before their rows are written. Contract 3 §4.
import type { Caller } from '../core/accounts/caller.ts'
import type { CsvHeader, ValueColumn } from '../core/csv/csv-header.ts'
import { partsOfCell } from '../core/datatypes/data-type.ts'
import type { FileName } from '../core/datatypes/file.ts'
import type { Model } from '../core/model/rules/model.ts'
import { cleanFileName } from '../core/values/file-name.ts'
import { scopeKey } from '../core/scopes/scope.ts'
import { invalid, isRefusal, PimletError, shorten } from '../kernel/errors.ts'
import { Gate } from '../kernel/gate.ts'
import type { FileRow } from './file-rows.ts'
import type { PictureNames } from './picture-names.ts'
import type { ImportMapping } from './rules/import-profile.ts'
import { pictureAttribute, type PicturePlace } from './rules/picture-attribute.ts'
import { FILE_STEPS, type FileStep } from './rules/profile-steps.ts'

/** The files of the workspace, as an import uses them. */
export interface FileSource {
  /**
   * Keeps the file at an address like an upload of the caller.
   * @throws VALIDATION_ERROR naming `url`, PAYLOAD_TOO_LARGE, PERMISSION_DENIED, UNAVAILABLE
   */
  readonly fetch: (caller: Caller, url: string, signal: AbortSignal) => Promise<FileName>
  /** The latest file of that name that the caller uploaded within a day. */
  readonly find: (caller: Caller, fileName: string) => Promise<FileName | undefined>
}

/** A column whose cells name files. */
export interface FileColumn extends Pick<ValueColumn, 'name' | 'cell' | 'alias'> {
  readonly how: FileStep
  /** Where a cell of references names several files, which become records; undefined: a cell names one file. */
  readonly pictures: PicturePlace | undefined
}

/** A record that has the file. */
interface KnownPicture {
  readonly recordId: string
}

/** Begins the ID of a record in a cell. */
export const RECORD_SIGN = '='

/** Files fetched at the same time, and rows whose files are fetched together. */
const AT_ONCE = 4
const ROWS = 16
/** Milliseconds to fetch one file. */
const FETCH_TIME = 20_000
/** Fetched addresses that are remembered. */
const MAX_KNOWN = 10_000

export function fileColumnsOf({ values }: CsvHeader, mapping: ImportMapping | undefined, model: Model): FileColumn[] {
  const schema = model.schemas.get(mapping?.schemaId ?? '')
  return (mapping?.columns ?? []).flatMap(({ to, with: steps = [] }) => {
    const how = FILE_STEPS.find((name) => steps.at(-1) === name)
    if (how === undefined || 'field' in to) return []
    const found = values.find(({ alias, key }) => alias === to.attributeAlias && key === scopeKey(to.scope ?? {}))
    const attribute = schema?.attribute(to.attributeAlias)
    if (found === undefined || attribute === undefined) return []
    const pictures = pictureAttribute(attribute, model)
    return [{ name: found.name, alias: found.alias, cell: found.cell, how, pictures }]
  })
}

/** The header without the columns that a dry run leaves alone: it fetches no files, and makes no pictures. */
export function withoutFetched(header: CsvHeader, columns: readonly FileColumn[]): CsvHeader {
  const left = new Set(
    columns.flatMap(({ how, pictures, cell }) => (how === 'fetch' || pictures !== undefined ? [cell] : [])),
  )
  return left.size === 0 ? header : { ...header, values: header.values.filter(({ cell }) => !left.has(cell)) }
}

export class FileCells {
  readonly #source: FileSource
  readonly #names: PictureNames
  readonly #signal: AbortSignal
  readonly #gate = new Gate({ size: AT_ONCE })
  readonly #known = new Map<string, Promise<FileName>>()
  /** How many files a dry run would fetch. */
  count = 0

  constructor(source: FileSource, names: PictureNames, signal: AbortSignal) {
    this.#source = source
    this.#names = names
    this.#signal = signal
  }

  /**
   * Yields the rows with files in the place of addresses and names. A missing file is an error of its row.
   * @param callerOf finds the caller who fetches; undefined: files are counted and not fetched
   * @throws OwnerFault, UNAVAILABLE, the signal's reason
   */
  async *fill(
    rows: AsyncIterable<FileRow>,
    columnsOf: () => readonly FileColumn[],
    how: { readonly callerOf: () => Promise<Caller>; readonly dryRun: boolean },
  ): AsyncGenerator<FileRow, void> {
    let some: FileRow[] = []
    for await (const row of rows) {
      if (columnsOf().length === 0) {
        yield row
        continue
      }
      some.push(row)
      if (some.length < ROWS) continue
      yield* await this.#fillSome(some, columnsOf(), how)
      some = []
    }
    if (some.length > 0) yield* await this.#fillSome(some, columnsOf(), how)
  }

  async #fillSome(
    rows: readonly FileRow[],
    columns: readonly FileColumn[],
    { callerOf, dryRun }: { readonly callerOf: () => Promise<Caller>; readonly dryRun: boolean },
  ): Promise<FileRow[]> {
    const caller = await callerOf()
    return allOf(rows.map((row) => this.#fillRow(caller, row, columns, dryRun)))
  }

  async #fillRow(caller: Caller, row: FileRow, columns: readonly FileColumn[], dryRun: boolean): Promise<FileRow> {
    const { line } = row
    if (line.kind !== 'row' || row.error !== undefined) return row
    const cells = [...line.cells]
    try {
      for (const column of columns) {
        const text = cells[column.cell] === null ? '' : String(cells[column.cell]).trim()
        if (text === '') continue
        const parts = column.pictures !== undefined ? partsOf(text, column) : [text]
        if (column.how === 'fetch' && dryRun) for (const part of parts) this.#judgeAddress(part, subjectOf(column))
        else cells[column.cell] = cellOf(await allOf(parts.map((part) => this.#fileOf(caller, part, column))))
      }
    } catch (error) {
      this.#signal.throwIfAborted()
      if (isRefusal(error)) return { ...row, error }
      throw error
    }
    return { ...row, line: { ...line, cells } }
  }

  #judgeAddress(text: string, subject: string): void {
    const protocol = URL.parse(text)?.protocol
    if (protocol !== 'http:' && protocol !== 'https:') throw invalid(`${subject} must be an http or https URL`)
    this.count += 1
  }

  async #fileOf(caller: Caller, text: string, column: FileColumn): Promise<FileName | KnownPicture> {
    const subject = subjectOf(column)
    if (column.how === 'fileName') {
      const found = await this.#source.find(caller, text)
      if (found !== undefined) return found
      const { pictures } = column
      const recordId = pictures && (await this.#names.find(caller.role, pictures, cleanFileName(text), subject))
      if (recordId !== undefined) return { recordId }
      throw invalid(
        `${subject} names the file '${shorten(text)}', which you have not uploaded within a day${column.pictures === undefined ? '' : ', and no picture has'}`,
      )
    }
    return this.#fetch(caller, text).catch((error: unknown) => explain(error, subject))
  }

  #fetch(caller: Caller, text: string): Promise<FileName> {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const fetching = this.#gate.run(() => {
      const within = AbortSignal.any([this.#signal, AbortSignal.timeout(FETCH_TIME)])
      return this.#source.fetch(caller, text, within)
    })
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(text, fetching)
    // Another row may have better luck.
    fetching.catch(() => this.#known.delete(text))
    return fetching
  }
}

function subjectOf({ name }: FileColumn): string {
  return `The column '${shorten(name)}'`
}

/** @throws the error, which names the column */
function explain(error: unknown, subject: string): never {
  if (!isRefusal(error)) throw error
  const { code, message } = error
  const problem = message.startsWith('url ') ? message.slice('url '.length) : `cannot be fetched: ${message}`
  throw new PimletError(code, `${subject} ${problem}`)
}

/** Files that one cell names. */
const MAX_FILES = 200

/** @throws VALIDATION_ERROR */
function partsOf(text: string, column: FileColumn): string[] {
  const named = partsOfCell(text, '|')?.flatMap((part) => part.trim() || [])
  if (named === undefined || named.length > MAX_FILES)
    throw invalid(`${subjectOf(column)} must name at most ${MAX_FILES} files`)
  return named
}

/** Throws the first error when all have ended, so that none goes on behind the job. */
async function allOf<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  const ended = await Promise.allSettled(works)
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** As cells of the data type file have them, joined by a vertical bar; records by their IDs behind a sign. */
function cellOf(files: readonly (FileName | KnownPicture)[]): string | null {
  if (files.length === 0) return null
  const parts = files.map((file) =>
    'recordId' in file ? `${RECORD_SIGN}${file.recordId}` : `${file.sha256} ${file.fileName.replaceAll('|', '_')}`,
  )
  return parts.join('|')
}
