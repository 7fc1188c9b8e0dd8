// The files that go with the rows of a feed: found in the values of records, named, and listed for the delivery. Contract 4 §4.
import { createHash } from 'node:crypto'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { FileValue } from '../../core/datatypes/file.ts'
import { effectiveValueIn } from '../../core/records/rules/record.ts'
import { cleanFileName } from '../../core/values/file-name.ts'
import { definitionOf, type Focus, isMade, type Preset } from '../../files/rules/presets.ts'
import { publicFileName } from '../../files/rules/public-address.ts'
import { invalid } from '../../kernel/errors.ts'
import { hasMoreBytes } from '../../kernel/text.ts'
import { type AddressOf, attributeFinder, type Holder, type Row, type RowView } from '../rules/column-sources.ts'
import { FILE_PIECES, fileAttributeOf, type JobFiles, MAX_RUN_FILES, publishedAddress } from '../rules/job-files.ts'
import { linksReader } from '../rules/linked-columns.ts'
import { compileTemplate } from '../rules/template/template-values.ts'
import type { FileError } from '../rules/export-run.ts'
import { focusOfHolder } from './file-addresses.ts'

/** The settings of a job's files, with their preset. The book can be sent to a thread. */
export interface FileBook {
  readonly settings: JobFiles
  readonly preset: Preset
}

/** A file that the destination shall have. */
export interface WantedFile {
  readonly recordId: string
  /** The place among the files of the record, from 1. */
  readonly n: number
  readonly name: string
  /** Of the original. */
  readonly sha256: string
  readonly focus?: Focus | undefined
  /** Digest of the content, and of the form in which the file is sent. */
  readonly digest: string
}

/** A file, or why there is none. */
export type ListedFile = WantedFile | UnlistedFile

interface UnlistedFile extends FileError {
  /** null: the file has no name. */
  readonly name: string | null
  /** Whether the file is not known to be at the destination. */
  readonly isLate: boolean
}

interface FoundFile {
  /** undefined: the record that should have the file has none. */
  readonly value: FileValue | undefined
  readonly holder: Holder
  /** The record that should have it, for messages. */
  readonly id: string
}

export interface FileRules {
  /** Names that other files of the run have. */
  readonly reserved: readonly string[]
  /** Files at the destination: name → digest. undefined: all files count as delivered. */
  readonly known: ReadonlyMap<string, string> | undefined
}

/** The limit of file systems. */
const MAX_NAME_BYTES = 255

export class RowFiles {
  readonly #book: FileBook
  readonly #view: RowView
  readonly #rules: FileRules
  readonly #finders: readonly ((row: Row) => FoundFile[])[]
  readonly #links: readonly ((row: Holder) => readonly string[])[]
  readonly #compose: ReturnType<typeof compileTemplate>
  readonly #names = new Map<string, string>()
  readonly #pieces = new Map<string, string | number>()
  #listed: ListedFile[] = []
  /** Of the present row: digest → name. */
  #ofRow = new Map<string, string>()

