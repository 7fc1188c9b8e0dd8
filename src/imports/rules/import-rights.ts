// Permissions that a role needs to import a kept file. Contract 3 §4, 3 §12.
import { assertPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { assertMayReadNamed } from '../../core/accounts/rules/owner.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import type { ImportPlan } from './import-profile.ts'
import { assertMayMatch } from './import-setting.ts'

/** @throws PERMISSION_DENIED */
export function assertMayWriteRecords(role: Role): void {
  assertPermission(role, 'records.create')
  assertPermission(role, 'records.update')
}

/** @throws PERMISSION_DENIED also for an attribute of the mapping that the role may not read */
export function assertMayImport(role: Role, mapping: ImportPlan, model: Model): void {
  assertMayWriteRecords(role)
  assertMayCreate(role, mapping)
  assertMayMatch(role, mapping, model)
  assertMayReadMapped(role, mapping, model)
}

/** @throws PERMISSION_DENIED where the role may not make the options or categories that the mapping asks for */
export function assertMayCreate(role: Role, mapping: Pick<ImportPlan, 'columns'>): void {
  for (const { createOptions, createCategories } of mapping.columns ?? []) {
    if (createOptions === true) assertPermission(role, 'model.write')
    if (createCategories === true) assertPermission(role, 'categories.write')
  }
}

/** @throws PERMISSION_DENIED */
export function assertMayReadMapped(role: Role, mapping: ImportPlan | null, model: Model): void {
  const named = (mapping?.columns ?? []).flatMap(({ to }) => ('attributeAlias' in to ? to.attributeAlias : []))
  const schemas = searchedSchemas(model, mapping?.schemaId ?? '')
  assertMayReadNamed(role, schemas, named.concat(mapping?.matchBy ?? []))
}
