// From stored records to the parts of a file: through flattening and a format, or through named columns. Contract 2 §6, 3 §5, 3 §11.
import { createCategoryPaths } from '../rules/category-paths.ts'
import { columnForms, type ColumnValue, createRows } from '../rules/column-rows.ts'
import type { Holder, Row, RowLayers, RowView } from '../rules/column-sources.ts'
import { catalogsOf, type ExportColumn, isOfParent } from '../rules/export-columns.ts'
import { catalogsInFiles, isNamedByParent, linkedFiles } from '../rules/job-files.ts'
import { linksReader } from '../rules/linked-columns.ts'
import { type AddressBook, addressesOf, focusAliases } from './file-addresses.ts'
import { LinkedRecords } from './linked-records.ts'
import { type FileBook, type FileRules, RowFiles } from './row-files.ts'
import type { XmlDocument } from '../rules/xml-document.ts'
import type { CsvDialect } from '../../core/csv/csv-dialect.ts'
import type { ExportFormat } from '../rules/export-format.ts'
import {
  createFlatten,
  type ExportedRecord,
  exportedAttributes,
  type VariantValues,
} from '../../core/records/rules/exported-record.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Category } from '../../core/model/rules/catalog.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import type { Values } from '../../core/records/rules/record.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import type { LinkedSnapshot, SnapshotRecord } from '../../store/snapshot-port.ts'
import { columnFormats } from '../formats/column-formats.ts'
import type { FilePart, FormatWriter } from '../formats/format.ts'
import { formats } from '../formats/file-formats.ts'

/** How records are written. */
export interface Writing {
  readonly format: ExportFormat
  /** null: the members of the format instead of columns. */
  readonly columns: readonly ExportColumn[] | null
  /** Aliases, where there are no columns; null: all that the role may read. */
  readonly select: readonly string[] | null
  /**
   * One effective value per attribute, for this scope; null: all scoped values. Columns without a scope also use this
   * scope.
   */
  readonly dimensionScope: Scope | null
  readonly variantValues: VariantValues
  readonly dialect: CsvDialect
  /** null: the plain document. */
  readonly xml: XmlDocument | null
  /** Whether the job makes deltas, for any of its files. */
  readonly hasDeltas?: boolean | undefined
  /** null: no column writes an address. */
  readonly addresses: AddressBook | null
  /** null: no files go with the records. */
  readonly files: FileBook | null
  /** The name of the sheet of an xlsx. */
  readonly sheet: string
  readonly spreadsheetSafe: boolean
}

/** The content, and the role that limits it. */
interface Written {
  readonly model: Model
  readonly role: Role
  /** Whose records may come. */
  readonly schemas: readonly Schema[]
  readonly isDelta: boolean
  /** Categories of one catalog. */
  readonly categoriesOf: (catalogId: string) => Promise<readonly Category[]>
  /** Records that columns read besides the records of the rows. */
  readonly linked: LinkedSnapshot['linked']
  readonly fileRules?: FileRules | undefined
}

export interface RecordWriter {
  /** The files of written records. */
  readonly files?: RowFiles | undefined
  /** Records must come with these of their categories. */
  readonly withCategories: VariantValues | undefined
  /** See `FormatWriter`. */
  readonly survey?: ((record: SnapshotRecord) => void) | undefined
  begin(): FilePart
  write(records: readonly SnapshotRecord[]): FilePart | Promise<FilePart>
  writeDeleted(ids: readonly string[]): FilePart
  end(): FilePart
  /** See `FormatWriter`. */
  readonly mustBeginAgain?: (() => boolean) | undefined
}

export async function createRecordWriter(writing: Writing, written: Written): Promise<RecordWriter> {
  const sources = await openSources(writing, written)
  return writing.columns === null
    ? wholeRecords(writing, written, sources)
    : rowsOf({ ...writing, columns: writing.columns }, written, sources)
}

/** The sources of values for rows and for the names of files. */
interface Sources {
  readonly view: RowView
  readonly files: RowFiles | undefined
  readonly withCategories: VariantValues | undefined
  readonly layersOf: (record: SnapshotRecord) => RowLayers
  readonly others: LinkedRecords
}

async function openSources(
  { columns, dimensionScope, variantValues, addresses, files: book }: Writing,
  { model, role, schemas, categoriesOf, linked, fileRules }: Written,
): Promise<Sources> {
  const named = columns ?? []
  const settings = book?.settings ?? null
  const catalogIds = [...new Set([...catalogsOf(named), ...catalogsInFiles(settings)])]
  const categories = (await Promise.all(catalogIds.map(categoriesOf))).flat()
  const layersOf = createLayers(variantValues, named.some(isOfParent) || isNamedByParent(settings))
  const ofFiles = linkedFiles(settings?.attributes ?? [], schemas, model).map(({ alias }) => alias)
  const focuses = [...focusAliases(addresses), ...(book?.preset.focus === undefined ? [] : [book.preset.focus])]
  const aliases = new Set([...named.flatMap(({ via }) => via ?? []), ...ofFiles, ...focuses])
  const others = new LinkedRecords(linked, { model, layersOf, aliases })
  const linkedOf = (id: string): Holder | undefined => others.get(id)
  const pathsOf = createCategoryPaths(categories)
  const publicly = addressesOf(addresses, role)
  const view = { model, role, dimensionScope, pathsOf, linkedOf, addressOf: publicly }
  const files = book === null ? undefined : new RowFiles(book, view, fileRules)
  const addressOf = files === undefined || settings?.publicBase === undefined ? publicly : files.addressOf
  const withCategories = catalogIds.length > 0 ? variantValues : undefined
  return { view: { ...view, addressOf }, files, withCategories, layersOf, others }
}

