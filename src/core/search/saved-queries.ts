// Use cases of saved queries, shared or private. Queries are checked when they are saved, and again when they are
// executed.
import type * as v from 'valibot'
import { assertCanSearch, assertCriteria, type Criteria } from './rules/criteria.ts'
import type { Criterion } from './rules/criterion.ts'
import { assertItemView, itemViewOf } from './rules/item-view.ts'
import { questionOf } from './rules/selection.ts'
import { assertSort } from './rules/sorting.ts'
import { conflict, denied, invalid, notFound, PimletError, shorten } from '../../kernel/errors.ts'
import { canonicalJson } from '../../kernel/text.ts'
import { isBySavedQuery } from '../../exports/rules/job-selection.ts'
import { findJobUse } from '../model/job-uses.ts'
import { selectsBy } from '../model/rules/usage.ts'
import { HIDDEN_RULE } from '../model/rules/hidden-rule.ts'
import { keepCriteria, showCriteria, type Shown } from '../model/rules/hidden-rules.ts'
import type { Model } from '../model/rules/model.ts'
import { isOwner } from '../accounts/rules/owner.ts'
import type { Role } from '../accounts/rules/permissions.ts'
import { readsAllOf } from '../accounts/rules/role-excess.ts'
import {
  isVisibleTo,
  SEARCH_MEMBERS,
  type SavedQuery,
  type SavedQueryInput,
  type SavedQueryReplacement,
  type Visibility,
} from './rules/saved-query.ts'
import { eachOf } from '../../store/each-of.ts'
import type { Reads, Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { searchedSchemas } from './rules/searched-schemas.ts'
import type { Excerpt, FoundPage, SearchService } from './search.ts'

export function createSavedQueryService(deps: { store: Store; system: System; search: SearchService }) {
  const { store, system, search } = deps
  return {
    /** Replaces criteria on attributes that are hidden from the caller by placeholders. */
    async *list({ id: callerId, role }: Caller): AsyncGenerator<readonly ShownQuery[], void> {
      const model = await store.read.model()
      yield* store.read.savedQueries.pages((query) =>
        isVisibleTo(query, callerId) ? show(query, model, role) : undefined,
      )
    },

    /** @throws NOT_FOUND */
    async get(caller: Caller, id: string): Promise<ShownQuery> {
      const query = await findSavedQuery(store.read, caller, id)
      return show(query, await store.read.model(), caller.role)
    },

    /** @throws VALIDATION_ERROR for criteria or a schema that do not fit the model, PERMISSION_DENIED, CONFLICT */
    create: (caller: Caller, input: v.InferOutput<typeof SavedQueryInput>): Promise<ShownQuery> =>
      store.transaction(async (tx) => {
        const query = toQuery(input.id ?? system.newId('sq'), caller.id, input, input.criteria)
        const model = await tx.model()
        assertFits(query, model)
        assertMayAsk(query, query, model, caller)
        await tx.savedQueries.insert(query)
        return keepAnswer(tx, caller, show(query, model, caller.role))
      }),

    /**
     * Keeps the creator as the owner; only the owner may make the query private.
     * @throws NOT_FOUND, VALIDATION_ERROR for criteria or a schema that do not fit the model, and for a placeholder
     * without a criterion; PERMISSION_DENIED, also for a search that a job runs for somebody with more rights
     */
    replace: (caller: Caller, id: string, input: v.InferOutput<typeof SavedQueryReplacement>): Promise<ShownQuery> =>
      store.transaction(async (tx) => {
        const before = await findSavedQuery(tx, caller, id)
        if (input.visibility === 'private' && before.createdBy !== caller.id)
          throw denied(`Only who made the saved query '${id}' may make it private`)
        const query = toQuery(id, before.createdBy, input, keepCriteria(input, before))
        const model = await tx.model()
        assertFits(query, model)
        const sent = { ...query, criteria: input.criteria.filter((criterion) => criterion !== HIDDEN_RULE) }
        assertMayAsk(query, sent, model, caller)
        if (searchOf(query) !== searchOf(before)) await assertMayLead(tx, model, caller, id)
        await tx.savedQueries.update(query)
        return show(query, model, caller.role)
      }),

    /** @throws NOT_FOUND, CONFLICT while an export job uses the query */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        await findSavedQuery(tx, caller, id)
        await removeSavedQuery(tx, id)
      }),

    /** @throws NOT_FOUND, VALIDATION_ERROR if the model has changed meanwhile, errors of a search */
    async execute(
      caller: Caller,
      id: string,
      excerpt: Excerpt & { readonly after?: string | undefined },
      signal: AbortSignal,
    ): Promise<FoundPage> {
      const query = await findSavedQuery(store.read, caller, id)
      try {
        assertFits(query, await store.read.model())
      } catch (error) {
        if (!(error instanceof PimletError)) throw error
        throw invalid(`The saved query '${query.id}' no longer fits the model: ${error.message}`)
      }
      const { sort } = query
      const filter = { ...excerpt, schemaId: query.schemaId ?? undefined, text: questionOf(query), sort }
      return search.byCriteria(caller, query, { ...filter, view: itemViewOf(query) }, signal)
    },
  }
}

