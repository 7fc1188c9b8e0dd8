// The mapping of a zip of files: which record a file belongs to, by its name, and which attribute takes the file. Contract 4 §4.
import * as v from 'valibot'
import type { AttributeRenaming } from '../../core/model/rules/attribute-renaming.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { findPatternFault, namesOfGroups } from '../../core/values/patterns.ts'
import { readScope } from '../../core/values/values.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Alias } from '../../kernel/input/validation.ts'
import { assertMatchBy, type ImportPlan } from './import-profile.ts'
import { pictureAttribute, type PicturePlace } from './picture-attribute.ts'

export const DEFAULT_PATTERN = '(?i)^(?<key>.+?)[-_](?<n>\\d+)\\.(jpe?g|png|webp)$'
/** The `matchBy` that stands for the ID of records. */
export const BY_ID = 'id'
export const ZIP_MODES = ['append', 'replace'] as const
export type ZipMode = (typeof ZIP_MODES)[number]
const MAX_PATTERN = 1000

export const ZipMappingInput = exactObject({
  schemaId: v.pipe(v.string('must be a string'), v.description('The schema of the records that get the files.')),
  matchBy: v.pipe(
    Alias,
    v.description('A unique attribute that identifies records, or `id`. Your role must be able to read the attribute.'),
  ),
  attributeAlias: v.pipe(
    Alias,
    v.description('The attribute that gets the files: a `file`, or `references` to records of pictures.'),
  ),
  scope: v.pipe(v.optional(ScopeInput, {}), v.description('Default: the global scope.')),
  pattern: v.pipe(
    v.optional(
      v.pipe(
        v.string('must be a string'),
        v.minLength(1, 'must not be empty'),
        v.maxLength(MAX_PATTERN, `must be at most ${MAX_PATTERN} characters long`),
      ),
      DEFAULT_PATTERN,
    ),
    v.description(
      'A regular expression (RE2) for the names of files. The group `key` is the value that identifies the record; the group `n`, which may be missing, is the order. A pattern with a slash reads the whole path.',
    ),
  ),
  pictureSchemaId: v.pipe(
    v.optional(v.nullable(v.string('must be a string')), null),
    v.description('The schema of new records of pictures, for `references` that name no schema.'),
  ),
  mode: v.pipe(
    v.optional(v.picklist(ZIP_MODES, `must be one of ${ZIP_MODES.join(', ')}`), 'append'),
    v.description('append: the files come behind those that the record has. replace: they take the place of the list.'),
  ),
})
export type ZipMapping = v.InferOutput<typeof ZipMappingInput>

/** How an uploaded file is imported. */
export type UploadPlan = ImportPlan | ZipMapping

export function isZipMapping(plan: UploadPlan): plan is ZipMapping {
  return 'attributeAlias' in plan
}

/** A mapping that fits the model. */
export interface ZipTarget {
  readonly schema: Schema
  readonly attribute: Attribute
  readonly scope: Scope
  /** Where the pictures are; undefined: the attribute takes the file itself. */
  readonly pictures: PicturePlace | undefined
}

/** @throws VALIDATION_ERROR naming the part that does not fit the model */
export function targetOf(mapping: ZipMapping, model: Model): ZipTarget {
  const { schemaId, matchBy, attributeAlias: alias, pattern } = mapping
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
  if (matchBy !== BY_ID) assertMatchBy(schema, matchBy)
  const fault = findPatternFault(pattern)
  if (fault !== undefined) throw invalid(`pattern ${fault}`)
  if (!namesOfGroups(pattern).has('key')) throw invalid('pattern must have the group key: (?<key>…)')
  const attribute = schema.attribute(alias)
  if (attribute === undefined)
    throw invalid(`attributeAlias names '${shorten(alias, 64)}', which the schema does not define`)
  const scope = readScope(mapping.scope, attribute, model, 'scope')
  return { schema, attribute, scope, pictures: picturesOf(mapping, attribute, model) }
}

/** @throws VALIDATION_ERROR */
function picturesOf(
  { pictureSchemaId, attributeAlias: alias }: ZipMapping,
  attribute: Attribute,
  model: Model,
): PicturePlace | undefined {
  if (attribute.dataType === 'file') {
    if (pictureSchemaId !== null) throw invalid(`pictureSchemaId is for references: '${alias}' is a file`)
    return undefined
  }
  if (attribute.dataType !== 'references')
    throw invalid(`attributeAlias names '${alias}': it must be a file, or references to records of pictures`)
  const named = attribute.validation.schemaId
  if (named === undefined && pictureSchemaId === null)
    throw invalid(`pictureSchemaId is required: '${alias}' refers to records of any schema`)
  if (named !== undefined && pictureSchemaId !== null && pictureSchemaId !== named)
    throw invalid(`pictureSchemaId must be '${named}': '${alias}' refers to records of that schema`)
  const pictures = pictureAttribute(attribute, model, pictureSchemaId ?? undefined)
  if (pictures !== undefined) return pictures
  const wanted = shorten(named ?? pictureSchemaId!, 128)
  throw invalid(
    named === undefined
      ? `pictureSchemaId names '${wanted}', which is no schema with a file`
      : `attributeAlias names '${alias}', which refers to records of '${wanted}': that schema has no file`,
  )
}

/** Returns the mapping after an attribute got a new alias. */
export function renameInZipMapping(mapping: ZipMapping, { schemaId, from, to }: AttributeRenaming): ZipMapping {
  if (mapping.schemaId !== schemaId) return mapping
  const { matchBy, attributeAlias } = mapping
  if (matchBy !== from && attributeAlias !== from) return mapping
  return {
    ...mapping,
    matchBy: matchBy === from ? to : matchBy,
    attributeAlias: attributeAlias === from ? to : attributeAlias,
  }
}

/** The scopes in which the unique value that identifies a record is looked for, as keys. */
export function matchScopes({ scope }: Pick<ZipTarget, 'scope'>): readonly string[] {
  return [...new Set([scopeKey(scope), ''])]
}
