// Whether what a subscription asks for fits the model: when it is saved, and whenever the model has changed since. Contract 3 §6.
import { invalid, shorten } from '../kernel/errors.ts'
import type { Subscription } from './rules/subscription.ts'
import type { Model } from '../core/model/rules/model.ts'
import { assertCriteria, withState } from '../core/search/rules/criteria.ts'
import { searchedSchemas } from '../core/search/rules/searched-schemas.ts'

/** @throws VALIDATION_ERROR naming what is unknown */
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
