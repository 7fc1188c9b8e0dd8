// Limits the time of one task in a thread that serves several. A task works in slices of some milliseconds. Between two
// slices, the event loop serves other tasks, and learns that a task was stopped.
import { PimletError } from '../../kernel/errors.ts'

/** Milliseconds of one slice. */
const SLICE = 5

export class TaskTime {
  readonly #limit: number
  readonly #tooLong: () => PimletError
  /** Milliseconds of work in finished slices. */
  #spent = 0
  #began = 0
  #isStopped = false

  /**
   * @param limit milliseconds of all steps together
   * @param tooLong returns the error of a task that exceeds the limit
   */
  constructor(limit: number, tooLong: () => PimletError) {
    this.#limit = limit
    this.#tooLong = tooLong
  }

  /** Runs a step of the task. The time until the next request does not count. @throws UNAVAILABLE */
  async measure<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#began = performance.now()
    const result = await step()
    this.#spend(performance.now())
    return result
  }

  /**
   * Waits for something that other tasks hold. This time does not count. A stop or a time limit takes effect after the
   * wait, so that nothing is lost.
   */
  async wait<Result>(waiting: Promise<Result>): Promise<Result> {
    this.#spent += performance.now() - this.#began
    try {
      return await waiting
    } finally {
      this.#began = performance.now()
    }
  }

  /** Ends the task at its next `breathe`. */
  stop(): void {
    this.#isStopped = true
  }

  /**
   * Yields if the slice is over; undefined: the slice continues. @throws UNAVAILABLE if the task is stopped or exceeds
   * its time
   */
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

/** Runs work in small steps, with a pause after each slice of its task. */
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
