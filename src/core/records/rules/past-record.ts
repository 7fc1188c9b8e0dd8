// A past state of a record: entries are undone from the present record, the newest first. So old entries may be
// deleted: the kept entries give every version that they lead back to. Contract 3 §3, 3 §10.
import * as v from 'valibot'
import { type AuditAction, type CategoryPlace, type Change, isCategoriesChange } from './changes.ts'
import type { RecordHead, Values } from './record.ts'
import { type ScopedValue, scopeKey } from '../../scopes/scope.ts'
import { Timestamp, type OutputOf } from '../../../kernel/input/validation.ts'

/** The parts of a deleted record that the changes of its deletion lack. */
export interface RemovedRecord extends Omit<RecordHead, 'id' | 'schemaId' | 'updatedAt' | 'updatedBy'> {
  /** The last version of the record. */
  readonly version: number
}

export interface PastRecord extends Omit<RemovedRecord, 'version'> {
  readonly schemaId: string
  readonly values: Values
  readonly categories: readonly CategoryPlace[]
}

/** The parts of an audit entry that undoing needs. */
export interface PastEntry {
  readonly action: AuditAction
  readonly schemaId: string
  readonly changes: readonly Change[]
  /** Stored with a deletion, unless the deletion is older than this data. */
  readonly removed?: RemovedRecord | undefined
}

type PastHead = Omit<PastRecord, 'values' | 'categories'>

export const DeletedRecordShape = v.object({
  entityId: v.string(),
  schemaId: v.string(),
  version: v.pipe(v.number(), v.description('The last version of the record, which can be restored.')),
  deletedAt: Timestamp,
  deletedBy: v.pipe(v.string(), v.description('ID of a user or API key.')),
})
export type DeletedView = OutputOf<typeof DeletedRecordShape>

export const DeletedRecordPageShape = v.object({
  items: v.array(DeletedRecordShape),
  /** The cursor of the next page; after the last page, nothing follows. */
  cursor: v.string(),
})
export type DeletedPage = OutputOf<typeof DeletedRecordPageShape>

export class Rewind {
  /** Undefined: the record did not exist, or its state is unknown. */
  #head: PastHead | undefined
  /** Alias → scope key (`scopeKey`) → value. */
  readonly #values = new Map<string, Map<string, ScopedValue>>()
  #categories: readonly CategoryPlace[] = []

  /** @param present the record after all entries that will be undone; undefined: the record is deleted at that time */
  constructor(present: PastRecord | undefined) {
    if (present === undefined) return
    const { values, categories, ...head } = present
    this.#head = head
    this.#categories = categories
    for (const [alias, scoped] of Object.entries(values))
      this.#values.set(alias, new Map(scoped.map((item) => [scopeKey(item.scope), item])))
  }

  /** The record before the undone entries; undefined: it did not exist, or its deletion does not describe it. */
  get record(): PastRecord | undefined {
    if (this.#head === undefined) return undefined
    const values = Object.fromEntries([...this.#values].map(([alias, scoped]) => [alias, [...scoped.values()]]))
    return { ...this.#head, values, categories: this.#categories }
  }

  undo({ action, schemaId, changes, removed }: PastEntry): void {
    if (action === 'create' || action === 'delete') this.#values.clear()
    if (action === 'create') {
      this.#head = undefined
      return
    }
    if (action === 'delete') {
      this.#categories = []
      this.#head = removed && headOf(schemaId, removed)
    }
    for (const change of changes) {
      if (isCategoriesChange(change)) this.#categories = change.oldValue
      else if (action !== 'transition') this.#setValue(change)
      else if (this.#head !== undefined) this.#head = { ...this.#head, lifecycleStateId: String(change.oldValue) }
    }
  }

  #setValue({ attributeAlias, scope, oldValue }: Exclude<Change, { readonly field: string }>): void {
    let scoped = this.#values.get(attributeAlias)
    if (scoped === undefined) this.#values.set(attributeAlias, (scoped = new Map<string, ScopedValue>()))
    if (oldValue === null) scoped.delete(scopeKey(scope))
    else scoped.set(scopeKey(scope), { scope, value: oldValue })
    if (scoped.size === 0) this.#values.delete(attributeAlias)
  }
}

function headOf(schemaId: string, removed: RemovedRecord): PastHead {
  const { parentId, lifecycleStateId, createdAt, createdBy } = removed
  return { schemaId, parentId, lifecycleStateId, createdAt, createdBy }
}
