// The columns that an export is asked for, in their order: an attribute in a scope, a field of the record, its place in a
// catalog, a constant, or a template of them. Contract 3 §5, 3 §11.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { firstDuplicate, listOf, TextMapInput, textUpTo, wholeNumber } from '../../kernel/input/validation.ts'
import { denied, invalid, shorten } from '../../kernel/errors.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { HIDDEN_RULE } from '../../core/model/rules/hidden-rule.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { findScopeFault } from '../../core/model/rules/schema.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { MAX_REFERENCES } from '../../core/values/rules.ts'
import { ORIGINAL } from '../../files/rules/presets.ts'
import { hasPart, PARTS } from './column-sources.ts'
import { COLUMN_FIELDS, type Source } from './template/template.ts'
import { findModelFault } from './template/template-check.ts'
import { findTemplateFault, MAX_TEMPLATE } from './template/template-reader.ts'
import { sourcesOf } from './template/template-uses.ts'
import { assertLinks, linkedSchemas } from './linked-columns.ts'
import { ElementPath } from './xml-document.ts'

const MAX_COLUMNS = 500
/** Characters of all templates of a file: they are checked at once. */
const MAX_TEMPLATES = 20_000

const HiddenTexts = v.pipe(
  v.literal(HIDDEN_RULE),
  v.description('Stands for the map of an attribute that the role may not read. Send it back to keep the stored map.'),
)
const TextMap = v.pipe(TextMapInput, v.description('Maps a value, as in the csv, to another text.'))

const Template = v.pipe(
  textUpTo(MAX_TEMPLATE),
  v.minLength(1, 'must not be empty'),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? findTemplateFault(dataset.value) : undefined
    if (fault !== undefined) addIssue({ message: fault.message })
  }),
  v.description(
    'A text with pieces such as `{name|cut:150}` or `{price.amount|fixed:2}`. A brace itself is written twice.',
  ),
)

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
        v.description(
          'A part of a price, measurement or file; `url` is the public address of a file. Default: the amount or the file name; in json, the whole value.',
        ),
      ),
    ),
    via: v.optional(
      v.pipe(
        textUpTo(64),
        v.description('An attribute of the records that a `references` attribute names: the column has its values.'),
      ),
    ),
    index: v.optional(
      v.pipe(
        wholeNumber(1, MAX_REFERENCES),
        v.description('The place of one record among the references, from 1. Default: all, separated by `|`.'),
      ),
    ),
    preset: v.optional(
      v.pipe(textUpTo(128), v.description('The rendition preset of a `url`. Default: the file as it is.')),
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
    template: v.optional(Template),
    element: v.optional(
      v.pipe(
        ElementPath,
        v.description(
          'The element in an xml document, such as `g:price` or `g:shipping/g:price`. Default: the header.',
        ),
      ),
    ),
    map: v.optional(v.union([HiddenTexts, TextMap])),
  }),
  v.check(
    ({ attributeAlias, field, constant, categoryPath, template }) =>
      [attributeAlias, field, constant, categoryPath, template].filter((member) => member !== undefined).length === 1,
    'must have exactly one of attributeAlias, field, constant, categoryPath and template',
  ),
  v.check(
    ({ attributeAlias, scope, part, via, index }) =>
      attributeAlias !== undefined || [scope, part, via, index].every((member) => member === undefined),
    'must have scope, part, via and index with attributeAlias only',
  ),
  v.check(({ part, preset }) => preset === undefined || part === 'url', "must have preset with part 'url' only"),
)
/** A column as clients see and send it. */
export type SentColumn = v.InferOutput<typeof ColumnInput>
export type ExportColumn = Omit<SentColumn, 'map'> & { readonly map?: Readonly<Record<string, string>> | undefined }
export const ColumnsInput = v.pipe(
  listOf(ColumnInput, MAX_COLUMNS),
  v.minLength(1, 'must name a column'),
  v.check(
    (columns) => columns.reduce((sum, { template = '' }) => sum + template.length, 0) <= MAX_TEMPLATES,
    `must have templates of at most ${MAX_TEMPLATES} characters together`,
  ),
)

