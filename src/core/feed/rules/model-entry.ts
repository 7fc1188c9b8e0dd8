// The changes of a model entry, member by member. Between entries about records, the feed contains entries about
// schemas and other definitions. Contract 3 §3.
import * as v from 'valibot'
import type { Attribute } from '../../model/rules/attributes.ts'
import { HIDDEN_RULE } from '../../model/rules/hidden-rule.ts'
import { showGuards } from '../../model/rules/hidden-rules.ts'
import { hasPermission, hidesAny, type Permission, type Role } from '../../accounts/rules/permissions.ts'
import { BY_REQUEST, ChangeOriginShape, type ChangeOrigin } from '../../records/rules/changes.ts'
import { Timestamp, type OutputOf } from '../../../kernel/input/validation.ts'
import { isSameValue } from '../../../kernel/text.ts'
import { own } from '../../../kernel/own.ts'

/** The kinds of definitions in entries, and the permission that a reader needs in addition to reading the trail. */
const NEEDED = {
  schema: 'model.read',
  dimension: 'model.read',
  workflow: 'model.read',
  role: 'users.manage',
  catalog: 'model.read',
  category: 'model.read',
  exportJob: 'exportJobs.read',
  subscription: 'subscriptions.write',
  bulkJob: 'users.manage',
  renditionPreset: 'model.read',
  publicAddresses: 'model.read',
  sheetTemplate: 'records.read',
  sheetLink: 'users.manage',
} as const satisfies Readonly<Record<string, Permission>>
type ModelEntityType = keyof typeof NEEDED
const MODEL_ENTITY_TYPES = Object.keys(NEEDED) as ModelEntityType[]

const MODEL_ACTIONS = ['create', 'update', 'delete'] as const
type ModelAction = (typeof MODEL_ACTIONS)[number]

export const MemberChangeShape = v.object({
  field: v.pipe(
    v.string(),
    v.description('A member, or an item of a list by its alias or ID: `name`, `attributes.price`.'),
  ),
  oldValue: v.pipe(v.unknown(), v.description('null: there was no value.')),
  newValue: v.pipe(v.unknown(), v.description('null: there is no value any more.')),
})
export type MemberChange = OutputOf<typeof MemberChangeShape>

export const ModelEntryShape = v.object({
  id: v.string(),
  entityType: v.picklist(MODEL_ENTITY_TYPES),
  entityId: v.string(),
  userId: v.pipe(
    v.string(),
    v.description('`system` if no caller made the change, for example when a destination pauses its export job.'),
  ),
  timestamp: Timestamp,
  action: v.picklist(MODEL_ACTIONS),
  changes: v.pipe(v.array(MemberChangeShape), v.description('Empty if the role may not read the changed members.')),
  origin: ChangeOriginShape,
})
export type ModelEntry = OutputOf<typeof ModelEntryShape>

type Members = Readonly<Record<string, unknown>>

/** Members that entries leave out. They change with every write, or without any change of the definition. */
const UNTOLD = new Set(['id', 'createdAt', 'updatedAt', 'nextRunAt', 'lastRun'])

type Definition = object & { readonly id: string }

export interface ModelChangeNote {
  readonly entityType: ModelEntityType
  /** The definition before the change; undefined: the change creates the definition. */
  readonly before?: Definition | undefined
  /** The definition after the change; undefined: the change deletes the definition. */
  readonly after?: Definition | undefined
  /** Default: a request of the user. */
  readonly origin?: ChangeOrigin | undefined
  /** True: a member has changed that entries do not show, such as a secret. */
  readonly isUntold?: boolean | undefined
}

