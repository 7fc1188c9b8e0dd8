// Finds the users of a dimension, a segment, a state or another part of the model, which therefore has to stay.
// Contract 2 §3.
import type { ImportProfile } from '../../../imports/rules/import-profile.ts'
import type { Attribute } from './attributes.ts'
import { catalogsOf, scopesIn } from '../../../exports/rules/export-columns.ts'
import { catalogsInFiles, scopesInFiles } from '../../../exports/rules/job-files.ts'
import type { ExportJob } from '../../../exports/rules/export-job.ts'
import type { Subscription } from '../../../events/rules/subscription.ts'
import { isBySavedQuery } from '../../../exports/rules/job-selection.ts'
import { type Scope, segmentOf } from '../../scopes/scope.ts'
import { askedScopes } from '../../search/rules/asked-aliases.ts'
import type { Criteria } from '../../search/rules/criteria.ts'

/** The parts of a schema that are needed here, stored or prepared for look-ups. */
interface SchemaParts {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
}

/** Whether an attribute of the schema may be scoped to the dimension. */
export function isScopedBy(schema: SchemaParts, dimensionId: string): boolean {
  return schema.attributes.some((attribute) => attribute.dimensionIds.includes(dimensionId))
}

/** The first part of a schema that names the dimension, for a message, or undefined. */
export function findDimensionUse(schemas: Iterable<SchemaParts>, dimensionId: string): string | undefined {
  for (const schema of schemas) {
    const attribute = schema.attributes.find((candidate) => candidate.dimensionIds.includes(dimensionId))
    if (attribute !== undefined) return `the attribute '${attribute.alias}' of the schema '${schema.id}'`
    const use = findScopeUse(schema, (scope) => segmentOf(scope, dimensionId) !== undefined)
    if (use !== undefined) return use
  }
  return undefined
}

/** The first part of a schema that names the segment, for a message, or undefined. */
export function findSegmentUse(
  schemas: Iterable<SchemaParts>,
  dimensionId: string,
  segmentId: string,
): string | undefined {
  for (const schema of schemas) {
    const use = findScopeUse(schema, (scope) => segmentOf(scope, dimensionId) === segmentId)
    if (use !== undefined) return use
  }
  return undefined
}

function findScopeUse(schema: SchemaParts, isNamedBy: (scope: Scope) => boolean): string | undefined {
  if (schema.combinations?.some(isNamedBy) === true) return `the combinations of the schema '${schema.id}'`
  const guarded = schema.attributes.find((attribute) =>
    attribute.guard?.criteria.some((criterion) => isNamedBy(criterion.scope ?? {})),
  )
  return guarded && `the guard of the attribute '${guarded.alias}' of the schema '${schema.id}'`
}

/** The first attribute that is required in the state, for a message, or undefined. */
export function findRequiringAttribute(schema: SchemaParts, stateId: string): string | undefined {
  const attribute = schema.attributes.find((candidate) => candidate.requiredInStateIds.includes(stateId))
  return attribute && `the attribute '${attribute.alias}' of the schema '${schema.id}', which is required in it`
}

/** The first attribute of another schema whose records refer to records of the schema, for a message, or undefined. */
export function findReferringAttribute(schemas: Iterable<SchemaParts>, schemaId: string): string | undefined {
  for (const schema of schemas) {
    const attribute = schema.attributes.find(({ validation }) => validation.schemaId === schemaId)
    if (attribute !== undefined && schema.id !== schemaId)
      return `the attribute '${attribute.alias}' of the schema '${schema.id}'`
  }
  return undefined
}

/** The first export job that `uses` holds for, for a message, or undefined. */
export function findJobUse(jobs: readonly ExportJob[], uses: (job: ExportJob) => boolean): string | undefined {
  const job = jobs.find(uses)
  return job && `the export job '${job.id}'`
}

/**
 * Whether the job names the dimension, or this segment of it: for the file, a column, its order, or in the search that selects.
 * @param savedQueries all that there are, by ID
 */
export function isExportedFor(
  job: ExportJob,
  savedQueries: ReadonlyMap<string, Criteria>,
  dimensionId: string,
  segmentId?: string,
): boolean {
  const search = searchOf(job, savedQueries)
  const scopes = [
    job.dimensionScope ?? {},
    ...(job.columns ?? []).flatMap(scopesIn),
    ...scopesInFiles(job.files),
    ...job.sort.map((member) => ('scope' in member && member.scope) || {}),
    ...askedScopes(search?.criteria ?? []),
  ]
  const segments = scopes.flatMap((scope) => segmentOf(scope, dimensionId) ?? [])
  return segments.some((segment) => segmentId === undefined || segment === segmentId)
}

/** Whether the job exports from the catalog, or says where in it records are. */
export function isExportedFrom(job: ExportJob, catalogId: string): boolean {
  return (
    job.catalogId === catalogId || [...catalogsOf(job.columns ?? []), ...catalogsInFiles(job.files)].includes(catalogId)
  )
}

/** Whether the job is for the schema, or its search is. @param savedQueries all that there are, by ID */
export function isExportedOf(
  job: ExportJob,
  savedQueries: ReadonlyMap<string, { readonly schemaId: string | null }>,
  schemaId: string,
): boolean {
  return job.schemaId === schemaId || searchOf(job, savedQueries)?.schemaId === schemaId
}

function searchOf<Query>({ selection }: ExportJob, savedQueries: ReadonlyMap<string, Query>) {
  return selection !== null && isBySavedQuery(selection) ? savedQueries.get(selection.savedQueryId) : selection
}

export function selectsBy({ selection }: ExportJob, savedQueryId: string): boolean {
  return selection !== null && isBySavedQuery(selection) && selection.savedQueryId === savedQueryId
}

/** The first subscription that `uses` holds for, for a message, or undefined. */
export function findSubscriptionUse(
  stored: readonly { readonly subscription: Subscription }[],
  uses: (subscription: Subscription) => boolean,
): string | undefined {
  const found = stored.find(({ subscription }) => uses(subscription))
  return found && `the subscription '${found.subscription.id}'`
}

/** The first import profile for the schema, for a message, or undefined. */
export function findProfileUse(profiles: readonly ImportProfile[], schemaId: string): string | undefined {
  const profile = profiles.find((one) => one.schemaId === schemaId)
  return profile && `the import profile '${profile.id}'`
}

/** Whether the subscription names the schema. */
export function asksFor({ schemaIds, selection }: Subscription, schemaId: string): boolean {
  return schemaIds?.includes(schemaId) === true || selection?.schemaId === schemaId
}
