// Checks of a subscription: the rights that its owner needs, and whether it fits the model. The model can change after the check,
// so both are repeated. Contract 3 §6, 3 §12.
import { assertMayReadNamed } from '../../core/accounts/rules/owner.ts'
import { assertPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { askedAliases } from '../../core/search/rules/asked-aliases.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import type { Subscription } from './subscription.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { assertCriteria, withState } from '../../core/search/rules/criteria.ts'

/** @throws PERMISSION_DENIED naming the permission or attribute */
export function assertMayTell(
  { events, selection }: Pick<Subscription, 'events' | 'selection'>,
  role: Role,
  model: Model,
): void {
  assertPermission(role, 'subscriptions.write')
  if (events.some((type) => type.startsWith('record.'))) assertPermission(role, 'records.read')
  if (selection === null) return
  const schemas = searchedSchemas(model, selection.schemaId ?? undefined)
  assertMayReadNamed(role, schemas, askedAliases(selection.criteria))
}

/** @throws VALIDATION_ERROR naming the unknown schema or attribute */
export function assertFits({ schemaIds, selection }: Subscription, model: Model): void {
  const unknown = (schemaIds ?? []).find((id) => !model.schemas.has(id))
  if (unknown !== undefined) throw invalid(`schemaIds names the unknown schema '${shorten(unknown, 128)}'`)
  if (selection === null) return
  const { schemaId = null } = selection
  if (schemaId !== null && !model.schemas.has(schemaId))
    throw invalid(`selection.schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
  const criteria = withState(selection, selection.stateId)
  assertCriteria(criteria, searchedSchemas(model, schemaId ?? undefined), model, 'selection.')
}
