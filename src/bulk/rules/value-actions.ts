// Computes the values of a record after the actions of a bulk job. Contract 3 §2, 3 §10.
import { canRead, readableValues, type Role } from '../../core/accounts/rules/permissions.ts'
import { type BulkAction, type OtherAction, valuesOf } from './bulk-actions.ts'
import { withAdded, withRemoved } from './reference-actions.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { findScopeFault } from '../../core/model/rules/schema.ts'
import { effectiveValueIn, scopedValues, type Values } from '../../core/records/rules/record.ts'
import { assertAsExpected, mergePatch, readExpectations } from '../../core/records/rules/scoped-patch.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../core/scopes/scope.ts'
import { readPatch, readScope, readValues } from '../../core/values/values.ts'

export interface ValueSubject {
  /** The record's own values after the actions so far. */
  readonly values: Values
  /** Values of a variant's parent; null: the record is no variant. */
  readonly inherited: Values | null
  readonly schema: Schema
  readonly model: Model
  readonly role: Role
}

/** Characters of a text after replacing. No record may hold a longer text. */
const MAX_TEXT = 16 * 1024 * 1024

/**
 * Returns the new values of each attribute that the action names; undefined: the action changes no values. Does not
 * check whether the role may write the attributes.
 * @throws VALIDATION_ERROR, PRECONDITION_FAILED, PERMISSION_DENIED for an expectation on an attribute that the role may
 * not read
 */
export function updateOf(action: BulkAction, subject: ValueSubject): Values | undefined {
  const { values, schema, model, role } = subject
  // The role's readable values are used, so that echoing a value does not reveal a hidden one.
  const stored = (): Values => readableValues(role, schema.id, values)
  if ('setValues' in action) return readValues(valuesOf(action.setValues).values, schema, model, stored)
  if ('patchValues' in action) {
    const given = valuesOf(action.patchValues)
    const patch = readPatch(given.values, schema, model, stored)
    assertAsExpected(values, readExpectations(action.expect ?? given.expect, schema, model, role), schema)
    return mergePatch(values, patch)
  }
  const patch = patchOf(action, subject)
  return (
    patch &&
    mergePatch(
      values,
      readPatch(patch, schema, model, () => values),
    )
  )
}

type Patch = Readonly<Record<string, readonly ScopedValue[]>>

/** Actions that name no new values themselves. */
type PatchingAction = Exclude<BulkAction, { setValues: unknown } | { patchValues: unknown }>

function patchOf(action: PatchingAction, subject: ValueSubject): Patch | undefined {
  if ('clearValues' in action) {
    const { attributeAliases, scope } = action.clearValues
    return patchEach(attributeAliases, (alias) => cleared(find(alias, subject), scope, subject))
  }
  if ('replaceText' in action) {
    const { attributeAlias, ...how } = action.replaceText
    return patchEach([attributeAlias], (alias) => replaced(find(alias, subject), how, subject))
  }
  if ('addReferences' in action) {
    const { attributeAlias } = action.addReferences
    return patchEach([attributeAlias], (alias) => withAdded(find(alias, subject), action.addReferences, subject))
  }
  if ('removeReferences' in action) {
    const { attributeAlias } = action.removeReferences
    return patchEach([attributeAlias], (alias) => withRemoved(find(alias, subject), action.removeReferences, subject))
  }
  if ('copyScope' in action) return copied(action.copyScope, subject)
  return withoutPatch(action)
}

/** Takes no action that changes values: a job with such an action would end well and change nothing. */
function withoutPatch(_action: OtherAction): undefined {
  return undefined
}

/** Avoids an object literal, because an attribute may have the name of a member of Object. */
function patchEach(aliases: readonly string[], patch: (alias: string) => readonly ScopedValue[]): Patch {
  return Object.fromEntries(aliases.map((alias) => [alias, patch(alias)]))
}

function find(alias: string, { schema }: ValueSubject): Attribute {
  const attribute = schema.attribute(alias)
  if (attribute !== undefined) return attribute
  throw invalid(`'${shorten(alias, 64)}' names an attribute that the schema '${schema.id}' does not define`)
}

function cleared(attribute: Attribute, scope: Scope | undefined, subject: ValueSubject): readonly ScopedValue[] {
  const wanted = scope && scopeKey(readScope(scope, attribute, subject.model, `${attribute.alias}: scope`))
  return scopedValues(subject.values, attribute.alias)
    .filter((item) => wanted === undefined || scopeKey(item.scope) === wanted)
    .map((item) => ({ scope: item.scope, value: null }))
}

interface Replacement {
  readonly scope?: Scope | undefined
  readonly find: string
  readonly replace: string
}

function replaced(
  attribute: Attribute,
  { scope, find: wanted, replace }: Replacement,
  subject: ValueSubject,
): readonly ScopedValue[] {
  const { alias } = attribute
  if (!dataTypeOf(attribute).isText) throw invalid(`replaceText: the attribute '${alias}' is no text`)
  const key = scope && scopeKey(readScope(scope, attribute, subject.model, `${alias}: scope`))
  const found = scopedValues(subject.values, alias).filter(
    (item) => (key === undefined || scopeKey(item.scope) === key) && String(item.value).includes(wanted),
  )
  return found.map((item) => ({ scope: item.scope, value: replaceAll(String(item.value), wanted, replace, alias) }))
}

function replaceAll(text: string, wanted: string, replace: string, alias: string): string {
  const parts = text.split(wanted)
  if (text.length + (parts.length - 1) * (replace.length - wanted.length) > MAX_TEXT)
    throw invalid(`values.${alias} would be longer than ${MAX_TEXT} characters`)
  return parts.join(replace)
}

type Copying = Extract<BulkAction, { copyScope: unknown }>['copyScope']

/** Without named attributes, copies all attributes that allow both scopes and that the role may see. */
function copied({ from, to, attributeAliases, onlyEmpty }: Copying, subject: ValueSubject): Patch {
  const { schema, model, role, values, inherited } = subject
  // Without this check, a faulty scope would fit no attribute, and the action would silently do nothing.
  for (const [name, scope] of Object.entries({ from, to })) {
    const fault = findScopeFault(scope, model)
    if (fault !== undefined) throw invalid(`copyScope.${name} ${fault}`)
  }
  const isOpen = ({ alias, dimensionIds }: Attribute): boolean =>
    canRead(role, schema.id, alias) && [from, to].every((scope) => isScopeOf(scope, dimensionIds))
  const attributes = attributeAliases?.map((alias) => find(alias, subject)) ?? schema.attributes.filter(isOpen)
  const patch: [string, readonly ScopedValue[]][] = []
  for (const attribute of attributes) {
    const { alias, dimensionIds } = attribute
    const key = scopeKey(readScope(from, attribute, model, `${alias}: from`))
    const target = readScope(to, attribute, model, `${alias}: to`)
    const source = scopedValues(values, alias).find(({ scope }) => scopeKey(scope) === key)
    const present = onlyEmpty ? effectiveValueIn({ own: values, inherited }, alias, target, dimensionIds) : undefined
    const isFilled = present !== undefined && !dataTypeOf(attribute).isEmpty(present.value)
    const isCopied = source !== undefined && !isFilled
    if (isCopied || attributeAliases !== undefined)
      patch.push([alias, isCopied ? [{ scope: target, value: source.value }] : []])
  }
  return Object.fromEntries(patch)
}

function isScopeOf(scope: Scope, dimensionIds: readonly string[]): boolean {
  return Object.keys(scope).every((dimensionId) => dimensionIds.includes(dimensionId))
}
