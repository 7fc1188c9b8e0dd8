// The rights that the owner of a subscription needs. Contract 3 §12.
import { assertMayReadNamed } from '../../core/accounts/rules/owner.ts'
import { assertPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { askedAliases } from '../../core/search/rules/asked-aliases.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import type { Subscription } from './subscription.ts'

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
