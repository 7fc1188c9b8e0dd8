// Records that are in no category of a catalog: there is no field for that, but a group that does not hold. C3.
import type { CallOptions } from '../api/call.ts'

/** In an address, in place of a category: no ID begins so. */
export const UNASSIGNED = '-'

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

export function unassignedSearch(catalogId: string): SearchBody {
  const inCatalog = { field: 'catalogId', operator: 'equals', value: catalogId } as const
  return { criteria: [{ criteriaOperator: 'and', criteria: [inCatalog], not: true }], criteriaOperator: 'and' }
}
