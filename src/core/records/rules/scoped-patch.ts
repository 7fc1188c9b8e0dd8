// Changes by scope. Each scoped value of a patch replaces the stored value of the same scope; null removes it.
// Everything else stays. A client may also send its expectations, so that it overwrites nothing that it has not seen.
// Contract 3 §2.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { MAX_JSON_DEPTH } from '../../datatypes/json.ts'
import { invalid, PimletError, shorten } from '../../../kernel/errors.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { assertCanRead, type Role } from '../../accounts/rules/permissions.ts'
import { scopedValues, UncheckedValues, type Values } from './record.ts'
import { type ScopedValue, scopeKey, ScopeShape } from '../../scopes/scope.ts'
import { isNestedDeeper, isSameValue } from '../../../kernel/text.ts'
import { describeScope, isPlainObject, readScope, valuesByScope } from '../../values/values.ts'

/** The most expectations of one request. */
const MAX_EXPECTATIONS = 1000

/** Checked as values are: by the service. */
export const ExpectedValueShape = v.object({
  attributeAlias: v.string(),
  scope: ScopeShape,
  value: v.pipe(v.unknown(), v.description('null: no value is stored there.')),
})

/** The value that a client expects in one scope of one attribute; null: none. */
export type Expectation = OutputOf<typeof ExpectedValueShape>

const UncheckedExpectations = v.pipe(
  v.unknown(),
  v.metadata({ type: 'array', items: { $ref: '#/components/schemas/ExpectedValue' }, maxItems: MAX_EXPECTATIONS }),
  v.description('The value that the client has seen. 412 if the stored value differs.'),
)

export const ScopedPatchBody = v.object({ values: UncheckedValues, expect: v.optional(UncheckedExpectations) })

/** The request that the client sent. */
export type ScopedPatch = OutputOf<typeof ScopedPatchBody>

/**
 * Returns the new values of the attributes in `patch`; scopes outside of the patch keep their values.
 * @param patch from `readPatch`: null as a value removes the stored value
 */
export function mergePatch(values: Values, patch: Values): Values {
  return Object.fromEntries(
    Object.entries(patch).map(([alias, changes]) => [alias, mergeScopes(scopedValues(values, alias), changes)]),
  )
}

function mergeScopes(stored: readonly ScopedValue[], changes: readonly ScopedValue[]): ScopedValue[] {
  const byScope = new Map([...stored, ...changes].map((item) => [scopeKey(item.scope), item]))
  return [...byScope.values()].filter(({ value }) => value !== null)
}

/**
 * @throws VALIDATION_ERROR for an item that names no attribute, or no scope of the attribute
 * @throws PERMISSION_DENIED for an attribute that the role may not read: the outcome of an expectation reveals the stored
 *   value
 */
export function readExpectations(input: unknown, schema: Schema, model: Model, role: Role): readonly Expectation[] {
  if (input === undefined) return []
  if (!Array.isArray(input)) throw invalid('expect must be an array of { attributeAlias, scope, value }')
  if (input.length > MAX_EXPECTATIONS) throw invalid(`expect must have at most ${MAX_EXPECTATIONS} items`)
  const expectations = input.map((item: unknown, index) => readExpectation(item, schema, model, `expect[${index}]`))
  for (const { attributeAlias } of expectations) assertCanRead(role, schema.id, attributeAlias)
  return expectations
}

function readExpectation(input: unknown, schema: Schema, model: Model, field: string): Expectation {
  if (!isPlainObject(input)) throw invalid(`${field} must be an object { attributeAlias, scope, value }`)
  const { attributeAlias, scope, value } = input
  if (typeof attributeAlias !== 'string') throw invalid(`${field}.attributeAlias must be a string`)
  const attribute = schema.attribute(attributeAlias)
  if (attribute === undefined)
    throw invalid(
      `${field}.attributeAlias names '${shorten(attributeAlias, 64)}', which the schema '${schema.id}' does not define`,
    )
  if (value === undefined) throw invalid(`${field}.value is required; null: nothing is stored`)
  return { attributeAlias, scope: readScope(scope, attribute, model, `${field}.scope`), value }
}

/** @throws PRECONDITION_FAILED naming attribute and scope of the first expectation that the stored values do not meet */
export function assertAsExpected(values: Values, expectations: readonly Expectation[], schema: Schema): void {
  const byAlias = new Map<string, ReadonlyMap<string, unknown>>()
  for (const { attributeAlias, scope, value } of expectations) {
    const key = scopeKey(scope)
    const stored = byAlias.get(attributeAlias) ?? valuesByScope(scopedValues(values, attributeAlias))
    byAlias.set(attributeAlias, stored)
    if (isSame(stored.get(key) ?? null, value, schema.attribute(attributeAlias)!)) continue
    throw new PimletError(
      'PRECONDITION_FAILED',
      `The value of '${attributeAlias}' in scope ${describeScope(key)} is not the expected one: it has changed since`,
    )
  }
}

/** Compares the parts of a value that clients can send, without the facts that the server adds to files. */
function isSame(stored: unknown, expected: unknown, attribute: Attribute): boolean {
  if (isNestedDeeper(expected, MAX_JSON_DEPTH)) return false
  const type = dataTypeOf(attribute)
  const [one, other] = [stored, expected].map((value) =>
    isPlainObject(value) ? type.withoutUnknownFields(value) : value,
  )
  return isSameValue(one, other)
}
