// Undo and redo, a hundred steps a tab. A step knows how to take back what it did, with what the server must still have there
// (`expect`): what somebody changed since is named, not touched.
import { computed, type Signal, signal } from '@preact/signals'

const MAX_STEPS = 100

export interface Step {
  /** What was done, as a short phrase. */
  readonly name: string
  /** @throws what a call throws; a 412 says what has changed since */
  undo(): Promise<void>
  redo(): Promise<void>
}

export class Undo {
  readonly #done = signal<readonly Step[]>([])
  readonly #undone = signal<readonly Step[]>([])
  /** Keys come faster than answers: each step waits for the one before. */
  #last: Promise<void> = Promise.resolve()
  /** The step that would be next; undefined: none. */
  readonly next = computed(() => this.#done.value.at(-1))
  readonly nextAgain = computed(() => this.#undone.value.at(-1))

  /** Something was done: what was undone before cannot be done again. */
  push(step: Step): void {
    this.#done.value = [...this.#done.value, step].slice(-MAX_STEPS)
    this.#undone.value = []
  }

  /** The step that was taken back, or undefined. @throws what the step throws, which is then forgotten */
  undo(): Promise<Step | undefined> {
    return this.#move(this.#done, this.#undone, (step) => step.undo())
  }

  redo(): Promise<Step | undefined> {
    return this.#move(this.#undone, this.#done, (step) => step.redo())
  }

  async #move(
    from: Signal<readonly Step[]>,
    to: Signal<readonly Step[]>,
    work: (step: Step) => Promise<void>,
  ): Promise<Step | undefined> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    const step = from.peek().at(-1)
    from.value = from.peek().slice(0, -1)
    try {
      if (step === undefined) return undefined
      await work(step)
      to.value = [...to.peek(), step]
      return step
    } finally {
      resolve()
    }
  }
}
