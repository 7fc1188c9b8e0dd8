// The time of one task of a thread that serves several. A task works in slices of some milliseconds: between two slices the
// event loop serves others, and hears that the task is stopped.
import { PimletError } from '../../kernel/errors.ts'

/** Milliseconds of one slice. */
const SLICE = 5

export class TaskTime {
  readonly #limit: number
  readonly #tooLong: () => PimletError
  /** Milliseconds of work in the slices that are over. */
  #spent = 0
  #began = 0
  #isStopped = false

  /** @param limit milliseconds that all steps together may take @param tooLong the error of a task that takes longer */
  constructor(limit: number, tooLong: () => PimletError) {
    this.#limit = limit
    this.#tooLong = tooLong
  }

  /** Runs a step of the task: the time until the next step is asked for does not count. @throws UNAVAILABLE */
  async measure<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#began = performance.now()
    const result = await step()
    this.#spend(performance.now())
    return result
  }

  /** Ends the task as soon as it breathes. */
  stop(): void {
    this.#isStopped = true
  }

  /** Gives way where the slice is over; undefined: it is not. @throws UNAVAILABLE where the task is stopped, or takes too long */
  breathe(): Promise<void> | undefined {
    this.#assertWanted()
    const now = performance.now()
    if (now - this.#began < SLICE) return undefined
    this.#spend(now)
    return this.#pause()
  }

  async #pause(): Promise<void> {
    await new Promise((resume) => setImmediate(resume))
    this.#began = performance.now()
    this.#assertWanted()
  }

  #spend(now: number): void {
    this.#spent += now - this.#began
    if (this.#spent > this.#limit) throw this.#tooLong()
  }

  #assertWanted(): void {
    if (this.#isStopped) throw new PimletError('UNAVAILABLE', 'The search was stopped')
  }
}

/** Work that comes in small steps, with a pause where the slice of its task is over. */
export async function inSlices<Result>(
  steps: Generator<void, Result>,
  time: Pick<TaskTime, 'breathe'>,
): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const pause = time.breathe()
    if (pause !== undefined) await pause
  }
}
