// The calls into one plugin's thread, by their numbers: those under way, and the last ones that have ended, since a plugin
// may log, note a leftover or fail when its call is over.
import type { RunContext } from '../../kernel/destination.ts'
import type { CallResult } from './plugin-messages.ts'

interface Call {
  /** None for a check of settings. */
  readonly context: RunContext | undefined
  /** Whether a fault that came after the call's end could still be reported to the caller. */
  readonly claim: (fault: unknown) => boolean
  readonly resolve: (result: CallResult) => void
  readonly reject: (fault: unknown) => void
}

/** Ended calls that are remembered. */
const MAX_ENDED = 100

export class Calls {
  readonly #underWay = new Map<number, Call>()
  readonly #ended = new Map<number, Call>()
  #last = 0

  get count(): number {
    return this.#underWay.size
  }

  /** Its number, from 1. */
  add(call: Call): number {
    this.#last += 1
    this.#underWay.set(this.#last, call)
    return this.#last
  }

  /** Ends the call and returns it; undefined where it is not under way. */
  end(number: number): Call | undefined {
    const call = this.#underWay.get(number)
    if (call === undefined) return undefined
    this.#underWay.delete(number)
    this.#ended.set(number, call)
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= MAX_ENDED) break
      this.#ended.delete(oldest)
    }
    return call
  }

  /** Under way or ended. */
  find(number: number): Call | undefined {
    return this.#underWay.get(number) ?? this.#ended.get(number)
  }

  numbers(): number[] {
    return [...this.#underWay.keys()]
  }
}
