// Saved queries: kept for everybody in the workspace, checked when saved and again when executed. Contract 1 §4.3.
import type * as v from 'valibot'
import { assertCanSearch, assertCriteria } from '../../domain/search/criteria.ts'
import type { Criterion } from '../../domain/search/criterion.ts'
import { invalid, notFound, PimletError, shorten } from '../../domain/errors.ts'
import { showCriteria, type Shown } from '../../domain/model/hidden-rules.ts'
import type { Model } from '../../domain/model/model.ts'
import type { Role } from '../../domain/accounts/permissions.ts'
import type { SavedQuery, SavedQueryInput } from '../../domain/search/saved-queries.ts'
import type { Reads, Store } from '../../storage/port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { type Excerpt, type FoundPage, searchedSchemas, type SearchService } from './search.ts'

export function createSavedQueryService(deps: { store: Store; system: System; search: SearchService }) {
  const { store, system, search } = deps
  return {
    /** With placeholders for criteria on attributes that are hidden from the caller. */
    async list({ role }: Caller): Promise<ShownQuery[]> {
      const model = await store.read.model()
      return (await store.read.savedQueries.list()).map((query) => show(query, model, role))
    },

    /** @throws NOT_FOUND */
    async get({ role }: Caller, id: string): Promise<ShownQuery> {
      const query = await findSavedQuery(store.read, id)
      return show(query, await store.read.model(), role)
    },

    /** @throws VALIDATION_ERROR for criteria or a schema that do not fit the model, PERMISSION_DENIED, CONFLICT */
    create: (caller: Caller, input: v.InferOutput<typeof SavedQueryInput>): Promise<SavedQuery> =>
      store.transaction(async (tx) => {
        const { name, schemaId, criteria, criteriaOperator } = input
        const id = input.id ?? system.newId('sq')
        const query: SavedQuery = { id, name, schemaId, criteria, criteriaOperator, createdBy: caller.id }
        const model = await tx.model()
        assertFits(query, model)
        assertCanSearch(query, searchedSchemas(model, query.schemaId ?? undefined), caller.role)
        await tx.savedQueries.insert(query)
        return query
      }),

    /** @throws NOT_FOUND */
    delete: (_caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        await findSavedQuery(tx, id)
        await tx.savedQueries.delete(id)
      }),

    /** @throws NOT_FOUND, VALIDATION_ERROR where the model has changed since, and what a search throws */
    async execute(caller: Caller, id: string, excerpt: Excerpt, signal: AbortSignal): Promise<FoundPage> {
      const query = await findSavedQuery(store.read, id)
      try {
        assertFits(query, await store.read.model())
      } catch (error) {
        if (!(error instanceof PimletError)) throw error
        throw invalid(`The saved query '${query.id}' does not fit the model any more: ${error.message}`)
      }
      return search.byCriteria(caller, query, { ...excerpt, schemaId: query.schemaId ?? undefined }, signal)
    },
  }
}

/** A saved query as a role sees it. */
export interface ShownQuery extends Omit<SavedQuery, 'criteria'> {
  readonly criteria: readonly Shown<Criterion>[]
}

function show(query: SavedQuery, model: Model, role: Role): ShownQuery {
  const schemas = searchedSchemas(model, query.schemaId ?? undefined)
  return { ...query, criteria: showCriteria(query.criteria, schemas, role) }
}

export type SavedQueryService = ReturnType<typeof createSavedQueryService>

function assertFits(query: SavedQuery, model: Model): void {
  if (query.schemaId !== null && !model.schemas.has(query.schemaId))
    throw invalid(`schemaId names the unknown schema '${shorten(query.schemaId, 128)}'`)
  assertCriteria(query, searchedSchemas(model, query.schemaId ?? undefined), model)
}

async function findSavedQuery(reads: Reads, id: string): Promise<SavedQuery> {
  const query = await reads.savedQueries.get(id)
  if (query === undefined) throw notFound('Saved query', id)
  return query
}
