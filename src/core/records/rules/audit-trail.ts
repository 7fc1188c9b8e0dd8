// Checks that the audit trail of one record is consistent, and leads to the present record. Each entry names the values
// before it. Contract 2 §4. Old entries may be deleted or erased, so a trail may begin in the middle.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import {
  type AttributeChange,
  AUDIT_ACTIONS,
  type AuditAction,
  type CategoryPlace,
  type Change,
  isCategoriesChange,
} from './changes.ts'
import type { Values } from './record.ts'
import { scopeKey } from '../../scopes/scope.ts'
import { canonicalJson } from '../../../kernel/text.ts'
import { LimitQuery } from '../../../kernel/input/common-shapes.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'

/** Alias and scope as one text. */
type Place = string

export interface TrailEntry {
  readonly version: number
  readonly action: AuditAction
  readonly changes: readonly Change[]
}

interface TrailEnd {
  readonly version: number
  readonly lifecycleStateId: string
  /** Undefined: the values cannot be read. */
  readonly values: Values | undefined
  readonly categories: readonly CategoryPlace[]
}

export const TrailQuery = exactObject({
  ...LimitQuery.entries,
  before: v.optional(v.pipe(v.string(), v.description('ID of an entry of this list. Only older entries are listed.'))),
  attributeAlias: v.optional(v.pipe(v.string(), v.description('Only entries that changed this attribute.'))),
  userId: v.optional(v.pipe(v.string(), v.description('Only entries of this user or API key.'))),
  action: v.optional(
    v.pipe(
      v.picklist(AUDIT_ACTIONS, `must be one of ${AUDIT_ACTIONS.join(', ')}`),
      v.description('Only entries with this action.'),
    ),
  ),
})
export type TrailListQuery = OutputOf<typeof TrailQuery>

/** The trail of one record, replayed entry by entry. */
export class TrailReplay {
  /** Place → canonical JSON of a known value; undefined: known to have no value. */
  readonly #values = new Map<Place, string | undefined>()
  /** True: attributes that `#values` lacks are known to have no value. */
  #isWhole = false
  /** Undefined: unknown. */
  #isThere: boolean | undefined
  #stateId: string | undefined
  /** The categories as text of `placesText`; undefined: unknown. */
  #categories: string | undefined
  #last: TrailEntry | undefined

  /** Takes the next entry, in the order of versions. @returns its fault, or undefined */
  take(entry: TrailEntry): string | undefined {
    const fault = this.#findFault(entry)
    this.#last = entry
    if (entry.action === 'erase') this.#forget()
    else this.#isThere = entry.action !== 'delete'
    if (entry.action === 'create') {
      this.#forget()
      this.#isWhole = true
      this.#categories = placesText([])
    }
    for (const change of entry.changes) {
      if (isCategoriesChange(change)) this.#categories = placesText(change.newValue)
      else if (entry.action === 'transition') this.#stateId = String(change.newValue)
      else this.#values.set(placeOf(change), textOf(change.newValue))
    }
    return fault
  }

  /** Finds the fault at the end of the trail. @param record undefined: the record does not exist now */
  findFaultAtEnd(record: TrailEnd | undefined): string | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    if (record === undefined)
      return this.#isThere === true ? `entry ${last.version} is its last, but the record is gone` : undefined
    if (this.#isThere === false) return `entry ${last.version} is its last and it is deleted, but the record is there`
    if (record.version !== last.version)
      return `the record is of entry ${record.version}, but the last one is ${last.version}`
    if (this.#stateId !== undefined && this.#stateId !== record.lifecycleStateId)
      return `the record is in '${record.lifecycleStateId}', but its entries lead to '${this.#stateId}'`
    if (this.#categories !== undefined && this.#categories !== placesText(record.categories))
      return 'its categories are not those that its entries lead to'
    return record.values === undefined ? undefined : this.#findDifference(record.values)
  }

  /** The content of older entries is unknown. */
  #forget(): void {
    this.#values.clear()
    this.#isWhole = false
    this.#stateId = undefined
    this.#categories = undefined
  }

  #findFault({ version, action, changes }: TrailEntry): string | undefined {
    if (action === 'erase') return undefined
    if (action === 'create' && this.#isThere === true) return `entry ${version} creates it a second time`
    if (action !== 'create' && this.#isThere === false) return `entry ${version} comes after its end`
    if (action === 'create') return undefined
    for (const change of changes) {
      if (!this.#agrees(action, change))
        return `entry ${version} says of ${describe(action, change)} that it was something else before`
    }
    return undefined
  }

  /** Returns whether the old value of the change is the known value. */
  #agrees(action: AuditAction, change: Change): boolean {
    if (isCategoriesChange(change))
      return this.#categories === undefined || this.#categories === placesText(change.oldValue)
    if (action === 'transition') return this.#stateId === undefined || this.#stateId === change.oldValue
    return this.#isAsSaid(placeOf(change), textOf(change.oldValue))
  }

  #isAsSaid(place: Place, said: string | undefined): boolean {
    if (this.#values.has(place)) return this.#values.get(place) === said
    return !this.#isWhole || said === undefined
  }

  #findDifference(values: Values): string | undefined {
    const now = new Map(
      Object.entries(values).flatMap(([attributeAlias, scoped]) =>
        scoped.map(({ scope, value }): [Place, string | undefined] => [
          placeOf({ attributeAlias, scope }),
          textOf(value),
        ]),
      ),
    )
    const places = new Set([...this.#values.keys(), ...(this.#isWhole ? now.keys() : [])])
    const wrong = [...places].find((place) => now.get(place) !== this.#values.get(place))
    return wrong === undefined
      ? undefined
      : `its value of ${wrong.replace('\n', ' {')}} is not what its entries lead to`
  }
}

function placeOf({ attributeAlias, scope }: Pick<AttributeChange, 'attributeAlias' | 'scope'>): Place {
  return `${attributeAlias}\n${scopeKey(scope)}`
}

/** Undefined for no value. */
function textOf(value: unknown): string | undefined {
  return value === null ? undefined : canonicalJson(value)
}

/** Returns the same text for the same categories in any order. */
function placesText(places: readonly CategoryPlace[] | null): string {
  return (places ?? [])
    .map(({ categoryId, sortOrder }) => `${categoryId} ${sortOrder}`)
    .sort()
    .join('\n')
}

function describe(action: AuditAction, change: Change): string {
  if (isCategoriesChange(change)) return 'its categories'
  return action === 'transition' ? 'its lifecycle state' : `${change.attributeAlias} {${scopeKey(change.scope)}}`
}
