// Writes while the server does not answer: they wait in order and happen once. POST by its Idempotency-Key, PATCH by what it
// expects to find: where that is no longer there but the value that was to be written is, it was done. Contract 3 §2.
import { computed, signal } from '@preact/signals'
import { isPassing, Refusal } from '../api/failures.ts'
import type { Browser } from './browser.ts'

const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 15_000

interface Waiting {
  /** One request, the same each time. */
  readonly send: () => Promise<unknown>
  /** After a refusal of a request that was sent before: the result, where that one was carried out after all. */
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
  /** How many writes wait. */
  readonly count = computed(() => (this.#isOffline.value ? this.#waiting.value.length : 0))

  /** @param ping a request that is answered whenever the server is there */
  constructor(browser: Browser, ping: () => Promise<unknown>) {
    this.#browser = browser
    this.#ping = ping
    browser.on('online', () => this.retry())
  }

  /** Each request tells whether it was answered. */
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
   * Sends a write behind all that wait, and again until it is answered.
   * @param send with a key of its own, if a POST; the same at each call
   * @throws Refusal, once the server has answered
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

  /** Asks now whether the server is there. */
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
      // It answers, whatever it says.
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
