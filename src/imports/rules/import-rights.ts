// Permissions that a role needs to import a kept file. Contract 3 §4, 3 §12.
import { assertPermission, canReadAll, type Role } from '../../core/accounts/rules/permissions.ts'
import { assertMayReadNamed } from '../../core/accounts/rules/owner.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { denied } from '../../kernel/errors.ts'
import type { ImportPlan } from './import-profile.ts'
import { assertMayMatch } from './import-setting.ts'
import type { ImportDetails, ImportUpload } from './import-upload.ts'
import { pictureAttribute } from './picture-attribute.ts'
import { BY_ID, isZipMapping, type UploadPlan, type ZipMapping } from './zip-mapping.ts'

/** @throws PERMISSION_DENIED */
export function assertMayWriteRecords(role: Role): void {
  assertPermission(role, 'records.create')
  assertPermission(role, 'records.update')
}

/** @throws PERMISSION_DENIED also for an attribute of the mapping that the role may not read */
export function assertMayImport(role: Role, mapping: UploadPlan, model: Model): void {
  assertMayWriteRecords(role)
  if (isZipMapping(mapping)) return assertMayReadZip(role, mapping, model)
  assertMayCreate(role, mapping)
  assertMayMatch(role, mapping, model)
  assertMayReadMapped(role, mapping, model)
}

/** Guards a mapping that is written. @throws PERMISSION_DENIED */
export function assertMayMap(role: Role, mapping: UploadPlan, model: Model): void {
  if (isZipMapping(mapping)) return assertMayReadZip(role, mapping, model)
  assertMayMatch(role, mapping, model)
  assertMayCreate(role, mapping)
}

/** @throws PERMISSION_DENIED where the role may not make the model, options or categories that the mapping asks for */
export function assertMayCreate(role: Role, mapping: Pick<ImportPlan, 'columns' | 'model'>): void {
  if (mapping.model !== undefined) assertPermission(role, 'model.write')
  if ((mapping.model?.catalogs.length ?? 0) > 0) assertPermission(role, 'categories.write')
  for (const { createOptions, createCategories } of mapping.columns ?? []) {
    if (createOptions === true) assertPermission(role, 'model.write')
    if (createCategories === true) assertPermission(role, 'categories.write')
  }
}

/** @throws PERMISSION_DENIED */
export function assertMayReadMapped(role: Role, mapping: UploadPlan | null, model: Model): void {
  if (mapping !== null && isZipMapping(mapping)) return assertMayReadZip(role, mapping, model)
  const named = (mapping?.columns ?? []).flatMap(({ to }) => ('attributeAlias' in to ? to.attributeAlias : []))
  const schemas = searchedSchemas(model, mapping?.schemaId ?? '')
  assertMayReadNamed(role, schemas, named.concat(mapping?.matchBy ?? []))
}

/**
 * Guards the cells of a file whose columns no mapping names. Lines of JSON may have any attribute.
 * @param schemaId null: of any schema, as where rows name their schemas
 * @throws PERMISSION_DENIED
 */
export function assertMayReadFile(
  role: Role,
  { format }: Pick<ImportUpload, 'format'>,
  { columns, schemaId }: Pick<ImportDetails, 'columns'> & { readonly schemaId: string | null },
  model: Model,
): void {
  const isOfAny = format === 'ndjson' || columns.some(({ header }) => header === 'schemaId')
  const schemas = searchedSchemas(model, isOfAny ? undefined : (schemaId ?? undefined))
  if (format === 'ndjson' && !schemas.every(({ id }) => canReadAll(role, id)))
    throw denied('Your role may not read every attribute, and lines of JSON may have any')
  const named = columns.flatMap(({ header, suggestion }) => [
    header.split(/[[.]/, 1)[0]!,
    ...(suggestion !== null && 'attributeAlias' in suggestion ? [suggestion.attributeAlias] : []),
  ])
  assertMayReadNamed(role, schemas, named)
}

/**
 * The role must read the files of records, because they are compared with the files of the zip. Parts of the mapping that
 * no longer fit the model are ignored.
 * @throws PERMISSION_DENIED
 */
function assertMayReadZip(role: Role, mapping: ZipMapping, model: Model): void {
  const { schemaId, matchBy, attributeAlias, pictureSchemaId } = mapping
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) return
  assertMayReadNamed(role, [schema], [attributeAlias, ...(matchBy === BY_ID ? [] : [matchBy])])
  const attribute = schema.attribute(attributeAlias)
  const pictures = attribute && pictureAttribute(attribute, model, pictureSchemaId ?? undefined)
  if (pictures !== undefined) assertMayReadNamed(role, [pictures.schema], [pictures.attribute.alias])
}