/** Returns the entry about a change; undefined: nothing has changed. */
export function defineModelEntry(
  head: Pick<ModelEntry, 'id' | 'userId' | 'timestamp'>,
  { entityType, before, after, origin = BY_REQUEST, isUntold = false }: ModelChangeNote,
): ModelEntry | undefined {
  const changes = diffMembers(before, after)
  const action: ModelAction = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  if (action === 'update' && changes.length === 0 && !isUntold) return undefined
  const { id, userId, timestamp } = head
  return { id, entityType, entityId: (before ?? after)!.id, userId, timestamp, action, changes, origin }
}

/** The changes between two definitions; undefined: no definition. Lists whose items have an alias or an ID are compared item by item. */
export function diffMembers(before: object | undefined, after: object | undefined): MemberChange[] {
  const [old, present] = [(before ?? {}) as Members, (after ?? {}) as Members]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(present)])].filter((field) => !UNTOLD.has(field))
  return fields.flatMap((field) => diffMember(field, own(old, field) ?? null, own(present, field) ?? null))
}

function diffMember(field: string, oldValue: unknown, newValue: unknown): MemberChange[] {
  if (isSameValue(oldValue, newValue)) return []
  const [old, present] = [keyed(oldValue), keyed(newValue)]
  if (old === undefined || present === undefined || old.size + present.size === 0)
    return [{ field, oldValue, newValue }]
  const items = [...new Set([...old.keys(), ...present.keys()])].flatMap((key): MemberChange[] => {
    const [was, is] = [old.get(key) ?? null, present.get(key) ?? null]
    return isSameValue(was, is) ? [] : [{ field: `${field}.${key}`, oldValue: was, newValue: is }]
  })
  const [oldOrder, newOrder] = [[...old.keys()], [...present.keys()]]
  const kept = (keys: readonly string[], other: ReadonlyMap<string, unknown>): string[] =>
    keys.filter((key) => other.has(key))
  if (isSameValue(kept(oldOrder, present), kept(newOrder, old))) return items
  return [...items, { field, oldValue: oldOrder, newValue: newOrder }]
}

/** Returns the items by alias or ID; undefined: they have neither. Null has no items. */
function keyed(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (value === null) return new Map()
  if (!Array.isArray(value)) return undefined
  const items = new Map<string, unknown>()
  for (const item of value as unknown[]) {
    const { alias, id } = (item ?? {}) as { alias?: unknown; id?: unknown }
    const key = alias ?? id
    if (typeof key !== 'string' || items.has(key)) return undefined
    items.set(key, item)
  }
  return items
}

/** Returns the entry without values that the role may not read elsewhere. */
export function readableModelEntry(role: Role, entry: ModelEntry): ModelEntry {
  const { entityType, entityId, changes } = entry
  if (!hasPermission(role, NEEDED[entityType])) return { ...entry, changes: [] }
  if (entityType === 'exportJob') return hidesAny(role) ? { ...entry, changes: changes.map(withoutTexts) } : entry
  if (entityType !== 'schema') return entry
  const show = (value: unknown): unknown => showAttribute(value, role, entityId)
  const isOfAttribute = ({ field }: MemberChange): boolean => field.startsWith('attributes.')
  const shown = changes.map((change) =>
    isOfAttribute(change) ? { ...change, oldValue: show(change.oldValue), newValue: show(change.newValue) } : change,
  )
  return { ...entry, changes: shown }
}

/** Removes texts for single values, which may be values that the role may not read. */
function withoutTexts(change: MemberChange): MemberChange {
  const { field, oldValue, newValue } = change
  if (field !== 'columns' && field !== 'files') return change
  return { field, oldValue: maskTexts(oldValue), newValue: maskTexts(newValue) }
}

function maskTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskTexts)
  if (typeof value !== 'object' || value === null) return value
  const masks = ['map', 'template', 'name'].filter((member) => member in value).map((name) => [name, HIDDEN_RULE])
  return { ...value, ...Object.fromEntries(masks) }
}

function showAttribute(value: unknown, role: Role, schemaId: string): unknown {
  if (value === null) return null
  return showGuards({ id: schemaId, attributes: [value as Attribute] }, role).attributes[0]
}
