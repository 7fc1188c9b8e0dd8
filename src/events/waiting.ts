// Somebody who waits until there may be something to do. What happens before the waiting begins counts.

export class Waiting {
  #isEnded = false
  #end: (() => void) | undefined

  /** There may be something to do. */
  end(): void {
    this.#isEnded = true
    this.#end?.()
  }

  /** Resolves when it has been ended since the last time, or after so many milliseconds. */
  async begin(milliseconds?: number): Promise<void> {
    if (!this.#isEnded)
      await new Promise<void>((resolve) => {
        const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
        this.#end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#isEnded = false
    this.#end = undefined
  }
}