  constructor(book: FileBook, view: RowView, rules: FileRules = { reserved: [], known: undefined }) {
    const { attributes, name } = book.settings
    this.#book = book
    this.#view = view
    this.#rules = rules
    this.#links = attributes.map((attributeAlias) => linksReader({ attributeAlias }, view))
    this.#finders = attributes.map((alias, index) => this.#finderOf(alias, this.#links[index]!))
    const pieces = new Map(FILE_PIECES.map((piece) => [piece, (): string | number => this.#pieces.get(piece)!]))
    this.#compose = compileTemplate(name, 'files.name', { ...view, pieces })
  }

  /** The records that have the files of a row. */
  linksOf(row: Holder): string[] {
    return this.#links.flatMap((idsOf) => idsOf(row))
  }

  /** The list begins again. */
  begin(): void {
    this.#names.clear()
    this.#listed = []
  }

  /** Lists the files of the next row. The records of `linksOf` were loaded. */
  open(row: Row): void {
    this.#ofRow = new Map()
    const found = this.#finders.flatMap((find) => find(row))
    for (const [index, file] of found.entries()) this.#list(row, file, index + 1)
  }

  /** The files that were listed since the last call. */
  drain(): ListedFile[] {
    const listed = this.#listed
    this.#listed = []
    return listed
  }

  /** Where the destination publishes files of the present row. */
  readonly addressOf: AddressOf = ({ sha256 }, _preset, holder) => {
    const name = this.#ofRow.get(this.#digestOf(sha256, this.#focusOf(holder)))
    return name === undefined ? undefined : publishedAddress(this.#book.settings.publicBase!, name)
  }

  #finderOf(alias: string, idsOf: (row: Holder) => readonly string[]): (row: Row) => FoundFile[] {
    const { role, linkedOf } = this.#view
    const attributeOf = attributeFinder(alias, role)
    return (row) => {
      const attribute = attributeOf(row.schema)
      if (attribute === undefined) return []
      if (dataTypeOf(attribute).files === undefined)
        return idsOf(row).map((id) => {
          const holder = linkedOf(id) ?? { schema: undefined, layers: { own: {}, inherited: null } }
          const of = holder.schema && fileAttributeOf(holder.schema)
          return { value: of === undefined ? undefined : this.#valueOf(holder, of), holder, id }
        })
      const value = this.#valueOf(row, alias)
      return value === undefined ? [] : [{ value, holder: row, id: row.head.id }]
    }
  }

  #valueOf(holder: Holder, alias: string): FileValue | undefined {
    const { role, dimensionScope } = this.#view
    const attribute = attributeFinder(alias, role)(holder.schema)
    const found = attribute && effectiveValueIn(holder.layers, alias, dimensionScope ?? {}, attribute.dimensionIds)
    return found?.value as FileValue | undefined
  }

  #list(row: Row, { value, holder, id }: FoundFile, n: number): void {
    const fail = (message: string, name: string | null = null, isLate = false): void =>
      void this.#listed.push({ recordId: row.head.id, n, name, message, isLate })
    if (value === undefined) return fail(`the record '${id}' has no file`)
    const name = this.#nameOf(row, value, n)
    if (name === undefined) return fail('the template files.name makes no name: a piece has no value')
    if (hasMoreBytes(name, MAX_NAME_BYTES)) return fail(`the name is longer than ${MAX_NAME_BYTES} bytes`, name)
    if (this.#rules.reserved.includes(name)) return fail('the feed has the same name', name)
    const focus = this.#focusOf(holder)
    const digest = this.#digestOf(value.sha256, focus)
    const before = this.#names.get(name)
    if (before !== undefined && before !== digest) return fail('another file has the same name', name)
    const { known } = this.#rules
    if (known !== undefined && known.get(name) !== digest)
      return fail('the file came while the run went on: the next run delivers it', name, true)
    this.#ofRow.set(digest, this.#ofRow.get(digest) ?? name)
    if (before !== undefined) return
    if (this.#names.size >= MAX_RUN_FILES)
      throw invalid(`The job leads to more than ${MAX_RUN_FILES} files: let it select fewer records`)
    this.#names.set(name, digest)
    this.#listed.push({ recordId: row.head.id, n, name, sha256: value.sha256, ...(focus && { focus }), digest })
  }

  #nameOf(row: Row, { fileName, mediaType }: FileValue, n: number): string | undefined {
    const { preset } = this.#book
    const ending = /\.([A-Za-z0-9]{1,10})$/.exec(isMade(preset) ? publicFileName('x', preset) : fileName)?.[1]
    const ext = (ending ?? mediaType.replace(/^.*\//, '').replace(/[^A-Za-z0-9].*$/, '')).toLowerCase()
    this.#pieces.set('n', n)
    this.#pieces.set('ext', ext || 'bin')
    this.#pieces.set('fileName', isMade(preset) ? `${fileName.replace(/\.[^.]*$/, '')}.${ext}` : fileName)
    const composed = this.#compose(row)
    if (composed === undefined) return undefined
    const text = typeof composed === 'string' ? composed : composed.join('-')
    return cleanFileName(text.replaceAll(/[/\\]+/g, '-')).replace(/^[. ]+|[. ]+$/g, '') || undefined
  }

  #focusOf(holder: Holder): Focus | undefined {
    return focusOfHolder(this.#book.preset, holder, this.#view.role)
  }

  #digestOf(sha256: string, focus: Focus | undefined): string {
    return createHash('sha256')
      .update(`${sha256}\n${definitionOf(this.#book.preset, focus)}`)
      .digest('base64url')
  }
}
