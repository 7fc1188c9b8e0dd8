// The schemas of a search, and whether a role may search them. Contract 2 §5, 3 §1.
import type { Role } from '../../accounts/rules/permissions.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { assertCanSearch, assertCriteria, withState } from './criteria.ts'
import type { Selection } from './selection.ts'

/** Returns the named schema, none if it is unknown, or all schemas without a name. */
export function searchedSchemas(model: Model, schemaId: string | undefined): Schema[] {
  if (schemaId === undefined) return [...model.schemas.values()]
  return [model.schemas.get(schemaId) ?? []].flat()
}

/**
 * Checks that the selection fits the model and uses nothing hidden from the role.
 * @param at as for `assertCriteria`
 * @throws VALIDATION_ERROR, PERMISSION_DENIED
 */
export function assertMayFind(model: Model, role: Role, selection: Selection, at = ''): void {
  const schemas = searchedSchemas(model, selection.schemaId ?? undefined)
  // Permissions are checked first, because an error would reveal the kind of a hidden attribute.
  assertCanSearch(selection, schemas, role)
  // A filter with an unknown name finds nothing, but some schema must have each alias.
  assertCriteria(
    withState(selection, selection.stateId),
    schemas.length > 0 ? schemas : searchedSchemas(model, undefined),
    model,
    at,
  )
}
