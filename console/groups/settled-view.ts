// Waits during scrolling until the groups in view stay, because each small group costs a request.
import type { Browser } from '../state/browser.ts'

/** Milliseconds that groups must stay in view. */
const SETTLING_MS = 60

export class SettledView {
  readonly #browser: Pick<Browser, 'now' | 'after'>
  readonly #ask: () => void
  #inView = ''
  #since = Number.NEGATIVE_INFINITY
  #cancelLater: (() => void) | undefined

  constructor(browser: Pick<Browser, 'now' | 'after'>, ask: () => void) {
    this.#browser = browser
    this.#ask = ask
  }

  /** @param inView names the groups in view */
  look(inView: string): void {
    const now = this.#browser.now()
    const isMoved = inView !== this.#inView
    const isQuick = isMoved && now - this.#since < SETTLING_MS
    if (isMoved) this.#since = now
    this.#inView = inView
    if (isQuick || this.#cancelLater !== undefined) this.#askLater()
    else this.#ask()
  }

  close(): void {
    this.#cancelLater?.()
  }

  #askLater(): void {
    this.#cancelLater?.()
    this.#cancelLater = this.#browser.after(SETTLING_MS, () => {
      this.#cancelLater = undefined
      this.#ask()
    })
  }
}
