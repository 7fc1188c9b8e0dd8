// Records in no category of a catalog. No field expresses that, so a negated group does. C3.
import type { CallOptions } from '../api/call.ts'

/** Replaces a category in an address: no ID begins with this character. */
export const UNASSIGNED = '-'

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

export function unassignedSearch(catalogId: string): SearchBody {
  const inCatalog = { field: 'catalogId', operator: 'equals', value: catalogId } as const
  return { criteria: [{ criteriaOperator: 'and', criteria: [inCatalog], not: true }], criteriaOperator: 'and' }
}