function wholeRecords(
  writing: Writing,
  { model, role, schemas, isDelta }: Written,
  { files, withCategories, layersOf, others }: Sources,
): RecordWriter {
  const { format, dimensionScope, select, variantValues, dialect, spreadsheetSafe, hasDeltas } = writing
  const selected = select && new Set(select)
  const isSelected = ({ alias }: Attribute): boolean => selected?.has(alias) !== false
  const flatten = createFlatten({ model, role, dimensionScope, variantValues })
  const read = (record: SnapshotRecord): ExportedRecord => {
    const { head, attributes } = flatten(record, layersOf(record))
    return selected === null
      ? { head, attributes }
      : { head, attributes: attributes.filter(({ attribute }) => isSelected(attribute)) }
  }
  const writer: FormatWriter<FilePart> = formats[format]({
    isFlat: dimensionScope !== null,
    spreadsheetSafe,
    attributes: schemas.flatMap((schema) => exportedAttributes(schema, role)).filter(isSelected),
    dimensions: model.dimensions,
    dialect,
    isDelta,
    hasDeltas,
    isExact: variantValues === 'own',
  })
  const { survey } = writer
  return {
    ...writer,
    files,
    withCategories,
    survey: survey && ((record) => survey(read(record))),
    async write(records) {
      if (files !== undefined) {
        const rows = records.map((record) => rowOf(record, layersOf(record), model))
        await others.load(rows.flatMap((row) => files.linksOf(row)))
        for (const row of rows) files.open(row)
      }
      return writer.write(records.map(read))
    },
  }
}

function rowsOf(
  writing: Writing & { readonly columns: readonly ExportColumn[] },
  { model, schemas, isDelta }: Written,
  { view, files, withCategories, layersOf, others }: Sources,
): RecordWriter {
  const { format, columns, dialect, xml, spreadsheetSafe } = writing
  const valuesOf = createRows(columns, view)
  const read = (row: Row): ColumnValue[] => {
    files?.open(row)
    return valuesOf(row.head, row.layers, row.categoryIds)
  }
  const readers = columns.filter(({ via }) => via !== undefined).map((column) => linksReader(column, view))
  const writer = columnFormats[format]({
    headers: columns.map(({ header }) => header),
    forms: columnForms(columns, schemas),
    idColumn: columns.findIndex(({ field }) => field === 'id'),
    dialect,
    xml,
    elements: columns.map(({ header, element = header }) => element),
    spreadsheetSafe,
    isDelta,
  })
  return {
    ...writer,
    files,
    withCategories,
    async write(records) {
      if (readers.length === 0 && files === undefined)
        return writer.write(records.map((record) => read(rowOf(record, layersOf(record), model))))
      const rows = records.map((record) => rowOf(record, layersOf(record), model))
      const linksOf = (row: Row) => [...readers.flatMap((idsOf) => idsOf(row)), ...(files?.linksOf(row) ?? [])]
      await others.load(rows.flatMap(linksOf))
      return writer.write(rows.map(read))
    },
  }
}

function rowOf(record: SnapshotRecord, layers: RowLayers, model: Model): Row {
  const { schemaId, categoryIds = [] } = record
  return { head: record, schema: model.schemas.get(schemaId), layers, categoryIds }
}

/** Variants often come one after another: their parents' values are parsed once. */
const KEPT_PARENTS = 100

/** The way from a stored record to its values. @param isParentNamed whether the parent's values are read for themselves */
function createLayers(variantValues: VariantValues, isParentNamed = false): (record: SnapshotRecord) => RowLayers {
  const parents = new Map<string, Values>()
  const parentOf = (parentId: string, valuesJson: string): Values => {
    const known = parents.get(parentId)
    if (known !== undefined) return known
    if (parents.size >= KEPT_PARENTS) parents.clear()
    const values = JSON.parse(valuesJson) as Values
    parents.set(parentId, values)
    return values
  }
  return (record) => {
    const { parentId, parentValuesJson, valuesJson } = record
    const isPlain = parentId === null || parentValuesJson === null || (variantValues === 'own' && !isParentNamed)
    const parent = isPlain ? null : parentOf(parentId, parentValuesJson)
    return { own: JSON.parse(valuesJson) as Values, inherited: variantValues === 'own' ? null : parent, parent }
  }
}
