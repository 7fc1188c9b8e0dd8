// Whether the audit trail of one record hangs together, and leads to the record as it is: each entry says what was there
// before. Decisions §4. Old entries may have been deleted, so that a trail begins in the middle.
import type { AttributeChange, AuditAction } from './changes.ts'
import type { Values } from './record.ts'
import { scopeKey } from './scope.ts'
import { canonicalJson } from './text.ts'

/** What `scopedValues` knows as alias and scope, as one text. */
type Place = string

export interface TrailEntry {
  readonly sequence: number
  readonly action: AuditAction
  readonly changes: readonly AttributeChange[]
}

export interface TrailEnd {
  readonly version: number
  readonly lifecycleStateId: string
  /** Undefined where they cannot be read. */
  readonly values: Values | undefined
}

/** The trail of one record, replayed entry by entry. */
export class TrailReplay {
  /** Canonical JSON of what is known; undefined: known to have no value. */
  readonly #values = new Map<Place, string | undefined>()
  /** Whether what `#values` lacks is known to have no value. */
  #isWhole = false
  #isFirst = true
  #stateId: string | undefined
  #last: TrailEntry | undefined

  /** Takes the next entry, in the order of sequences. @returns what is wrong with it, if anything */
  take(entry: TrailEntry): string | undefined {
    const fault = this.#findFault(entry)
    this.#last = entry
    this.#isFirst = false
    if (entry.action === 'create') {
      this.#values.clear()
      this.#isWhole = true
      this.#stateId = undefined
    }
    for (const change of entry.changes) {
      if (entry.action === 'transition') this.#stateId = String(change.newValue)
      else this.#values.set(placeOf(change), textOf(change.newValue))
    }
    return fault
  }

  /** What is wrong at the end. @param record undefined where there is none (any more) */
  findFaultAtEnd(record: TrailEnd | undefined): string | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    if (record === undefined)
      return last.action === 'delete' ? undefined : `entry ${last.sequence} is its last, but the record is gone`
    if (last.action === 'delete') return `entry ${last.sequence} deletes it, but the record is there`
    if (record.version !== last.sequence)
      return `the record is of entry ${record.version}, but the last one is ${last.sequence}`
    if (this.#stateId !== undefined && this.#stateId !== record.lifecycleStateId)
      return `the record is in '${record.lifecycleStateId}', but its entries lead to '${this.#stateId}'`
    return record.values === undefined ? undefined : this.#findDifference(record.values)
  }

  #findFault({ sequence, action, changes }: TrailEntry): string | undefined {
    const before = this.#last?.action
    const isGone = before === 'delete'
    if (action === 'create' && !this.#isFirst && !isGone) return `entry ${sequence} creates it a second time`
    if (action !== 'create' && isGone) return `entry ${sequence} comes after its end`
    if (action === 'create') return undefined
    for (const change of changes) {
      const isKnown =
        action === 'transition'
          ? this.#stateId === undefined || this.#stateId === change.oldValue
          : this.#isAsSaid(placeOf(change), textOf(change.oldValue))
      if (!isKnown) return `entry ${sequence} says of ${describe(action, change)} that it was something else before`
    }
    return undefined
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

function describe(action: AuditAction, { attributeAlias, scope }: AttributeChange): string {
  return action === 'transition' ? 'its lifecycle state' : `${attributeAlias} {${scopeKey(scope)}}`
}
