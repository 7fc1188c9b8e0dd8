// The columns that an export is asked for, in their order: an attribute in a scope, a field of the record, its place in a
// catalog, or a constant. Contract 3 §5, 3 §11.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { firstDuplicate, listOf, TextMapInput, textUpTo } from '../../kernel/input/validation.ts'
import { denied, invalid, shorten } from '../../kernel/errors.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { unitOf } from '../../core/datatypes/data-type.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { effectiveValueIn, type RecordHead, type ValueLayers } from '../../core/records/rules/record.ts'
import { findScopeFault } from '../../core/model/rules/schema.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { own } from '../../kernel/own.ts'
import type { Category } from '../../core/model/rules/catalog.ts'

const COLUMN_FIELDS = [
  'id',
  'schemaId',
  'parentId',
  'lifecycleStateId',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
] as const satisfies readonly (keyof RecordHead)[]
const PARTS = ['amount', 'unit', 'currency'] as const

const MAX_COLUMNS = 500

const TextMap = v.pipe(TextMapInput, v.description('Maps a value, as in the csv, to another text.'))

export const ColumnInput = v.pipe(
  exactObject({
    header: v.pipe(textUpTo(200), v.minLength(1, 'must not be empty')),
    attributeAlias: v.optional(textUpTo(64)),
    scope: v.optional(
      v.pipe(
        ScopeInput,
        v.description('The scope of the attribute. Default: the dimensionScope, otherwise the global scope.'),
      ),
    ),
    part: v.optional(
      v.pipe(
        v.picklist(PARTS, `must be one of ${PARTS.join(', ')}`),
        v.description('A part of a price or measurement. Default: the amount; in json, the whole value.'),
      ),
    ),
    field: v.optional(v.picklist(COLUMN_FIELDS, `must be one of ${COLUMN_FIELDS.join(', ')}`)),
    constant: v.optional(textUpTo(10_000)),
    categoryPath: v.optional(
      v.pipe(
        textUpTo(128),
        v.description(
          'A catalog: the category names from the root, such as `Men/Shirts`; several paths are separated by `|`.',
        ),
      ),
    ),
    map: v.optional(TextMap),
  }),
  v.check(
    ({ attributeAlias, field, constant, categoryPath }) =>
      [attributeAlias, field, constant, categoryPath].filter((member) => member !== undefined).length === 1,
    'must have exactly one of attributeAlias, field, constant and categoryPath',
  ),
  v.check(
    ({ attributeAlias, scope, part }) => attributeAlias !== undefined || (scope === undefined && part === undefined),
    'must have scope and part with attributeAlias only',
  ),
)
export type ExportColumn = v.InferOutput<typeof ColumnInput>
type Texts = NonNullable<ExportColumn['map']>
export const ColumnsInput = v.pipe(listOf(ColumnInput, MAX_COLUMNS), v.minLength(1, 'must name a column'))

/**
 * @throws VALIDATION_ERROR naming the unknown part, PERMISSION_DENIED for an attribute that is hidden in one of the schemas
 */
export function assertColumns(
  columns: readonly ExportColumn[],
  schemas: readonly Schema[],
  model: Model,
  role: Role,
): void {
  const twice = firstDuplicate(columns.map(({ header }) => header))
  if (twice !== undefined) throw invalid(`columns has the header '${shorten(twice)}' twice`)
  const known = schemas.length > 0 ? schemas : [...model.schemas.values()]
  for (const [index, { attributeAlias: alias, scope, part }] of columns.entries()) {
    if (alias === undefined) continue
    const attributes = known.flatMap((schema) => schema.attribute(alias) ?? [])
    if (attributes.length === 0)
      throw invalid(`columns[${index}].attributeAlias names the unknown attribute '${shorten(alias, 64)}'`)
    const hidden = schemas.find((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias))
    if (hidden !== undefined) throw denied(`Your role may not read the attribute '${alias}'`)
    const fault = scope && findScopeFault(scope, model)
    if (fault !== undefined) throw invalid(`columns[${index}].scope ${fault}`)
    if (part !== undefined && !attributes.some((attribute) => hasPart(attribute, part)))
      throw invalid(`columns[${index}].part: the attribute '${alias}' has no ${part}`)
  }
}

function hasPart(attribute: Attribute, part: (typeof PARTS)[number]): boolean {
  const { unitField } = dataTypeOf(attribute)
  return unitField !== undefined && (part === 'amount' || part === unitField)
}

/** The value of a column for one record. */
export interface ColumnValue {
  /** The value in JSON; null: none. */
  readonly json: unknown
  /** The value as one cell; null: none. */
  readonly cell: string | number | boolean | null
  /** The format of a cell with a date or a moment. */
  readonly form?: DateForm | undefined
}

type DateForm = 'date' | 'dateTime'

const NOTHING: ColumnValue = { json: null, cell: null }

/** The context in which rows are made. */
interface RowView {
  readonly model: Model
  readonly role: Role
  /** The scope of columns without their own. */
  readonly dimensionScope: Scope | null
  /** Paths in the catalogs that columns name. */
  readonly pathsOf: PathsOf
}

