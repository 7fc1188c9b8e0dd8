// Refuses unknown names in flags, because an empty result would look like an answer. Contract 3 §8.
import type { VisibleModelShape } from '../core/model/routes/definition-routes.ts'
import type { OutputOf } from '../kernel/input/validation.ts'
import { findNearest } from '../kernel/input/nearest.ts'
import { shorten } from '../kernel/errors.ts'
import type { Scope } from '../core/scopes/scope.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { getJson, RefusedRequest } from './client.ts'

/** Most names in a message. */
const MAX_LISTED = 10

interface Named {
  readonly id: string
}

/** The part of the model that flags can name, as the caller's role sees it. */
export type VisibleModel = OutputOf<typeof VisibleModelShape>

/** Undefined: the role may not read the model, so only the server checks names. @throws StartError */
export function readVisibleModel(connection: Connection): Promise<VisibleModel | undefined> {
  return unlessForbidden(getJson<VisibleModel>(connection, '/api/v1/me/model'))
}

/** @param list path of a list of resources @throws UsageError, StartError */
export async function assertListed(connection: Connection, list: string, ...name: NameOfFlag): Promise<void> {
  const listed = await unlessForbidden(getJson<readonly Named[]>(connection, list))
  if (listed !== undefined) assertKnown(idsOf(listed), ...name)
}

/** @throws UsageError, StartError */
export async function assertCategories(
  connection: Connection,
  flag: string,
  model: VisibleModel,
  ids: readonly string[],
): Promise<void> {
  const trees = await Promise.all(
    model.catalogs.map(({ id }) =>
      unlessForbidden(getJson<readonly Named[]>(connection, `/api/v1/catalogs/${encodeURIComponent(id)}/categories`)),
    ),
  )
  if (trees.includes(undefined)) return
  const known = trees.flatMap((tree) => idsOf(tree!))
  for (const id of ids) assertKnown(known, flag, 'category', id)
}

/** The flag, the kind of thing, and the name; undefined: the flag is not given. */
type NameOfFlag = readonly [flag: string, kind: string, name: string | undefined]

/** @throws UsageError naming the nearest known name */
export function assertKnown(known: readonly string[], ...[flag, kind, name]: NameOfFlag): void {
  if (name === undefined || known.includes(name)) return
  throw new UsageError(`${flag} names the unknown ${kind} '${shorten(name)}'${describeKnown(name, known)}`)
}

/** @throws UsageError */
export function assertKnownScope({ dimensions }: VisibleModel, flag: string, scope: Scope): void {
  for (const [dimensionId, segmentId] of Object.entries(scope)) {
    assertKnown(idsOf(dimensions), flag, 'dimension', dimensionId)
    const { segments } = dimensions.find(({ id }) => id === dimensionId)!
    assertKnown(idsOf(segments), flag, `segment of ${dimensionId}`, segmentId)
  }
}

/** @throws UsageError */
export function assertKnownSchema({ schemas }: VisibleModel, flag: string, schemaId: string | undefined): void {
  assertKnown(idsOf(schemas), flag, 'schema', schemaId)
}

/** Known IDs by the field that a search compares with them. */
const IDS_OF_FIELD: Readonly<Record<string, (model: VisibleModel) => readonly string[]>> = {
  schemaId: ({ schemas }) => idsOf(schemas),
  lifecycleStateId: ({ workflows }) => idsOf(workflows.flatMap(({ states }) => states)),
  catalogId: ({ catalogs }) => idsOf(catalogs),
}

/** @throws UsageError for an unknown schema, state, catalog, attribute or scope in the search */
export function assertKnownInSearch(
  model: VisibleModel,
  flag: string,
  search: Readonly<Record<string, unknown>>,
): void {
  if (typeof search['schemaId'] === 'string') assertKnownSchema(model, flag, search['schemaId'])
  for (const criterion of [search['criteria']].flat()) assertKnownInCriterion(model, flag, criterion)
}

function assertKnownInCriterion(model: VisibleModel, flag: string, criterion: unknown): void {
  if (typeof criterion !== 'object' || criterion === null) return
  const { field, value, criteria, attributeAlias, scope } = criterion as Readonly<Record<string, unknown>>
  for (const inner of [criteria].flat()) assertKnownInCriterion(model, flag, inner)
  if (typeof attributeAlias === 'string') assertKnown(aliasesOf(model), flag, 'attribute', attributeAlias)
  // The server checks scopes of a wrong form.
  if (isScope(scope)) assertKnownScope(model, flag, scope)
  if (typeof field !== 'string' || !Object.hasOwn(IDS_OF_FIELD, field)) return
  for (const id of [value].flat()) if (typeof id === 'string') assertKnown(IDS_OF_FIELD[field]!(model), flag, field, id)
}

function aliasesOf({ schemas }: VisibleModel): string[] {
  return [...new Set(schemas.flatMap(({ attributes }) => attributes.map(({ alias }) => alias)))]
}

function isScope(scope: unknown): scope is Scope {
  return typeof scope === 'object' && scope !== null && Object.values(scope).every((part) => typeof part === 'string')
}

/** Returns the IDs of `model.catalogs` and similar lists. */
export function idsOf(named: readonly Named[]): string[] {
  return named.map(({ id }) => id)
}

function describeKnown(name: string, known: readonly string[]): string {
  const meant = findNearest(name, known)
  if (meant !== undefined) return `; did you mean '${meant}'?`
  if (known.length === 0) return '; there is none'
  const more = known.length > MAX_LISTED ? `, and ${known.length - MAX_LISTED} more` : ''
  return `; known: ${known.slice(0, MAX_LISTED).join(', ')}${more}`
}

async function unlessForbidden<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RefusedRequest && error.status === 403) return undefined
    throw error
  }
}