/** A saved query as a role sees it. */
interface ShownQuery extends Omit<SavedQuery, 'criteria'> {
  readonly criteria: readonly Shown<Criterion>[]
  readonly visibility: Visibility
}

type Members = Pick<
  v.InferOutput<typeof SavedQueryInput>,
  'name' | 'schemaId' | 'criteriaOperator' | 'view' | 'visibility' | (typeof SEARCH_MEMBERS)[number]
>

function toQuery(id: string, createdBy: string, members: Members, criteria: readonly Criterion[]): SavedQuery {
  const { name: title, schemaId, criteriaOperator, view, visibility } = members
  const shown = view === null || view === undefined ? {} : { view }
  const asked = SEARCH_MEMBERS.filter((name) => members[name] !== undefined).map((name) => [name, members[name]])
  const search = Object.fromEntries(asked) as Pick<SavedQuery, (typeof SEARCH_MEMBERS)[number]>
  return { id, name: title, schemaId, criteria, criteriaOperator, ...search, createdBy, ...shown, visibility }
}

function show(query: SavedQuery, model: Model, role: Role): ShownQuery {
  const schemas = searchedSchemas(model, query.schemaId ?? undefined)
  const criteria = showCriteria(query.criteria, schemas, role)
  return { ...query, criteria, visibility: query.visibility ?? 'shared' }
}

/**
 * @param sent criteria that the caller wrote, without placeholders
 * @throws VALIDATION_ERROR, PERMISSION_DENIED
 */
function assertMayAsk(query: SavedQuery, sent: Criteria, model: Model, { role }: Caller): void {
  const schemas = searchedSchemas(model, query.schemaId ?? undefined)
  questionOf(query)
  assertCanSearch(sent, schemas, role)
  assertSort(query.sort ?? [], schemas, model, role)
  assertItemView(itemViewOf(query), schemas, model, role)
}

function assertFits(query: SavedQuery, model: Model): void {
  if (query.schemaId !== null && !model.schemas.has(query.schemaId))
    throw invalid(`schemaId names the unknown schema '${shorten(query.schemaId, 128)}'`)
  assertCriteria(query, searchedSchemas(model, query.schemaId ?? undefined), model)
}

/** @throws NOT_FOUND, also for a private query of another user */
async function findSavedQuery(reads: Reads, caller: Caller, id: string): Promise<SavedQuery> {
  const query = await reads.savedQueries.get(id)
  if (query === undefined || !isVisibleTo(query, caller.id)) throw notFound('Saved query', id)
  return query
}

/** Returns the members that select records, as one text. */
function searchOf({ schemaId, criteria, criteriaOperator, text, textMode, stateId }: SavedQuery): string {
  return canonicalJson([schemaId, criteria, criteriaOperator, text ?? null, textMode ?? null, stateId ?? null])
}

/**
 * Checks that the caller may change a query of jobs. A job searches with its owner's rights, and its result could
 * reveal text in a hidden attribute.
 * @throws PERMISSION_DENIED if the owner of a job with the query may read more than the caller
 */
async function assertMayLead(tx: Transaction, { roles }: Model, caller: Caller, queryId: string): Promise<void> {
  for await (const job of eachOf(tx.exportJobs)) {
    if (!selectsBy(job, queryId) || isOwner(caller, job)) continue
    const owner = await (job.ownerKind === 'user' ? tx.users.get(job.ownerId) : tx.apiKeys.get(job.ownerId))
    const role = owner && roles.get(owner.roleId)
    if (role === undefined || readsAllOf(caller.role, role)) continue
    throw denied(
      `The export job '${job.id}' searches by this query with the rights of its owner, who may read attributes that you may not: save your search as a query of its own`,
    )
  }
}

/** @throws CONFLICT while an export job uses the query */
export async function removeSavedQuery(tx: Transaction, id: string): Promise<void> {
  const use = await findJobUse(tx, (job) => selectsBy(job, id))
  if (use !== undefined) throw conflict(`The saved query '${id}' is used by ${use}`)
  await tx.savedQueries.delete(id)
}

/** Deletes private queries of a deleted owner. A query that an export job uses becomes shared. */
export async function deletePrivateQueries(tx: Transaction, ownerId: string): Promise<void> {
  const used = new Set<string>()
  for await (const { selection } of eachOf(tx.exportJobs))
    if (selection !== null && isBySavedQuery(selection)) used.add(selection.savedQueryId)
  for await (const query of eachOf(tx.savedQueries)) {
    if (query.visibility !== 'private' || query.createdBy !== ownerId) continue
    if (used.has(query.id)) await tx.savedQueries.update({ ...query, visibility: 'shared' })
    else await tx.savedQueries.delete(query.id)
  }
}
