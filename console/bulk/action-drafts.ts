// What shall be done with many records, as it is put together in the panel, and as a bulk job takes it.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { restrictScope, type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import { canonicalJson } from '../../src/kernel/text.ts'
import type { CallOptions } from '../api/call.ts'
import type { Locale } from '../fields/field.ts'
import { readValue } from '../fields/fields.ts'
import type { BulkTaskName } from '../state/panels.ts'

export type JobBody = NonNullable<CallOptions<'POST /api/v1/bulk-jobs'>['body']>
type JobAction = JobBody['actions'][number]

export const ACTION_KINDS = ['set', 'clear', 'replace', 'copy', 'move', 'categories', 'delete'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]
export const CATEGORY_WAYS = ['add', 'remove', 'set'] as const
type CategoryWay = (typeof CATEGORY_WAYS)[number]

/** Of all kinds, so that nothing typed is lost where the kind is changed. */
export interface ActionDraft {
  readonly key: number
  readonly kind: ActionKind
  /** '' : none is chosen. For a copy: all that may be scoped so. */
  readonly alias: string
  /** Cut to the dimensions of the attribute; of a copy its target. */
  readonly scope: Scope
  /** In every scope, in place of `scope`. */
  readonly isEverywhere: boolean
  readonly text: string
  readonly find: string
  readonly from: Scope
  readonly onlyEmpty: boolean
  readonly transitionId: string
  readonly way: CategoryWay
  readonly categories: readonly { readonly id: string; readonly name: string }[]
}

const KIND_OF_TASK: Readonly<Record<BulkTaskName, ActionKind>> = { edit: 'set', move: 'move', categories: 'categories' }

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
    transitionId: '',
    way: 'add',
    categories: [],
  }
}

/** What of the model and of the user's way to write it takes to read a draft. */
interface DraftHost {
  readonly attribute: (alias: string) => Attribute | undefined
  readonly locale: Locale
}

/** `problem` '': something is not chosen yet. */
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
  const where = draft.isEverywhere ? {} : { scope }
  if (draft.kind === 'clear') return { action: { clearValues: { attributeAliases: [alias], ...where } } }
  if (draft.kind === 'replace') {
    if (draft.find === '') return UNFINISHED
    return { action: { replaceText: { attributeAlias: alias, ...where, find: draft.find, replace: draft.text } } }
  }
  const reading = readValue(draft.text, attribute, host.locale)
  if (reading.code !== undefined) return { problem: reading.problem }
  // To take a value away is another action, said aloud.
  if (reading.value === null) return UNFINISHED
  const patchValues = Object.fromEntries([[alias, [{ scope, value: reading.value }]]])
  return { action: { patchValues } as JobAction }
}

function readCategories({ way, categories }: ActionDraft): ReadAction {
  const places = categories.map(({ id }) => ({ categoryId: id }))
  // In no category at all: that is said by `set` with none.
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

/** Texts alone can be replaced in; json has no single text. */
export function takesText(attribute: Attribute): boolean {
  return dataTypeOf(attribute).isText
}

/** A job of just this: a rehearsal holds for the same alone. B1. */
export function jobBody(selection: BulkSelection, actions: readonly JobAction[]): JobBody {
  return { selection, actions }
}

export function isSameJob(one: JobBody | undefined, other: JobBody | undefined): boolean {
  return one !== undefined && other !== undefined && jobKey(one) === jobKey(other)
}

function jobKey(body: JobBody): string {
  return canonicalJson(JSON.parse(JSON.stringify(body)) as unknown)
}
