// The rows of named columns: the value of each column for one record. Columns are compiled once for a file. Contract 3 §5, 3 §11.
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Schema } from '../../core/model/rules/model.ts'
import { effectiveValueIn, type RecordHead } from '../../core/records/rules/record.ts'
import { own } from '../../kernel/own.ts'
import { attributeFinder, type Holder, partOf, type Row, type RowLayers, type RowView } from './column-sources.ts'
import type { ExportColumn } from './export-columns.ts'
import { linksReader } from './linked-columns.ts'
import { type NumberForm, numberForm } from './number-form.ts'
import type { ColumnField } from './template/template.ts'
import { compileTemplate } from './template/template-values.ts'

/** The value of a column for one record. */
export interface ColumnValue {
  /** The value in JSON; null: none. */
  readonly json: unknown
  /** The value as one cell; null: none. */
  readonly cell: string | number | boolean | null
  /** The format of a cell with a date or a moment. */
  readonly form?: DateForm | undefined
  /** The elements of a list, which formats may write one by one. */
  readonly list?: readonly string[] | undefined
}

type DateForm = 'date' | 'dateTime'

const NOTHING: ColumnValue = { json: null, cell: null }

type ReadColumn = (row: Row) => ColumnValue
type Texts = NonNullable<ExportColumn['map']>

/** The way from a record to its row. */
export function createRows(
  columns: readonly ExportColumn[],
  view: RowView,
): (head: RecordHead, layers: RowLayers, categoryIds?: readonly string[]) => ColumnValue[] {
  const reads = columns.map((column) => compileColumn(column, view))
  return (head, layers, categoryIds = []) => {
    const row = { head, schema: view.model.schemas.get(head.schemaId), layers, categoryIds }
    return reads.map((read) => read(row))
  }
}

function compileColumn(column: ExportColumn, view: RowView): ReadColumn {
  const { constant, field, categoryPath, template, map } = column
  if (constant !== undefined) return () => asText(constant)
  if (field !== undefined) return ({ head }) => mapped(withForm(asText(head[field]), formOfField(field)), map)
  if (categoryPath !== undefined) return ({ categoryIds }) => pathsCell(view.pathsOf(categoryPath, categoryIds), map)
  return template === undefined ? compileAttribute(column, view) : compileComposed(column, template, view)
}

function compileAttribute(column: ExportColumn, view: RowView): ReadColumn {
  const { attributeAlias, via, index, map } = column
  if (via === undefined && index === undefined) return valueReader(attributeAlias!, column, view)
  const idsOf = linksReader(column, view)
  if (via === undefined) return (row) => mapped(asText(idsOf(row)[0] ?? null), map)
  const cellOf = valueReader(via, column, view)
  return (row) => {
    const linked = idsOf(row).flatMap((id) => view.linkedOf(id) ?? [])
    const cells = linked.map(cellOf).filter(({ cell }) => cell !== null)
    return index === undefined ? joined(cells) : (cells[0] ?? NOTHING)
  }
}

function valueReader(alias: string, column: ExportColumn, view: RowView): (holder: Holder) => ColumnValue {
  const scope = column.scope ?? view.dimensionScope ?? {}
  const attributeOf = attributeFinder(alias, view.role)
  return (holder) => {
    const attribute = attributeOf(holder.schema)
    const found = attribute && effectiveValueIn(holder.layers, alias, scope, attribute.dimensionIds)
    return found === undefined ? NOTHING : valueCell(found.value, attribute!, column, holder, view)
  }
}

/** The values of several records as one list. */
function joined(cells: readonly ColumnValue[]): ColumnValue {
  if (cells.length === 0) return NOTHING
  const list = cells.flatMap((one) => one.list ?? String(one.cell))
  return { json: cells.map(({ json }) => json), cell: list.join('|'), list }
}

function compileComposed({ header, map }: ExportColumn, template: string, view: RowView): ReadColumn {
  const compose = compileTemplate(template, header, view)
  return (row) => {
    const composed = compose(row)
    if (composed === undefined) return NOTHING
    return typeof composed === 'string' ? mapped(asText(composed), map) : listCell(composed, composed.join('|'), map)
  }
}

/** How a spreadsheet shows each column: dates with the time if one of the schemas has it, and numbers as displayed. */
export function columnForms(
  columns: readonly ExportColumn[],
  schemas: readonly Schema[],
): (DateForm | NumberForm | undefined)[] {
  return columns.map(({ field, attributeAlias: alias }) => {
    if (field !== undefined) return formOfField(field)
    if (alias === undefined) return undefined
    const forms = schemas.map((schema) => formOf(schema.attribute(alias)))
    if (forms.includes('dateTime')) return 'dateTime'
    const shown = schemas
      .map((schema) => schema.attribute(alias))
      .map((attribute) => attribute && numberForm(attribute))
    return [...forms, ...shown].find((form) => form !== undefined)
  })
}

function withForm(value: ColumnValue, form: DateForm | undefined): ColumnValue {
  return form === undefined ? value : { ...value, form }
}

function formOf(attribute: Pick<Attribute, 'dataType'> | undefined): DateForm | undefined {
  const dataType = attribute?.dataType
  return dataType === 'date' || dataType === 'dateTime' ? dataType : undefined
}

function formOfField(field: ColumnField): DateForm | undefined {
  return field === 'createdAt' || field === 'updatedAt' ? 'dateTime' : undefined
}

function asText(value: string | null): ColumnValue {
  return { json: value, cell: value }
}

/** Each element of a list has its own text, unless a text for all of them is given. */
function valueCell(
  value: unknown,
  attribute: Attribute,
  { part, preset, map }: ExportColumn,
  holder: Holder,
  view: RowView,
): ColumnValue {
  const { toCell, keysPerValue } = dataTypeOf(attribute)
  if (part !== undefined) {
    const found = partOf(value, attribute, { part, preset }, holder, view)
    return found === undefined ? NOTHING : mapped({ json: found, cell: found }, map)
  }
  const cell = toCell(value)
  if (keysPerValue === 'many') return listCell(value as readonly string[], String(cell), map)
  return mapped(withForm({ json: value, cell }, formOf(attribute)), map)
}

function listCell(list: readonly string[], cell: string, map: Texts | undefined): ColumnValue {
  if (map === undefined) return { json: list, cell, list }
  const texts = list.map((one) => own(map, one) ?? one)
  return mappedWhole(cell, map) ?? { json: texts, cell: texts.join('|'), list: texts }
}

/** In JSON, paths are one text. */
function pathsCell(paths: readonly string[], map: Texts | undefined): ColumnValue {
  if (paths.length === 0) return NOTHING
  const { cell, list } = listCell(paths, paths.join('|'), map)
  return { json: cell, cell, list }
}

function mappedWhole(cell: ColumnValue['cell'], map: Texts): ColumnValue | undefined {
  const text = cell === null ? undefined : own(map, String(cell))
  return text === undefined ? undefined : asText(text)
}

function mapped(value: ColumnValue, map: Texts | undefined): ColumnValue {
  return (map && mappedWhole(value.cell, map)) ?? value
}
