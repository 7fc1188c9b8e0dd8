// Finds uses of a dimension, a segment, a state or another part of the model: a used part cannot be removed.
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

/** The needed parts of a schema, stored or prepared for look-ups. */
interface SchemaParts {
  readonly id: string
  readonly workflowId: string
  readonly attributes: readonly Attribute[]
  readonly combinations: readonly Scope[] | null
}

/** Returns whether an attribute of the schema may be scoped to the dimension. */
export function isScopedBy(schema: SchemaParts, dimensionId: string): boolean {
  return schema.attributes.some((attribute) => attribute.dimensionIds.includes(dimensionId))
}

/** Returns the first part of a schema that names the dimension, for a message. */
export function findDimensionUse(schemas: Iterable<SchemaParts>, dimensionId: string): string | undefined {
  for (const schema of schemas) {
    const attribute = schema.attributes.find((candidate) => candidate.dimensionIds.includes(dimensionId))
    if (attribute !== undefined) return `the attribute '${attribute.alias}' of the schema '${schema.id}'`
    const used = findScopeUse(schema, (scope) => segmentOf(scope, dimensionId))
    if (used !== undefined) return used.use
  }
  return undefined
}

/** A segment, and the part that names the segment, for a message. */
export interface SegmentUse {
  readonly segmentId: string
  readonly use: string
}

/** Returns the first part of a schema that names one of the segments. */
export function findSegmentUse(
  schemas: Iterable<SchemaParts>,
  dimensionId: string,
  segmentIds: ReadonlySet<string>,
): SegmentUse | undefined {
  const find = (scope: Scope): string | undefined => {
    const segmentId = segmentOf(scope, dimensionId)
    return segmentId !== undefined && segmentIds.has(segmentId) ? segmentId : undefined
  }
  for (const schema of schemas) {
    const used = findScopeUse(schema, find)
    if (used !== undefined) return used
  }
  return undefined
}

/** Returns the first scope in which `find` finds a segment. */
function findScopeUse(
  { id, combinations, attributes }: SchemaParts,
  find: (scope: Scope) => string | undefined,
): SegmentUse | undefined {
  for (const scope of combinations ?? []) {
    const segmentId = find(scope)
    if (segmentId !== undefined) return { segmentId, use: `the combinations of the schema '${id}'` }
  }
  for (const { alias, guard } of attributes)
    for (const { scope = {} } of guard?.criteria ?? []) {
      const segmentId = find(scope)
      if (segmentId !== undefined)
        return { segmentId, use: `the guard of the attribute '${alias}' of the schema '${id}'` }
    }
  return undefined
}

/** Returns the first attribute that is required in one of the states, for a message. */
export function findRequiringAttribute(schema: SchemaParts, stateIds: ReadonlySet<string>) {
  for (const { alias, requiredInStateIds } of schema.attributes) {
    const stateId = requiredInStateIds.find((id) => stateIds.has(id))
    if (stateId === undefined) continue
    return { stateId, use: `the attribute '${alias}' of the schema '${schema.id}', which is required in it` }
  }
  return undefined
}

/**
 * Returns the first attribute of another schema whose records refer to records of the schema, for a message; undefined:
 * none.
 */
export function findReferringAttribute(schemas: Iterable<SchemaParts>, schemaId: string): string | undefined {
  for (const schema of schemas) {
    const attribute = schema.attributes.find(({ validation }) => validation.schemaId === schemaId)
    if (attribute !== undefined && schema.id !== schemaId)
      return `the attribute '${attribute.alias}' of the schema '${schema.id}'`
  }
  return undefined
}

/** Returns the name of the job in messages. */
export function describeJob({ id }: ExportJob): string {
  return `the export job '${id}'`
}

/**
 * Returns the segments of the dimension that the job names: for the file, a column, its order, or in the search that
 * selects records. @param search the job's own search or its saved query
 */
export function exportedSegments(job: ExportJob, search: Criteria | undefined, dimensionId: string): string[] {
  const scopes = [
    job.dimensionScope ?? {},
    ...(job.columns ?? []).flatMap(scopesIn),
    ...scopesInFiles(job.files),
    ...job.sort.map((member) => ('scope' in member && member.scope) || {}),
    ...askedScopes(search?.criteria ?? []),
  ]
  return scopes.flatMap((scope) => segmentOf(scope, dimensionId) ?? [])
}

/** Returns whether the job exports from the catalog, or exports places in it. */
export function isExportedFrom(job: ExportJob, catalogId: string): boolean {
  return (
    job.catalogId === catalogId || [...catalogsOf(job.columns ?? []), ...catalogsInFiles(job.files)].includes(catalogId)
  )
}

export function selectsBy({ selection }: ExportJob, savedQueryId: string): boolean {
  return selection !== null && isBySavedQuery(selection) && selection.savedQueryId === savedQueryId
}

/** Returns the first subscription for which `uses` is true, for a message; undefined: none. */
export function findSubscriptionUse(
  stored: readonly { readonly subscription: Subscription }[],
  uses: (subscription: Subscription) => boolean,
): string | undefined {
  const found = stored.find(({ subscription }) => uses(subscription))
  return found && `the subscription '${found.subscription.id}'`
}

/** Returns the first import profile for the schema, for a message; undefined: none. */
export function findProfileUse(profiles: readonly ImportProfile[], schemaId: string): string | undefined {
  const profile = profiles.find((one) => one.schemaId === schemaId)
  return profile && `the import profile '${profile.id}'`
}

/** Whether the subscription names the schema. */
export function asksFor({ schemaIds, selection }: Subscription, schemaId: string): boolean {
  return schemaIds?.includes(schemaId) === true || selection?.schemaId === schemaId
}
