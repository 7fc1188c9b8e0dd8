// The actions that a bulk job applies to each record, in order. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { exactObject, suggest } from '../../kernel/input/exact-object.ts'
import { choiceOf, firstDuplicate, Id, listOf, noForm, SortOrder, wholeNumber } from '../../kernel/input/validation.ts'
import { MAX_ASSIGNMENTS } from '../../core/model/rules/catalog.ts'
import type { Permission } from '../../core/accounts/rules/permissions.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { MAX_REFERENCES } from '../../core/values/rules.ts'
import { isPlainObject } from '../../core/values/values.ts'

/** Most actions of one job. */
export const MAX_ACTIONS = 20
/** Most attributes that one action names. */
const MAX_ALIASES = 1000
/** Most characters of a searched text, and of its replacement. */
const MAX_REPLACED = 65_536

const AnyText = v.string('must be a string')
const Text = v.pipe(AnyText, v.maxLength(MAX_REPLACED, `must be at most ${MAX_REPLACED} characters long`))
const Aliases = v.pipe(
  listOf(AnyText, MAX_ALIASES),
  v.check((aliases) => firstDuplicate(aliases) === undefined, 'must not name an attribute twice'),
)
const Ids = v.pipe(
  listOf(Id, MAX_REFERENCES),
  v.check((ids) => firstDuplicate(ids) === undefined, 'must not name a record twice'),
)
const At = v.pipe(
  wholeNumber(0, MAX_REFERENCES),
  v.description(
    'The place in the list; 0 is the first. Listed records move there. Default: new records go to the end.',
  ),
)
const Places = listOf(exactObject({ categoryId: Id, sortOrder: v.optional(SortOrder) }), MAX_ASSIGNMENTS)
/** Values are checked for each record, against its schema. */
const UncheckedValues = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(isPlainObject, 'must be an object of attribute alias to scoped values'),
  v.metadata({ $ref: '#/components/schemas/Values' }),
)
const Expectations = v.pipe(
  v.unknown(),
  v.metadata({ type: 'array', items: { $ref: '#/components/schemas/ExpectedValue' } }),
  v.description('Values that the record must hold; otherwise it fails with PRECONDITION_FAILED.'),
)

export const ACTION_SHAPES = {
  setValues: exactObject({ setValues: UncheckedValues }),
  patchValues: exactObject({ patchValues: UncheckedValues, expect: v.optional(Expectations) }),
  clearValues: exactObject({ clearValues: exactObject({ attributeAliases: Aliases, scope: v.optional(ScopeInput) }) }),
  replaceText: exactObject({
    replaceText: exactObject({
      attributeAlias: AnyText,
      scope: v.optional(ScopeInput),
      find: v.pipe(Text, v.minLength(1, 'must not be empty')),
      replace: Text,
    }),
  }),
  copyScope: exactObject({
    copyScope: exactObject({
      from: ScopeInput,
      to: ScopeInput,
      attributeAliases: v.optional(Aliases),
      onlyEmpty: v.optional(v.boolean('must be true or false'), false),
    }),
  }),
  addReferences: exactObject({
    addReferences: exactObject({
      attributeAlias: AnyText,
      scope: v.optional(ScopeInput),
      ids: Ids,
      at: v.optional(At),
    }),
  }),
  removeReferences: exactObject({
    removeReferences: exactObject({ attributeAlias: AnyText, scope: v.optional(ScopeInput), ids: Ids }),
  }),
  transition: exactObject({ transition: AnyText }),
  setCategories: exactObject({ setCategories: Places }),
  addCategories: exactObject({ addCategories: Places }),
  removeCategories: exactObject({ removeCategories: listOf(Id, MAX_ASSIGNMENTS) }),
  delete: exactObject({ delete: v.literal(true, 'must be true') }),
} as const

