// Finding records: by criteria and by text. Contract 1 §4.2, 2 §5.
import { assertCanSearch, assertCriteria, type Criteria } from '../../domain/search/criteria.ts'
import type { Model, Schema } from '../../domain/model/model.ts'
import type { Role } from '../../domain/accounts/permissions.ts'
import type { Selection } from '../../domain/search/selection.ts'
import type { Store } from '../../storage/port.ts'
import type { Caller } from '../accounts/caller.ts'
import type { SearchResult } from '../../storage/search-port.ts'

/** Which of the matches are wanted: all from the offset on, or a page of them with their number. */
export interface Excerpt {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

export function createSearchService({ store }: { store: Store }) {
  return {
    /**
     * @throws VALIDATION_ERROR for criteria that do not fit the model, PERMISSION_DENIED for one on a hidden attribute,
     * UNAVAILABLE for a search that takes too long
     */
    async byCriteria(
      caller: Caller,
      criteria: Criteria,
      filter: Excerpt & { readonly schemaId?: string | undefined },
      signal: AbortSignal,
    ): Promise<SearchResult> {
      assertMayFind(await store.read.model(), caller.role, { ...criteria, schemaId: filter.schemaId })
      return store.read.search({ find: { kind: 'criteria', criteria }, ...common(caller, filter) }, signal)
    },

    /** Records in which a text value that the caller may read contains `text`. @throws UNAVAILABLE */
    byText: (
      caller: Caller,
      text: string,
      filter: Excerpt & { readonly schemaId?: string | undefined },
      signal: AbortSignal,
    ): Promise<SearchResult> => store.read.search({ find: { kind: 'text', text }, ...common(caller, filter) }, signal),
  }
}

/**
 * That the selection fits the model, and asks for nothing that is hidden from the role.
 * @throws VALIDATION_ERROR, PERMISSION_DENIED
 */
export function assertMayFind(model: Model, role: Role, selection: Selection): void {
  const schemas = searchedSchemas(model, selection.schemaId ?? undefined)
  // A filter that names something unknown finds nothing; an alias has to be known to some schema all the same.
  assertCriteria(selection, schemas.length > 0 ? schemas : searchedSchemas(model, undefined), model)
  assertCanSearch(selection, schemas, role)
}

/** All matches of one moment, in the order of creation, without their values. Throws as a search by criteria does. */
export async function findAll(
  { read }: Pick<Store, 'read'>,
  role: Role,
  selection: Selection,
  signal: AbortSignal,
): Promise<SearchResult> {
  assertMayFind(await read.model(), role, selection)
  const { schemaId, ...criteria } = selection
  const all = { schemaId: schemaId ?? undefined, offset: 0, limit: null, withoutValues: true }
  return read.search({ find: { kind: 'criteria', criteria }, role, ...all }, signal)
}

export type SearchService = ReturnType<typeof createSearchService>

/** The schemas that a search is asked of: one, none where it is unknown, or all. */
export function searchedSchemas(model: Model, schemaId: string | undefined): Schema[] {
  if (schemaId === undefined) return [...model.schemas.values()]
  return [model.schemas.get(schemaId) ?? []].flat()
}

function common(caller: Caller, { schemaId, offset = 0, limit }: Excerpt & { schemaId?: string | undefined }) {
  return { schemaId, role: caller.role, callerId: caller.id, offset, limit: limit ?? null }
}