/** The catalogs that columns name. */
export function catalogsOf(columns: readonly ExportColumn[]): string[] {
  return [...new Set(columns.flatMap(({ categoryPath }) => categoryPath ?? []))]
}

/** The way from a record to its row. */
export function createRows(
  columns: readonly ExportColumn[],
  { model, role, dimensionScope, pathsOf }: RowView,
): (head: RecordHead, layers: ValueLayers, categoryIds?: readonly string[]) => ColumnValue[] {
  return (head, layers, categoryIds = []) => {
    const schema = model.schemas.get(head.schemaId)
    return columns.map((column) => {
      const { constant, field, categoryPath, attributeAlias: alias, scope = dimensionScope ?? {}, map } = column
      if (constant !== undefined) return asText(constant)
      if (field !== undefined) return mapped(withForm(asText(head[field]), formOfField(field)), map)
      if (categoryPath !== undefined) return pathsCell(pathsOf(categoryPath, categoryIds), map)
      const attribute = schema !== undefined && canRead(role, schema.id, alias!) ? schema.attribute(alias!) : undefined
      const found = attribute && effectiveValueIn(layers, alias!, scope, attribute.dimensionIds)
      return found === undefined ? NOTHING : valueCell(found.value, attribute!, column)
    })
  }
}

/** The date format of each column that may have dates: with the time, if one of the schemas has it. */
export function columnForms(columns: readonly ExportColumn[], schemas: readonly Schema[]): (DateForm | undefined)[] {
  return columns.map(({ field, attributeAlias: alias }) => {
    if (field !== undefined) return formOfField(field)
    const forms = alias === undefined ? [] : schemas.map((schema) => formOf(schema.attribute(alias)))
    return forms.includes('dateTime') ? 'dateTime' : forms.find((form) => form !== undefined)
  })
}

function withForm(value: ColumnValue, form: DateForm | undefined): ColumnValue {
  return form === undefined ? value : { ...value, form }
}

function formOf(attribute: Pick<Attribute, 'dataType'> | undefined): DateForm | undefined {
  const dataType = attribute?.dataType
  return dataType === 'date' || dataType === 'dateTime' ? dataType : undefined
}

function formOfField(field: (typeof COLUMN_FIELDS)[number]): DateForm | undefined {
  return field === 'createdAt' || field === 'updatedAt' ? 'dateTime' : undefined
}

function asText(value: string | null): ColumnValue {
  return { json: value, cell: value }
}

function partOf(value: unknown, attribute: Attribute, { part }: ExportColumn): ColumnValue {
  const { toCell, unitField } = dataTypeOf(attribute)
  if (part === undefined) return withForm({ json: value, cell: toCell(value) }, formOf(attribute))
  // In another schema the attribute may have another type, without this part.
  if (!hasPart(attribute, part)) return NOTHING
  if (part === 'amount') return { json: (value as { amount: number }).amount, cell: toCell(value) }
  return asText(unitOf(value, unitField!))
}

/** Each of several options has its own text, unless a text for all of them is given. */
function valueCell(value: unknown, attribute: Attribute, column: ExportColumn): ColumnValue {
  const one = partOf(value, attribute, column)
  const { map } = column
  if (map === undefined || attribute.dataType !== 'multiSelect') return mapped(one, map)
  const chosen = (value as string[]).map((option) => own(map, option) ?? option)
  return mappedWhole(one, map) ?? { json: chosen, cell: dataTypeOf(attribute).toCell(chosen) }
}

function pathsCell(paths: readonly string[], map: Texts | undefined): ColumnValue {
  if (paths.length === 0) return NOTHING
  const whole = asText(paths.join('|'))
  if (map === undefined) return whole
  return mappedWhole(whole, map) ?? asText(paths.map((path) => own(map, path) ?? path).join('|'))
}

function mappedWhole({ cell }: ColumnValue, map: Texts): ColumnValue | undefined {
  const text = cell === null ? undefined : own(map, String(cell))
  return text === undefined ? undefined : asText(text)
}

function mapped(value: ColumnValue, map: Texts | undefined): ColumnValue {
  return (map && mappedWhole(value, map)) ?? value
}

/** Catalog ID and the IDs of a record's categories → `Men/Shirts`, `New`; empty if the record is not in the catalog. */
type PathsOf = (catalogId: string, categoryIds: readonly string[]) => string[]

/** @param categories all of the catalogs that are asked for */
export function createCategoryPaths(categories: readonly Category[]): PathsOf {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const known = new Map<string, string>()
  const pathOf = (category: Category): string => {
    const path = known.get(category.id) ?? namesOf(category, byId).join('/')
    known.set(category.id, path)
    return path
  }
  return (catalogId, categoryIds) => {
    const placed = categoryIds.flatMap((id) => byId.get(id) ?? []).filter((one) => one.catalogId === catalogId)
    return placed.map(pathOf)
  }
}

/** From the root down. */
function namesOf(category: Category, byId: ReadonlyMap<string, Category>): string[] {
  const names: string[] = []
  for (let at: Category | undefined = category; at !== undefined; at = byId.get(at.parentId ?? ''))
    names.unshift(at.name)
  return names
}
