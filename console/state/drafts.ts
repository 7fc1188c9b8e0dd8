// Unsaved edits. The browser stores them by user and record. So a closed tab, an expired token or a restarted server
// loses nothing. Edits are deleted when the server has them.
import { signal, type ReadonlySignal } from '@preact/signals'
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { type Browser, forget, keep, kept, keysWith } from './browser.ts'

const PREFIX = 'pimlet-draft:'
const AFTER_KEY = 300

/** One typed value; null: removed. `before`: the stored value when the record was read. */
export interface DraftedValue {
  readonly alias: string
  readonly scope: Scope
  readonly value: unknown
  readonly before: unknown
  /** The text of the field, if it does not parse. */
  readonly text?: string | undefined
}

export interface Draft {
  readonly recordId: string
  readonly values: readonly DraftedValue[]
  /** Milliseconds since 1970. */
  readonly at: number
}

export class Drafts {
  readonly #browser: Browser
  readonly #userId: () => string | undefined
  readonly #pending = new Map<string, readonly DraftedValue[]>()
  /** Rises with each change, so that views of drafts render again. */
  readonly #version = signal(0)
  readonly version: ReadonlySignal<number> = this.#version
  #stopTimer: () => void = () => undefined

  constructor(browser: Browser, userId: () => string | undefined) {
    this.#browser = browser
    this.#userId = userId
    browser.on('leave', () => this.flush())
    browser.on('hide', () => this.flush())
  }

  /** Sets the unsaved values of a record; an empty list removes the draft. */
  put(recordId: string, values: readonly DraftedValue[]): void {
    this.#pending.set(recordId, values)
    this.#stopTimer()
    this.#stopTimer = this.#browser.after(AFTER_KEY, () => this.flush())
  }

  /** Deletes edits that the server has; later edits stay. */
  acknowledge(recordId: string, saved: readonly DraftedValue[]): void {
    const left = this.of(recordId)?.values.filter((value) => !saved.some((other) => isSame(value, other))) ?? []
    this.put(recordId, left)
    this.flush()
  }

  of(recordId: string): Draft | undefined {
    const pending = this.#pending.get(recordId)
    if (pending !== undefined)
      return pending.length === 0 ? undefined : { recordId, values: pending, at: this.#browser.now() }
    const key = this.#key(recordId)
    const draft = key === undefined ? undefined : kept(this.#browser.shared, key)
    return isDraft(draft) ? draft : undefined
  }

  /** Drafts of the signed-in user, the latest first. */
  list(): Draft[] {
    this.flush()
    const prefix = this.#key('')
    if (prefix === undefined) return []
    const drafts = keysWith(this.#browser.shared, prefix).map((key) => kept(this.#browser.shared, key))
    return drafts.filter(isDraft).sort((one, other) => other.at - one.at)
  }

  drop(recordId: string): void {
    this.put(recordId, [])
    this.flush()
  }

  dropAll(): void {
    for (const { recordId } of this.list()) this.drop(recordId)
  }

  /** Writes pending drafts to the storage. */
  flush(): void {
    this.#stopTimer()
    if (this.#pending.size === 0) return
    for (const [recordId, values] of this.#pending) {
      const key = this.#key(recordId)
      if (key === undefined) continue
      if (values.length === 0) forget(this.#browser.shared, key)
      else if (!keep(this.#browser.shared, key, { recordId, values, at: this.#browser.now() })) continue
      this.#pending.delete(recordId)
    }
    this.#version.value += 1
  }

  #key(recordId: string): string | undefined {
    const userId = this.#userId()
    return userId === undefined ? undefined : `${PREFIX}${userId}:${recordId}`
  }
}

function isSame(one: DraftedValue, other: DraftedValue): boolean {
  return (
    one.alias === other.alias &&
    scopeKey(one.scope) === scopeKey(other.scope) &&
    JSON.stringify(one.value) === JSON.stringify(other.value)
  )
}

function isDraft(stored: unknown): stored is Draft {
  const { recordId, values } = (stored ?? {}) as Partial<Draft>
  return typeof recordId === 'string' && Array.isArray(values)
}
