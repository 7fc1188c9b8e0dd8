// Whether an export job exports a record, and why: one rule after another, as its file is selected. Contract 3 §5, 3 §11.
import * as v from 'valibot'
import type { OutputOf } from '../../kernel/input/validation.ts'
import { hasPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import type { RecordHead } from '../../core/records/rules/record.ts'
import type { ExportJob } from './export-job.ts'

export const INCLUSION_RULES = ['schema', 'state', 'catalog', 'variants', 'selection', 'permission', 'delta'] as const

export const InclusionReasonShape = v.object({
  rule: v.picklist(INCLUSION_RULES),
  met: v.boolean(),
  expected: v.pipe(v.unknown(), v.description('What the job requires. null: nothing.')),
  actual: v.unknown(),
})
type InclusionReason = OutputOf<typeof InclusionReasonShape>

export const InclusionShape = v.object({
  included: v.pipe(
    v.boolean(),
    v.description('All rules are met. A paused job exports the record too when it is triggered.'),
  ),
  /** Each rule, met or not. */
  reasons: v.array(InclusionReasonShape),
})
export type Inclusion = OutputOf<typeof InclusionShape>

/** The facts of a record that decide whether it is exported. */
export interface RecordFacts {
  readonly record: Pick<RecordHead, 'id' | 'schemaId' | 'lifecycleStateId' | 'parentId'>
  /** The version of its last change, or of its parent's. */
  readonly version: number
  /** Catalogs in which the record or its parent has a category. */
  readonly catalogIds: readonly string[]
}

interface InclusionFacts extends RecordFacts {
  /** The selection as the caller may see it, and its result for the record; a text says why it cannot be evaluated. */
  readonly selection: { readonly expected: unknown; readonly actual: boolean | string }
  /** For a delta: only later changes; null: all. */
  readonly versionAfter: number | null
}

type JobRules = Pick<ExportJob, 'schemaId' | 'includeLifecycleStateIds' | 'catalogId' | 'includeVariants'>

export const JobInclusionShape = v.object({ jobId: v.string(), name: v.string(), ...InclusionShape.entries })

export type JobInclusion = OutputOf<typeof JobInclusionShape>

/** @param role of the job's owner; undefined where there is none */
export function judgeInclusion(
  job: JobRules,
  role: Role | undefined,
  { record, catalogIds, version, selection, versionAfter }: InclusionFacts,
): Inclusion {
  const { schemaId, includeLifecycleStateIds: stateIds, catalogId, includeVariants } = job
  const isVariant = record.parentId !== null
  const reasons: InclusionReason[] = [
    {
      rule: 'schema',
      met: schemaId === null || schemaId === record.schemaId,
      expected: schemaId,
      actual: record.schemaId,
    },
    {
      rule: 'state',
      met: stateIds === null || stateIds.includes(record.lifecycleStateId),
      expected: stateIds,
      actual: record.lifecycleStateId,
    },
    {
      rule: 'catalog',
      met: catalogId === null || catalogIds.includes(catalogId),
      expected: catalogId,
      actual: catalogIds,
    },
    {
      rule: 'variants',
      met: includeVariants || !isVariant,
      expected: includeVariants ? null : false,
      actual: isVariant,
    },
    {
      rule: 'selection',
      met: selection.expected === null || selection.actual === true,
      expected: selection.expected,
      actual: selection.expected === null ? null : selection.actual,
    },
    {
      rule: 'permission',
      met: role !== undefined && hasPermission(role, 'records.read'),
      expected: 'records.read',
      actual: role !== undefined && hasPermission(role, 'records.read') ? 'records.read' : null,
    },
    {
      rule: 'delta',
      met: versionAfter === null || version > versionAfter,
      expected: versionAfter === null ? null : { versionAfter },
      actual: versionAfter === null ? null : { version },
    },
  ]
  return { included: reasons.every(({ met }) => met), reasons }
}
