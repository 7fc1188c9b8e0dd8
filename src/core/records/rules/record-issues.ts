// Issues that a check reports beyond the faults of a write: required values that are missing, and everything that the
// role may not write. Contract 3 §2.
import * as v from 'valibot'
import { type OutputOf, Reference } from '../../../kernel/input/validation.ts'
import { attributeAccess, type Role } from '../../accounts/rules/permissions.ts'
import { shorten } from '../../../kernel/errors.ts'
import { effectiveValue, type Scope, type ScopedValue, scopeKey } from '../../scopes/scope.ts'
import { describeScope } from '../../values/values.ts'
import { IssueShape, type FaultSink, type FieldFault } from '../../values/value-fault.ts'
import {
  type Completeness,
  missingFields,
  type MissingField,
  type Tally,
  MissingFieldShape,
  CompletenessShape,
} from './completeness.ts'
import { UncheckedValues } from './record.ts'

/** The most issues of one check, and the most missing fields. */
export const MAX_ISSUES = 1000

/** A field whose given value is refused. */
export interface FaultyField {
  readonly attributeAlias: string
  readonly scope: Scope
}

export interface DraftScore extends Completeness {
  /** The missing fields without any input, at most `MAX_ISSUES`; `missing` also has at most this number. */
  readonly required: readonly MissingField[]
}

export const RecordCheckBody = v.object({
  id: v.optional(v.pipe(Reference, v.description('The record to change. Default: a new record.'))),
  schemaId: v.optional(v.pipe(Reference, v.description('For a new record.'))),
  parentId: v.optional(v.pipe(v.nullable(Reference), v.description('The parent of the new variant.'))),
  /** The values that the client sent. */
  values: UncheckedValues,
  mode: v.pipe(
    v.optional(v.picklist(['put', 'patch'], 'must be put or patch'), 'patch'),
    v.description(
      'put: attributes are replaced as a whole, as by PUT. patch: values are replaced by scope, as by PATCH.',
    ),
  ),
  stateId: v.optional(
    v.pipe(
      Reference,
      v.description(
        'The state whose required attributes count. Default: the target of the first transition that leaves the state and requires completeness, otherwise the state itself.',
      ),
    ),
  ),
})
export type RecordCheck = OutputOf<typeof RecordCheckBody>

export const RecordCheckShape = v.object({
  issues: v.pipe(
    v.array(IssueShape),
    v.maxLength(MAX_ISSUES),
    v.description('All issues, up to 1000: invalid values first, then missing ones.'),
  ),
  completeness: v.pipe(
    v.object({
      ...CompletenessShape.entries,
      entityId: v.pipe(v.nullable(v.string()), v.description('null: for a new record.')),
      missing: v.pipe(v.array(MissingFieldShape), v.maxLength(MAX_ISSUES)),
    }),
    v.description('Computed with the valid values.'),
  ),
})
export type RecordCheckResult = OutputOf<typeof RecordCheckShape>

/** @param faulty fields with a faulty input: they are not also reported as empty */
export function scoreDraft({ gaps, ...score }: Tally, faulty: readonly FaultyField[]): DraftScore {
  const given = new Map<string, ScopedValue[]>()
  for (const { attributeAlias, scope } of faulty) {
    const values = given.get(attributeAlias) ?? []
    values.push({ scope, value: true })
    given.set(attributeAlias, values)
  }
  const dimensionIds = new Map(gaps.map(({ attribute }) => [attribute.alias, attribute.dimensionIds]))
  const isGiven = ({ attributeAlias: alias, scope }: MissingField): boolean =>
    effectiveValue(given.get(alias) ?? [], scope, dimensionIds.get(alias)!) !== undefined
  return {
    ...score,
    missing: [...missingFields(gaps).take(MAX_ISSUES)],
    required: [
      ...missingFields(gaps)
        .filter((field) => !isGiven(field))
        .take(MAX_ISSUES),
    ],
  }
}

export function requiredIssue({ attributeAlias, scope }: MissingField, stateId: string): FieldFault {
  const where = describeScope(shorten(scopeKey(scope), 200))
  const message = `values.${attributeAlias} is required in the state '${stateId}' and has no value in scope ${where}`
  return { attributeAlias, scope, code: 'required', message }
}

/**
 * Adds a fault for each attribute in `input` that the role may not write. @returns `input` without unreadable
 * attributes: a further fault would disclose their values
 */
export function checkAccess(
  input: Readonly<Record<string, unknown>>,
  role: Role,
  schemaId: string,
  faults: FaultSink,
): Record<string, unknown> {
  const readable: [string, unknown][] = []
  for (const [alias, values] of Object.entries(input)) {
    const access = attributeAccess(role, schemaId, alias)
    if (access !== 'none') readable.push([alias, values])
    if (access === 'write') continue
    const attributeAlias = shorten(alias, 64)
    const message = `Your role may not write the attribute '${attributeAlias}'`
    faults.add({ attributeAlias, scope: {}, code: 'permission', message })
  }
  return Object.fromEntries(readable)
}
