// Files that go with a feed, such as the pictures of its records: the job member `files`, and its check. Contract 4 §4.
import * as v from 'valibot'
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import { ORIGINAL } from '../../files/rules/presets.ts'
import { denied, invalid, shorten } from '../../kernel/errors.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Alias, firstDuplicate, listOf, textUpTo, type OutputOf } from '../../kernel/input/validation.ts'
import { type ExportColumn, presetsIn } from './export-columns.ts'
import { linkedSchemas } from './linked-columns.ts'
import { findModelFault } from './template/template-check.ts'
import { findTemplateFault } from './template/template-reader.ts'
import { sourcesOf } from './template/template-uses.ts'
import type { Source } from './template/template.ts'

const MAX_ATTRIBUTES = 20
const MAX_NAME_TEMPLATE = 500
const MAX_BASE = 1000
/** Files of one run. */
export const MAX_RUN_FILES = 100_000

/** Pieces of a name that describe the file, not its record. */
export const FILE_PIECES = ['n', 'ext', 'fileName'] as const

const NameTemplate = v.pipe(
  textUpTo(MAX_NAME_TEMPLATE),
  v.minLength(1, 'must not be empty'),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? findTemplateFault(dataset.value) : undefined
    if (fault !== undefined) addIssue({ message: fault.message })
  }),
  v.description(
    'The name of each file, a template such as `{sku}-{n}.{ext}`. `{n}` is the place among the files of the record. `{ext}` is the ending. `{fileName}` is the name in the value with that ending.',
  ),
)

export const JobFilesInput = v.pipe(
  exactObject({
    attributes: v.pipe(
      listOf(Alias, MAX_ATTRIBUTES),
      v.minLength(1, 'must name an attribute'),
      v.check((aliases) => firstDuplicate(aliases) === undefined, 'must name each attribute once'),
      v.description('Attributes with files, or with references to records that have one.'),
    ),
    preset: v.optional(
      v.pipe(textUpTo(128), v.minLength(1, 'must not be empty'), v.description('The rendition preset.')),
      ORIGINAL,
    ),
    name: NameTemplate,
    as: v.pipe(
      v.picklist(['beside', 'zip'], "must be 'beside' or 'zip'"),
      v.description(
        'beside: each file goes to the destination, before the feed. zip: one zip file has the feed and the files.',
      ),
    ),
    publicBase: v.optional(
      v.pipe(
        textUpTo(MAX_BASE),
        v.check(isBase, 'must be an https URL without query, fragment and credentials'),
        v.description(
          'The address where the destination publishes files beside the feed. A column with part `url` writes this address and the name.',
        ),
      ),
    ),
  }),
  v.check(
    ({ as, publicBase }) => publicBase === undefined || as === 'beside',
    "must have publicBase with as 'beside' only",
  ),
  v.description('Pictures and other files that go with the feed. null: none.'),
)
export type JobFiles = OutputOf<typeof JobFilesInput>