/** @throws VALIDATION_ERROR naming the unknown part, PERMISSION_DENIED for an attribute that is hidden in one of the schemas */
export function assertColumns(
  columns: readonly ExportColumn[],
  schemas: readonly Schema[],
  model: Model,
  role: Role,
): void {
  const twice = firstDuplicate(columns.map(({ header }) => header))
  if (twice !== undefined) throw invalid(`columns has the header '${shorten(twice)}' twice`)
  const known = schemas.length > 0 ? schemas : [...model.schemas.values()]
  for (const [index, column] of columns.entries()) {
    const hidden = aliasesIn(column).find((alias) =>
      schemas.some((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias)),
    )
    if (hidden !== undefined) throw denied(`Your role may not read the attribute '${hidden}'`)
    assertAttribute(column, `columns[${index}]`, { known, model, role })
    const fault = column.template === undefined ? undefined : findModelFault(column.template, known, model, role)
    if (fault !== undefined) throw invalid(`columns[${index}].template ${fault.message}`)
  }
}

function assertAttribute(
  column: ExportColumn,
  at: string,
  { known, model, role }: { readonly known: readonly Schema[]; readonly model: Model; readonly role: Role },
): void {
  const { attributeAlias: alias, scope, part, via, index } = column
  if (alias === undefined) return
  const attributes = known.flatMap((schema) => schema.attribute(alias) ?? [])
  if (attributes.length === 0) throw invalid(`${at}.attributeAlias names the unknown attribute '${shorten(alias, 64)}'`)
  const fault = scope && findScopeFault(scope, model)
  if (fault !== undefined) throw invalid(`${at}.scope ${fault}`)
  const isLinked = via !== undefined || index !== undefined
  const linked = linkedSchemas(column, known, model)
  const read = isLinked ? assertLinks(column, at, { attributes, linked, role }) : attributes
  if (part !== undefined && !read.some((attribute) => hasPart(attribute, part)))
    throw invalid(`${at}.part: the attribute '${via ?? alias}' has no ${part}${viaHint(attributes, via)}`)
}

/** For a caller who asks a reference itself for a part of a file. */
function viaHint([attribute]: readonly Attribute[], via: string | undefined): string {
  const isLink = via === undefined && attribute !== undefined && dataTypeOf(attribute).records !== undefined
  return isLink ? '; via names an attribute of its records' : ''
}

/** The sources of a column's template. */
function composedOf({ template }: ExportColumn): readonly Source[] {
  return template === undefined ? [] : sourcesOf(template)
}

/** The attributes that a column names. */
export function aliasesIn(column: ExportColumn): string[] {
  const composed = composedOf(column).flatMap((source) => (source.kind === 'attribute' ? source.alias : []))
  return column.attributeAlias === undefined ? composed : [column.attributeAlias]
}

/** The presets whose addresses a column writes. */
export function presetsIn(column: ExportColumn): string[] {
  const composed = composedOf(column).some((source) => source.kind === 'attribute' && source.part === 'url')
  return column.part === 'url' ? [column.preset ?? ORIGINAL] : composed ? [ORIGINAL] : []
}

/** The scopes that a column names. */
export function scopesIn(column: ExportColumn): Scope[] {
  const composed = composedOf(column).flatMap((source) =>
    source.kind !== 'attribute' || source.scope === undefined ? [] : [source.scope],
  )
  return column.scope === undefined ? composed : [column.scope]
}

/** The catalogs that a column names. */
export function catalogsIn(column: ExportColumn): string[] {
  const composed = composedOf(column).flatMap((source) => (source.kind === 'categoryPath' ? source.catalogId : []))
  return column.categoryPath === undefined ? composed : [column.categoryPath]
}

/** Whether a column names the parent's values. */
export function isOfParent(column: ExportColumn): boolean {
  return composedOf(column).some((source) => source.kind === 'attribute' && source.isOfParent)
}

/** The catalogs that columns name. */
export function catalogsOf(columns: readonly ExportColumn[]): string[] {
  return [...new Set(columns.flatMap(catalogsIn))]
}
