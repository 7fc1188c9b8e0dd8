// Writes while the server does not answer: they wait in order, and each happens once. A POST has its Idempotency-Key. A
// PATCH contains the value that it expects: if the server already has the new value, the PATCH has succeeded. Contract
// 3 §2.
import { computed, signal } from '@preact/signals'
import { isPassing, Refusal } from '../api/failures.ts'
import type { Browser } from './browser.ts'

const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 15_000

interface Waiting {
  /** Sends the same request at each call. */
  readonly send: () => Promise<unknown>
  /** Called after the refusal of a repeated request: returns the result if the first attempt was carried out. */
  readonly findDone: ((refusal: Refusal) => Promise<unknown>) | undefined
  readonly settle: (result: unknown) => void
  readonly fail: (error: unknown) => void
  isRepeated: boolean
}

export class Offline {
  readonly #browser: Browser
  readonly #ping: () => Promise<unknown>
  readonly #isOffline = signal(false)
  readonly #waiting = signal<readonly Waiting[]>([])
  #isSending = false
  #pause = FIRST_PAUSE
  #stopTimer: () => void = () => undefined
  readonly isOffline = computed(() => this.#isOffline.value)
  /** The number of waiting writes. */
  readonly count = computed(() => (this.#isOffline.value ? this.#waiting.value.length : 0))

  /** @param ping a request that a running server always answers */
  constructor(browser: Browser, ping: () => Promise<unknown>) {
    this.#browser = browser
    this.#ping = ping
    browser.on('online', () => this.retry())
  }

  /** Called after each request. @param isReached the server answered */
  note(isReached: boolean): void {
    if (isReached) {
      if (this.#isOffline.peek()) this.#comeBack()
      return
    }
    if (this.#isOffline.peek()) return
    this.#isOffline.value = true
    this.#plan()
  }

  /**
   * Sends a write after all waiting writes, and repeats it until it is answered.
   * @param send sends the same request at each call; a POST has its own key
   * @throws Refusal, after the server has answered
   */
  write<Result>(
    send: () => Promise<Result>,
    findDone?: (refusal: Refusal) => Promise<Result | undefined>,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const entry: Waiting = {
        send,
        findDone,
        settle: (result) => resolve(result as Result),
        fail: reject,
        isRepeated: false,
      }
      this.#waiting.value = [...this.#waiting.peek(), entry]
      void this.#work()
    })
  }

  /** Checks the server now. */
  retry(): void {
    this.#pause = FIRST_PAUSE
    this.#stopTimer()
    void this.#check()
  }

  #plan(): void {
    this.#stopTimer()
    this.#stopTimer = this.#browser.after(this.#pause, () => void this.#check())
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2)
  }

  async #check(): Promise<void> {
    try {
      await this.#ping()
      this.#comeBack()
    } catch (error) {
      // Any answer means that the server is back.
      if (error instanceof Refusal && !isPassing(error)) this.#comeBack()
      else if (this.#isOffline.peek()) this.#plan()
    }
  }

  #comeBack(): void {
    this.#stopTimer()
    this.#pause = FIRST_PAUSE
    this.#isOffline.value = false
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#waiting.peek().length > 0 && !this.#isOffline.peek()) await this.#sendFirst(this.#waiting.peek()[0]!)
    } finally {
      this.#isSending = false
    }
  }

  async #sendFirst(entry: Waiting): Promise<void> {
    try {
      const result = await entry.send()
      this.#leave(entry)
      entry.settle(result)
    } catch (error) {
      if (isPassing(error)) {
        entry.isRepeated = true
        this.note(false)
        return
      }
      const done = await this.#findDone(entry, error)
      this.#leave(entry)
      if (done === undefined) entry.fail(error)
      else entry.settle(done)
    }
  }

  async #findDone({ isRepeated, findDone }: Waiting, error: unknown): Promise<unknown> {
    if (!isRepeated || findDone === undefined || !(error instanceof Refusal)) return undefined
    return findDone(error).catch(() => undefined)
  }

  #leave(entry: Waiting): void {
    this.#waiting.value = this.#waiting.peek().filter((other) => other !== entry)
  }
}
