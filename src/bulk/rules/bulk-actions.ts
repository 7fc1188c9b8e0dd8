// The actions that a bulk job applies to each record, in order. Contract 3 §2, 3 §10. A new action needs an entry in
// ACTION_SHAPES, and types find the other places.
import * as v from 'valibot'
import { exactObject, suggest } from '../../kernel/input/exact-object.ts'
import { choiceOf, firstDuplicate, Id, listOf, SortOrder, wholeNumber } from '../../kernel/input/validation.ts'
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
type ActionOf<Name extends ActionName> = v.InferOutput<(typeof ACTION_SHAPES)[Name]>
export type BulkAction = { [Name in ActionName]: ActionOf<Name> }[ActionName]
type ActionShape = (typeof ACTION_SHAPES)[ActionName]

/** Actions that change no values. */
export type OtherAction = ActionOf<'transition' | CategoryActionName | 'delete'>
type CategoryActionName = 'setCategories' | 'addCategories' | 'removeCategories'

/** The permission that the role needs; a transition checks its own. */
const PERMISSIONS: Readonly<Record<ActionName, Permission | undefined>> = {
  setValues: 'records.update',
  patchValues: 'records.update',
  clearValues: 'records.update',
  replaceText: 'records.update',
  copyScope: 'records.update',
  addReferences: 'records.update',
  removeReferences: 'records.update',
  transition: undefined,
  setCategories: 'categories.write',
  addCategories: 'categories.write',
  removeCategories: 'categories.write',
  delete: 'records.delete',
}

const none = (): readonly string[] => []

/** Returns the attributes that an action writes or names. The role must be able to write each of them. */
const ALIASES: { readonly [Name in ActionName]: (action: ActionOf<Name>) => readonly string[] } = {
  setValues: ({ setValues }) => aliasesIn(setValues),
  patchValues: ({ patchValues }) => aliasesIn(patchValues),
  clearValues: ({ clearValues }) => clearValues.attributeAliases,
  replaceText: ({ replaceText }) => [replaceText.attributeAlias],
  copyScope: ({ copyScope }) => copyScope.attributeAliases ?? [],
  addReferences: ({ addReferences }) => [addReferences.attributeAlias],
  removeReferences: ({ removeReferences }) => [removeReferences.attributeAlias],
  transition: none,
  setCategories: none,
  addCategories: none,
  removeCategories: none,
  delete: none,
}

const CHOICE = 'must be an object with one action'

/** An action as clients send it. The member that names the action decides the form of its other members. */
export const BulkActionInput = v.pipe(
  choiceOf(Object.values(ACTION_SHAPES) as [ActionShape, ActionShape, ...ActionShape[]], chooseAction),
  v.description(`One of ${ACTION_NAMES.join(', ')}, with its parameters.`),
)

function chooseAction(input: unknown): v.GenericSchema {
  const names = isPlainObject(input) ? ACTION_NAMES.filter((name) => Object.hasOwn(input, name)) : []
  if (names.length === 1) return ACTION_SHAPES[names[0]!]
  const fault = names.length > 1 ? `has several actions: ${names.join(', ')}` : describeUnknown(input)
  return v.custom(() => false, fault)
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

/** Returns the values and expectations of `setValues` and `patchValues`. Both also accept the body of their endpoint. */
export function valuesOf(given: Readonly<Record<string, unknown>>): { values: unknown; expect?: unknown } {
  const isBody =
    isPlainObject(given['values']) && Object.keys(given).every((key) => key === 'values' || key === 'expect')
  return isBody ? { values: given['values'], expect: given['expect'] } : { values: given }
}

/** Returns the permissions that the role needs; a transition checks its own. */
export function permissionsOf(actions: readonly BulkAction[]): readonly Permission[] {
  return [...new Set(actions.flatMap((action) => PERMISSIONS[nameOf(action)] ?? []))]
}

/** Returns the attributes that the actions write or name. */
export function aliasesOf(actions: readonly BulkAction[]): readonly string[] {
  return [...new Set(actions.flatMap((action) => ALIASES[nameOf(action)](action as never)))]
}

function nameOf(action: BulkAction): ActionName {
  return ACTION_NAMES.find((name) => Object.hasOwn(action, name))!
}

function aliasesIn(given: Readonly<Record<string, unknown>>): readonly string[] {
  const { values } = valuesOf(given)
  return isPlainObject(values) ? Object.keys(values) : []
}