function isBase(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

/** Whether columns name files by the addresses where the destination publishes them. */
export function areNamed({ publicBase }: JobFiles, columns: readonly ExportColumn[] | null): boolean {
  return publicBase !== undefined && (columns ?? []).some((column) => presetsIn(column).length > 0)
}

/** The address of a file that the destination publishes. */
export function publishedAddress(base: string, name: string): string {
  return `${base.replace(/\/$/, '')}/${encodeURIComponent(name)}`
}

interface Checked {
  readonly model: Model
  readonly role: Role
  /** The schemas whose records the job may export. */
  readonly schemas: readonly Schema[]
}

/** @throws VALIDATION_ERROR naming the member, PERMISSION_DENIED for a hidden attribute */
export function assertFiles(
  { files, columns }: { readonly files: JobFiles | null; readonly columns: readonly ExportColumn[] | null },
  checked: Checked,
): void {
  if (files === null) return
  const { model, role, schemas } = checked
  for (const [index, alias] of files.attributes.entries()) assertAttribute(alias, `files.attributes[${index}]`, checked)
  const fault = findModelFault(files.name, schemas, model, role, FILE_PIECES)
  if (fault !== undefined) throw invalid(`files.name ${fault.message}`)
  assertReadable(aliasesInFiles(files), schemas, role)
  for (const { schema, alias } of linkedFiles(files.attributes, schemas, model)) assertReadable([alias], [schema], role)
  if (files.publicBase !== undefined) assertAddresses(files, columns ?? [])
}

/** With `publicBase`, columns give URLs only of files that the job sends. @throws VALIDATION_ERROR */
function assertAddresses({ attributes, preset }: JobFiles, columns: readonly ExportColumn[]): void {
  for (const [index, column] of columns.entries()) {
    const presets = presetsIn(column)
    if (presets.length === 0) continue
    const why = 'with files.publicBase, a url is the address of a file beside the feed'
    if (presets.some((id) => id !== preset)) throw invalid(`columns[${index}].preset must be that of files: ${why}`)
    const { attributeAlias: alias } = column
    if (alias !== undefined && !attributes.includes(alias))
      throw invalid(`columns[${index}].attributeAlias must be one of files.attributes: ${why}`)
  }
}

function assertAttribute(alias: string, at: string, { model, schemas }: Checked): void {
  const defining = schemas.filter((schema) => schema.attribute(alias) !== undefined)
  if (defining.length === 0) throw invalid(`${at} names the unknown attribute '${shorten(alias, 64)}'`)
  const types = defining.map((schema) => dataTypeOf(schema.attribute(alias)!))
  if (types.some(({ files }) => files !== undefined)) return
  if (types.every(({ records }) => records === undefined))
    throw invalid(`${at}: the attribute '${alias}' names neither files nor records`)
  if (linkedFiles([alias], defining, model).length === 0)
    throw invalid(`${at}: the records that '${alias}' names have no files`)
}

function assertReadable(aliases: readonly string[], schemas: readonly Schema[], role: Role): void {
  const isHidden = (alias: string): boolean =>
    schemas.some((schema) => schema.attribute(alias) !== undefined && !canRead(role, schema.id, alias))
  const hidden = aliases.find(isHidden)
  if (hidden !== undefined) throw denied(`Your role may not read the attribute '${hidden}'`)
}

/** The attribute with the file of a record: the image attribute, or else the first of data type `file`. */
export function fileAttributeOf(schema: Schema): string | undefined {
  const { imageAttribute: image, attributes } = schema
  const isFile = image !== undefined && schema.attribute(image)?.dataType === 'file'
  return isFile ? image : attributes.find(({ dataType }) => dataType === 'file')?.alias
}

/** The attributes with the files of the records that `files` leads to. */
export function linkedFiles(
  attributes: readonly string[],
  schemas: readonly Schema[],
  model: Model,
): { readonly schema: Schema; readonly alias: string }[] {
  const linked = attributes.flatMap((alias) => {
    const defining = schemas.filter((schema) => {
      const attribute = schema.attribute(alias)
      return attribute !== undefined && dataTypeOf(attribute).records !== undefined
    })
    return defining.length === 0 ? [] : linkedSchemas({ attributeAlias: alias, via: alias }, defining, model)
  })
  return [...new Set(linked)].flatMap((schema) => {
    const alias = fileAttributeOf(schema)
    return alias === undefined ? [] : [{ schema, alias }]
  })
}

/** The sources of a name's pieces, besides those of the file itself. */
function sourcesInName({ name }: JobFiles): Source[] {
  const pieces: readonly string[] = FILE_PIECES
  return sourcesOf(name).filter((source) => source.kind !== 'attribute' || !pieces.includes(source.alias))
}

/** The attributes that a name is made of. */
function aliasesInName(files: JobFiles): string[] {
  return sourcesInName(files).flatMap((source) => (source.kind === 'attribute' ? source.alias : []))
}

/** The attributes that files and their names are taken from. */
export function aliasesInFiles(files: JobFiles | null): string[] {
  return files === null ? [] : [...files.attributes, ...aliasesInName(files)]
}

/** Whether names are made of values of parents. */
export function isNamedByParent(files: JobFiles | null): boolean {
  return files !== null && sourcesInName(files).some((source) => source.kind === 'attribute' && source.isOfParent)
}

/** The catalogs that names of files are made of. */
export function catalogsInFiles(files: JobFiles | null): string[] {
  if (files === null) return []
  return sourcesInName(files).flatMap((source) => (source.kind === 'categoryPath' ? source.catalogId : []))
}

/** The scopes that names of files name. */
export function scopesInFiles(files: JobFiles | null): Scope[] {
  if (files === null) return []
  return sourcesInName(files).flatMap((source) =>
    source.kind === 'attribute' && source.scope !== undefined ? [source.scope] : [],
  )
}
