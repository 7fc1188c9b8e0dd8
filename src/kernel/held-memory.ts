// One ceiling for the memory of all requests under way: bodies that are read or served, and pages that are no text yet. A
// request without room waits, and is refused in the end. The process takes several times as much memory, because garbage is
// collected late.
import { PimletError } from './errors.ts'
import { Gate, type Leave } from './gate.ts'

/** The part of small holdings. They never wait behind large ones. */
const OF_SMALL = 0.25
/** The maximum share of one caller in each part, so that other callers need not wait. */
const SHARE = 0.25
/** Seconds after which a client that found no room may try again (Retry-After). */
const RETRY_AFTER = 5

interface Holding {
  readonly caller: string
  /** Bytes. Something larger than its part enters when the part is empty. */
  readonly weight: number
  /** Milliseconds. */
  readonly patience?: number
}

export class HeldMemory {
  readonly #small: Gate
  readonly #large: Gate
  readonly #patience: number

  /** @param bytes of all holdings together; `patience`: milliseconds that a request waits for room */
  constructor(bytes: number, patience = 30_000) {
    this.#small = partOf(bytes * OF_SMALL)
    this.#large = partOf(bytes - bytes * OF_SMALL)
    this.#patience = patience
  }

  /** At once if there is room. @throws UNAVAILABLE */
  enterSmall(holding: Holding): Leave | Promise<Leave> {
    return this.#small.tryEnter(holding) ?? this.#small.enter({ patience: this.#patience, ...holding })
  }

  /** @throws UNAVAILABLE */
  enterLarge(holding: Holding): Promise<Leave> {
    return this.#large.enter({ patience: this.#patience, ...holding })
  }

  /** For a page that may become large while it is read. */
  pageOf(caller: string, weight: number): HeldPage {
    return new HeldPage(() => this.enterLarge({ caller, weight }))
  }
}

/** Characters of a page that takes no room. */
const SMALL_PAGE = 65_536

export class HeldPage {
  readonly #enter: () => Promise<Leave>
  #leave: Leave | undefined

  constructor(enter: () => Promise<Leave>) {
    this.#enter = enter
  }

  /** Call this between two pieces, with the characters of all pieces. @throws UNAVAILABLE */
  async grow(characters: number): Promise<void> {
    if (characters > SMALL_PAGE) this.#leave ??= await this.#enter()
  }

  /** Call this when the page has become a text, or is no longer needed. */
  leave(): void {
    this.#leave?.()
    this.#leave = undefined
  }
}

function partOf(size: number): Gate {
  const refuse = (): Error =>
    new PimletError('UNAVAILABLE', 'The requests under way hold too much memory (--max-held): try again later', {
      retryAfter: RETRY_AFTER,
    })
  return new Gate({ size, perCaller: size * SHARE, refuse })
}
