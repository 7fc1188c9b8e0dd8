// From stored records to the parts of a file: through flattening and a format, or through named columns. Contract 2 §6, 3 §5, 3 §11.
import { createCategoryPaths } from '../rules/category-paths.ts'
import { columnForms, type ColumnValue, createRows } from '../rules/column-rows.ts'
import type { Holder, RowLayers } from '../rules/column-sources.ts'
import { catalogsOf, type ExportColumn, isOfParent } from '../rules/export-columns.ts'
import { linksReader } from '../rules/linked-columns.ts'
import { type AddressBook, addressesOf, focusAliases } from './file-addresses.ts'
import { LinkedRecords } from './linked-records.ts'
import type { XmlDocument } from '../rules/xml-document.ts'
import type { CsvDialect } from '../../core/csv/csv-dialect.ts'
import type { ExportFormat } from '../rules/export-format.ts'
import { createFlatten, type ExportedRecord, exportedAttributes, type VariantValues } from '../../core/csv/flatten.ts'
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
  /** One effective value per attribute, for this scope; null: all scoped values. Of columns without a scope, too. */
  readonly dimensionScope: Scope | null
  readonly variantValues: VariantValues
  readonly dialect: CsvDialect
  /** null: the plain document. */
  readonly xml: XmlDocument | null
  /** Whether the job makes deltas, for any of its files. */
  readonly hasDeltas?: boolean | undefined
  /** null: no column writes an address. */
  readonly addresses: AddressBook | null
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
  /** Records that columns read beside those of the rows. */
  readonly linked: LinkedSnapshot['linked']
}

export interface RecordWriter {
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
  return writing.columns === null
    ? wholeRecords(writing, written)
    : rowsOf({ ...writing, columns: writing.columns }, written)
}

function wholeRecords(writing: Writing, { model, role, schemas, isDelta }: Written): RecordWriter {
  const { format, dimensionScope, select, variantValues, dialect, spreadsheetSafe, hasDeltas } = writing
  const selected = select && new Set(select)
  const isSelected = ({ alias }: Attribute): boolean => selected?.has(alias) !== false
  const flatten = createFlatten({ model, role, dimensionScope, variantValues })
  const layersOf = createLayers(variantValues)
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
    withCategories: undefined,
    survey: survey && ((record) => survey(read(record))),
    write: (records) => writer.write(records.map(read)),
  }
}

async function rowsOf(
  writing: Writing & { readonly columns: readonly ExportColumn[] },
  { model, role, schemas, isDelta, categoriesOf, linked }: Written,
): Promise<RecordWriter> {
  const { format, columns, dimensionScope, variantValues, dialect, xml, spreadsheetSafe, addresses } = writing
  const catalogIds = catalogsOf(columns)
  const categories = (await Promise.all(catalogIds.map(categoriesOf))).flat()
  const layersOf = createLayers(variantValues, columns.some(isOfParent))
  const vias = columns.flatMap(({ via }) => via ?? [])
  const others = new LinkedRecords(linked, { model, layersOf, aliases: new Set([...vias, ...focusAliases(addresses)]) })
  const pathsOf = createCategoryPaths(categories)
  const linkedOf = (id: string): Holder | undefined => others.get(id)
  const view = { model, role, dimensionScope, pathsOf, linkedOf, addressOf: addressesOf(addresses, role) }
  const rowOf = createRows(columns, view)
  const read = (record: SnapshotRecord, layers = layersOf(record)): ColumnValue[] =>
    rowOf(record, layers, record.categoryIds)
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
    withCategories: catalogIds.length > 0 ? variantValues : undefined,
    async write(records) {
      if (readers.length === 0) return writer.write(records.map((record) => read(record)))
      const layers = records.map(layersOf)
      const holders = records.map(({ schemaId }, at) => ({ schema: model.schemas.get(schemaId), layers: layers[at]! }))
      await others.load(holders.flatMap((holder) => readers.flatMap((idsOf) => idsOf(holder))))
      return writer.write(records.map((record, at) => read(record, layers[at])))
    },
  }
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
