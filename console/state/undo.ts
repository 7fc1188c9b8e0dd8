// Undo and redo, a hundred steps per tab. A step reverts its writes, and sends the values that it expects on the server
// (`expect`). Values that somebody else has changed since then are reported, and not changed.
import { computed, type Signal, signal } from '@preact/signals'

const MAX_STEPS = 100

export interface Step {
  /** The action, as a short phrase. */
  readonly name: string
  /** @throws the errors of a call; a 412 names the values that have changed since */
  undo(): Promise<void>
  redo(): Promise<void>
}

export class Undo {
  readonly #done = signal<readonly Step[]>([])
  readonly #undone = signal<readonly Step[]>([])
  /** The last step: each step waits for the previous one, because keys are faster than answers. */
  #last: Promise<void> = Promise.resolve()
  /** The next step; undefined: none. */
  readonly next = computed(() => this.#done.value.at(-1))
  readonly nextAgain = computed(() => this.#undone.value.at(-1))

  /** Adds a step; steps that were undone before can no longer be redone. */
  push(step: Step): void {
    this.#done.value = [...this.#done.value, step].slice(-MAX_STEPS)
    this.#undone.value = []
  }

  /**
   * Adds the step of a running save after the steps of earlier saves. Undo and redo wait for the save, so that they
   * never undo an older step instead. Resolves to whether a step was added. @throws the error of the save
   */
  async addSaved(save: Promise<Step | undefined>): Promise<boolean> {
    const before = this.#last
    const added = this.#pushAfter(before, save)
    this.#last = added.then(
      () => undefined,
      () => undefined,
    )
    return added
  }

  async #pushAfter(before: Promise<void>, save: Promise<Step | undefined>): Promise<boolean> {
    await Promise.allSettled([save, before])
    const step = await save
    if (step !== undefined) this.push(step)
    return step !== undefined
  }

  /** Runs the step for the first time, and adds it. @throws the error of the step, which is then not added */
  async take(step: Step): Promise<void> {
    await this.addSaved(step.redo().then(() => step))
  }

  /** Undoes the last step. Resolves to this step, or undefined. @throws the error of the step, which is then dropped */
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