type ActionName = keyof typeof ACTION_SHAPES
const ACTION_NAMES = Object.keys(ACTION_SHAPES) as ActionName[]
export type BulkAction = { [Name in ActionName]: v.InferOutput<(typeof ACTION_SHAPES)[Name]> }[ActionName]

const CHOICE = 'must be an object with one action'

/** An action as clients send it. The member that names the action decides the form of its other members. */
export const BulkActionInput = v.pipe(
  choiceOf(
    [
      ACTION_SHAPES.setValues,
      ACTION_SHAPES.patchValues,
      ACTION_SHAPES.clearValues,
      ACTION_SHAPES.replaceText,
      ACTION_SHAPES.copyScope,
      ACTION_SHAPES.addReferences,
      ACTION_SHAPES.removeReferences,
      ACTION_SHAPES.transition,
      ACTION_SHAPES.setCategories,
      ACTION_SHAPES.addCategories,
      ACTION_SHAPES.removeCategories,
      ACTION_SHAPES.delete,
    ],
    chooseAction,
  ),
  v.description(`One of ${ACTION_NAMES.join(', ')}, with its parameters.`),
)

function chooseAction(input: unknown): v.GenericSchema {
  const names = isPlainObject(input) ? ACTION_NAMES.filter((name) => Object.hasOwn(input, name)) : []
  if (names.length === 1) return ACTION_SHAPES[names[0]!]
  return noForm(names.length > 1 ? `has several actions: ${names.join(', ')}` : describeUnknown(input))
}

function describeUnknown(input: unknown): string {
  const [name] = isPlainObject(input) ? Object.keys(input) : []
  if (name === undefined) return `${CHOICE}: known are ${ACTION_NAMES.join(', ')}`
  return `has the unknown member '${name.slice(0, 64)}'${suggest(name, ACTION_NAMES)}`
}

/** Returns the fault of the actions as a list, or undefined. */
export function findActionsFault(actions: readonly BulkAction[]): string | undefined {
  const at = actions.findIndex((action) => 'delete' in action)
  return at === -1 || at === actions.length - 1 ? undefined : `[${at}]: nothing can be done after delete`
}

/**
 * Returns the values and expectations of `setValues` and `patchValues`. Both also accept the body of their endpoint.
 */
export function valuesOf(given: Readonly<Record<string, unknown>>): { values: unknown; expect?: unknown } {
  const isBody =
    isPlainObject(given['values']) && Object.keys(given).every((key) => key === 'values' || key === 'expect')
  return isBody ? { values: given['values'], expect: given['expect'] } : { values: given }
}

/** Returns the permissions that the role needs; transitions check theirs themselves. */
export function permissionsOf(actions: readonly BulkAction[]): readonly Permission[] {
  return [...new Set(actions.flatMap((action) => permissionOf(action) ?? []))]
}

function permissionOf(action: BulkAction): Permission | undefined {
  if ('transition' in action) return undefined
  if ('delete' in action) return 'records.delete'
  const isOfCategories = 'setCategories' in action || 'addCategories' in action || 'removeCategories' in action
  return isOfCategories ? 'categories.write' : 'records.update'
}

/** Returns the attributes that the actions write or name. */
export function aliasesOf(actions: readonly BulkAction[]): readonly string[] {
  return [...new Set(actions.flatMap(namedBy))]
}

function namedBy(action: BulkAction): readonly string[] {
  if ('setValues' in action || 'patchValues' in action) {
    const { values } = valuesOf('setValues' in action ? action.setValues : action.patchValues)
    return isPlainObject(values) ? Object.keys(values) : []
  }
  if ('clearValues' in action) return action.clearValues.attributeAliases
  if ('replaceText' in action) return [action.replaceText.attributeAlias]
  if ('addReferences' in action) return [action.addReferences.attributeAlias]
  if ('removeReferences' in action) return [action.removeReferences.attributeAlias]
  return 'copyScope' in action ? (action.copyScope.attributeAliases ?? []) : []
}
