// Thumbnails, read with the user's credential. A thumbnail that a fast scroll passes is not requested. Requests begin
// when no other thumbnail has appeared for a moment, a few at a time. A request ends when its place disappears.
import type { Call } from '../api/call.ts'
import type { Timers } from './browser.ts'

/** Milliseconds without a new thumbnail. */
const SETTLING = 80
/** A browser has only six connections to a host. */
const AT_ONCE = 3

interface ThumbPlace {
  readonly recordId: string
  readonly sha256: string
  readonly preset: string
}

interface Wanted {
  readonly place: ThumbPlace
  readonly show: (content: Blob) => void
  readonly stop: AbortController
}

export class Thumbs {
  readonly #call: Call
  readonly #timers: Pick<Timers, 'after'>
  readonly #waiting = new Set<Wanted>()
  #running = 0
  /** Undefined: nothing has moved for a moment. */
  #cancelLater: (() => void) | undefined

  constructor(call: Call, timers: Pick<Timers, 'after'>) {
    this.#call = call
    this.#timers = timers
  }

  /** Reads a thumbnail; returns a function that cancels the read. A picture that cannot be rendered is never shown. */
  want(place: ThumbPlace, show: (content: Blob) => void): () => void {
    const wanted = { place, show, stop: new AbortController() }
    this.#waiting.add(wanted)
    this.#cancelLater?.()
    this.#cancelLater = this.#timers.after(SETTLING, () => {
      this.#cancelLater = undefined
      this.#next()
    })
    return () => {
      this.#waiting.delete(wanted)
      wanted.stop.abort()
    }
  }

  #next(): void {
    for (const wanted of this.#waiting) {
      // The sheet may scroll again while an earlier request is answered.
      if (this.#cancelLater !== undefined || this.#running >= AT_ONCE) return
      this.#waiting.delete(wanted)
      this.#running += 1
      void this.#read(wanted).finally(() => {
        this.#running -= 1
        this.#next()
      })
    }
  }

  async #read({ place: { recordId, sha256, preset }, show, stop: { signal } }: Wanted): Promise<void> {
    const params = { id: recordId, sha256, preset }
    try {
      const path = 'GET /api/v1/records/:id/files/:sha256/renditions/:preset'
      const { body } = await this.#call(path, { params, isFile: true, signal })
      if (!signal.aborted) show(body as unknown as Blob)
    } catch {
      // A text beside the place names the picture.
    }
  }
}
