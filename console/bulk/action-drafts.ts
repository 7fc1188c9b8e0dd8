// Actions on many records: as drafts in the panel, and in the form for a bulk job.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { restrictScope, type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import type { CallOptions } from '../api/call.ts'
import type { Locale } from '../fields/field.ts'
import { readValue } from '../fields/fields.ts'
import type { ModelState } from '../state/model.ts'
import type { BulkTaskName } from '../state/panel-props.ts'
import type { Workflow } from '../../src/core/model/rules/workflow.ts'

export type JobBody = NonNullable<CallOptions<'POST /api/v1/bulk-jobs'>['body']>
type JobAction = JobBody['actions'][number]

export const ACTION_KINDS = [
  'set',
  'clear',
  'replace',
  'copy',
  'addReferences',
  'removeReferences',
  'move',
  'categories',
  'delete',
] as const
export type ActionKind = (typeof ACTION_KINDS)[number]
export const CATEGORY_WAYS = ['add', 'remove', 'set'] as const
type CategoryWay = (typeof CATEGORY_WAYS)[number]

/** The draft has the fields of all kinds, so that a change of the kind loses no typed text. */
export interface ActionDraft {
  readonly key: number
  readonly kind: ActionKind
  /** '': no attribute is chosen. For a copy: every attribute that may have the scope. */
  readonly alias: string
  /** The scope, restricted to the dimensions of the attribute; for a copy, to those of its target. */
  readonly scope: Scope
  /** Every scope, in place of `scope`. */
  readonly isEverywhere: boolean
  readonly text: string
  readonly find: string
  readonly from: Scope
  readonly onlyEmpty: boolean
  readonly records: readonly { readonly id: string; readonly name: string }[]
  /** True: added records come first in their list; false: last. */
  readonly isFirst: boolean
  readonly transitionId: string
  readonly way: CategoryWay
  readonly categories: readonly { readonly id: string; readonly name: string }[]
}

const KIND_OF_TASK: Readonly<Record<BulkTaskName, ActionKind>> = {
  edit: 'set',
  move: 'move',
  categories: 'categories',
  replace: 'replace',
}

export function newDraft(key: number, kind: ActionKind | BulkTaskName, scope: Scope): ActionDraft {
  return {
    key,
    kind: kind in KIND_OF_TASK ? KIND_OF_TASK[kind as BulkTaskName] : (kind as ActionKind),
    alias: '',
    scope,
    isEverywhere: false,
    text: '',
    find: '',
    from: {},
    onlyEmpty: true,
    records: [],
    isFirst: false,
    transitionId: '',
    way: 'add',
    categories: [],
  }
}

/** The parts of the model and of the user's locale that reading a draft needs. */
interface DraftHost {
  readonly attribute: (alias: string) => Attribute | undefined
  readonly locale: Locale
}

/** `problem` '': a choice is still missing. */
export type ReadAction =
  | { readonly action: JobAction; readonly problem?: undefined }
  | { readonly problem: string; readonly action?: undefined }

const UNFINISHED: ReadAction = { problem: '' }

export function readAction(draft: ActionDraft, host: DraftHost): ReadAction {
  if (draft.kind === 'delete') return { action: { delete: true } }
  if (draft.kind === 'move')
    return draft.transitionId === '' ? UNFINISHED : { action: { transition: draft.transitionId } }
  if (draft.kind === 'categories') return readCategories(draft)
  if (draft.kind === 'copy') return readCopy(draft, host)
  const attribute = host.attribute(draft.alias)
  if (attribute === undefined) return UNFINISHED
  const { alias } = attribute
  const scope = restrictScope(draft.scope, attribute.dimensionIds)
  // Without a scope, an addition would go to the list of the scope {}.
  const where = draft.isEverywhere && draft.kind !== 'addReferences' ? {} : { scope }
  if (draft.kind === 'clear') return { action: { clearValues: { attributeAliases: [alias], ...where } } }
  if (draft.kind === 'replace') {
    if (draft.find === '') return UNFINISHED
    return { action: { replaceText: { attributeAlias: alias, ...where, find: draft.find, replace: draft.text } } }
  }
  if (isOfLists(draft.kind)) return readListed(draft, where)
  const reading = readValue(draft.text, attribute, host.locale)
  if (reading.code !== undefined) return { problem: reading.problem }
  // An empty value removes nothing: removing is a separate action.
  if (reading.value === null) return UNFINISHED
  const patchValues = Object.fromEntries([[alias, [{ scope, value: reading.value }]]])
  return { action: { patchValues } as JobAction }
}

/** Whether the action changes lists of references. */
export function isOfLists(kind: ActionKind): boolean {
  return kind === 'addReferences' || kind === 'removeReferences'
}

function readListed({ kind, alias, records, isFirst }: ActionDraft, where: { readonly scope?: Scope }): ReadAction {
  if (records.length === 0) return UNFINISHED
  const listed = { attributeAlias: alias, ...where, ids: records.map(({ id }) => id) }
  if (kind === 'removeReferences') return { action: { removeReferences: listed } }
  return { action: { addReferences: isFirst ? { ...listed, at: 0 } : listed } }
}

function readCategories({ way, categories }: ActionDraft): ReadAction {
  const places = categories.map(({ id }) => ({ categoryId: id }))
  // `set` without categories removes a record from all categories.
  if (way === 'set') return { action: { setCategories: places } }
  if (categories.length === 0) return UNFINISHED
  return { action: way === 'add' ? { addCategories: places } : { removeCategories: categories.map(({ id }) => id) } }
}

function readCopy({ alias, from, scope, onlyEmpty }: ActionDraft, { attribute: find }: DraftHost): ReadAction {
  const attribute = find(alias)
  const cut = (wanted: Scope) => (attribute === undefined ? wanted : restrictScope(wanted, attribute.dimensionIds))
  const [source, to] = [cut(from), cut(scope)]
  if (scopeKey(source) === scopeKey(to)) return UNFINISHED
  const named = attribute === undefined ? {} : { attributeAliases: [alias] }
  return { action: { copyScope: { from: source, to, onlyEmpty, ...named } } }
}

/** Returns whether texts of the attribute can be replaced; json contains no single text. */
export function takesText(attribute: Attribute): boolean {
  return dataTypeOf(attribute).isText
}

/** A job of exactly these actions: a rehearsal is valid for no other job. B1. */
export function jobBody(selection: BulkSelection, actions: readonly JobAction[]): JobBody {
  return { selection, actions }
}

export function isSameJob(one: JobBody | undefined, other: JobBody | undefined): boolean {
  return one !== undefined && other !== undefined && isSameValue(one, other)
}

/** Returns transitions that a role may apply to many records. Both states distinguish transitions with the same name. */
export function transitionsFor(
  roleId: string,
  { id: workflowId, states, transitions }: Workflow,
  model: Pick<ModelState, 'nameOf' | 'stateName'>,
): { readonly id: string; readonly name: string }[] {
  const order = new Map(states.map(({ id }, index) => [id, index]))
  return transitions
    .filter(({ allowedRoleIds }) => allowedRoleIds.includes(roleId))
    .toSorted((one, other) => order.get(one.fromStateId)! - order.get(other.fromStateId)!)
    .map(({ fromStateId, toStateId, ...transition }) => ({
      id: transition.id,
      name: `${model.nameOf(transition)} (${model.stateName(workflowId, fromStateId)} → ${model.stateName(workflowId, toStateId)})`,
    }))
}
