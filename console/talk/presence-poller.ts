// Reports where the person is, and requests the others at the records in view. This happens every 20 seconds while the
// page is visible, in one request for all parts of the page. Contract 5 §8.
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import { Refusal } from '../api/failures.ts'
import type { Browser } from '../state/browser.ts'
import type { Presence } from '../state/panel-props.ts'

/** Milliseconds before the first request: the page's own requests come first. */
const FIRST = 500
const EVERY = 20_000
const MAX_SEEN = 100

export interface PersonThere {
  readonly id: string
  readonly name: string
  readonly attributeAlias: string | null
}

type People = ReadonlyMap<string, readonly PersonThere[]>

const NOBODY: People = new Map()

interface PollerParts {
  readonly browser: Pick<Browser, 'after' | 'isHidden' | 'now' | 'on'>
  readonly call: Call
  /** Returns whether the person lets others see the place. */
  readonly isShown: () => boolean
}

export class PresencePoller {
  readonly #parts: PollerParts
  readonly #watchers = new Set<Presence>()
  readonly #people = signal(NOBODY)
  #stopTimer: () => void = () => undefined
  #askedAt = -Infinity
  /** True: the role has no presence. */
  #isOver = false
  /** The people at each record in view. */
  readonly people: ReadonlySignal<People> = this.#people

  constructor(parts: PollerParts) {
    this.#parts = parts
    parts.browser.on('hide', () => this.#stopTimer())
    parts.browser.on('show', () => this.#plan())
  }

  /** Returns a function that ends the watch. */
  watch(watcher: Presence): () => void {
    this.#watchers.add(watcher)
    this.#plan()
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size > 0) return
      this.#stopTimer()
      this.#people.value = NOBODY
    }
  }

  #plan(): void {
    const { browser } = this.#parts
    this.#stopTimer()
    if (this.#isOver || this.#watchers.size === 0 || browser.isHidden()) return
    const wait = Math.max(FIRST, this.#askedAt + EVERY - browser.now())
    this.#stopTimer = browser.after(wait, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    const { browser, call, isShown } = this.#parts
    this.#askedAt = browser.now()
    this.#plan()
    const watchers = [...this.#watchers]
    // The part that opened last determines the person's place.
    const here = watchers.map((watcher) => watcher.here()).findLast((place) => place !== undefined)
    const seen = new Set(watchers.flatMap(({ rows }) => rows?.().map(({ recordId }) => recordId) ?? []))
    if (here !== undefined) seen.add(here.recordId)
    if (seen.size === 0) return
    const recordIds = [...seen].slice(-MAX_SEEN)
    const body = { ...(isShown() ? here : {}), recordIds }
    try {
      this.#take((await call('PUT /api/v1/presence', { body })).body.items)
    } catch (error) {
      // Failures of presence are never shown. A role without presence does not ask again.
      this.#isOver = error instanceof Refusal && error.status === 403
      if (this.#isOver) this.#stopTimer()
    }
  }

  #take(
    items: readonly {
      readonly recordId: string
      readonly attributeAlias: string | null
      readonly person: { readonly id: string; readonly name: string }
    }[],
  ): void {
    const people = new Map<string, PersonThere[]>()
    for (const { recordId, attributeAlias, person } of items)
      people.set(recordId, [...(people.get(recordId) ?? []), { ...person, attributeAlias }])
    // The same people redraw nothing.
    if (JSON.stringify([...people]) !== JSON.stringify([...this.#people.peek()])) this.#people.value = people
  }
}
