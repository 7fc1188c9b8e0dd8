// The schemas of a search, and whether a role may search them. Contract 2 §5, 3 §1.
import type { Role } from '../../accounts/rules/permissions.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { assertCanSearch, assertCriteria, withState } from './criteria.ts'
import type { Selection } from './selection.ts'

/** The schemas that a search is asked of: one, none where it is unknown, or all. */
export function searchedSchemas(model: Model, schemaId: string | undefined): Schema[] {
  if (schemaId === undefined) return [...model.schemas.values()]
  return [model.schemas.get(schemaId) ?? []].flat()
}

/**
 * That the selection fits the model, and asks for nothing that is hidden from the role. `at` is that of `assertCriteria`.
 * @throws VALIDATION_ERROR, PERMISSION_DENIED
 */
export function assertMayFind(model: Model, role: Role, selection: Selection, at = ''): void {
  const schemas = searchedSchemas(model, selection.schemaId ?? undefined)
  // First: what is wrong with a criterion tells of what it asks for.
  assertCanSearch(selection, schemas, role)
  // A filter that names something unknown finds nothing; an alias has to be known to some schema all the same.
  assertCriteria(
    withState(selection, selection.stateId),
    schemas.length > 0 ? schemas : searchedSchemas(model, undefined),
    model,
    at,
  )
}
