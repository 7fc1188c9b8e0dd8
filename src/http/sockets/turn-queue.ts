// Decides the order of requests that arrived in the same turn of the event loop. The operating system reports recently
// served connections first. Without this order, a late request could wait until all others were served twice.

export interface Connection {
  /** The number of requests served on all connections when this one was served last; undefined: it has not been served yet. */
  latestServed?: number
  /** Whether nobody will read the answer: the client left, or sends no more requests. */
  readonly isUnread?: () => boolean
}

/** The party that makes requests; all its requests count as one asker. */
interface Asker {
  readonly party: string
}

interface Waiting {
  readonly connection: Connection
  readonly serve: () => void
  readonly asker: Asker | undefined
}

/** Milliseconds that requests are served without a break; a single request may take longer. */
const SLICE = 10
/** Milliseconds. Between two slices new connections are accepted, for as long as the slice before took, but no longer than this. */
const MAX_PAUSE = 100

/**
 * All requests that arrive in a turn of the event loop are read first and served at its end. The connection that has waited
 * longest comes first. Reading all of them before serving any also saves time.
 *
 * If serving takes longer than a slice, it is interrupted, so that new requests are read. From then on the askers take
 * turns instead of the connections: a client that asks for much on hundreds of connections delays only itself. Within one
 * asker, connections that have taken answers before take turns with new connections. So hundreds of new connections do not
 * delay the old ones either.
 */
export class TurnQueue {
  #arrived: Waiting[] = []
  /** Sorted: the request to serve next is the last item. */
  #order: Waiting[] = []
  #served = 0
  /** By asker, and by `placeOf`, as `Connection.latestServed`; used while requests wait longer than a slice. */
  readonly #latestServed = new Map<string, number>()
  /** When the slice began, and when the pause before it began: milliseconds on the monotonic clock. */
  #began = 0
  #pausedAt = 0
  #isPaused = false
  #isLettingIn = false
  #isTakingTurns = false

  /** `serve` does not throw. Requests of one connection keep their order. */
  add(connection: Connection, serve: () => void, asker?: Asker): void {
    this.#arrived.push({ connection, serve, asker })
    // One call per request: a request that awaits a finished promise continues before the next one is served.
    setImmediate(this.#serveNext)
  }

  /** A connection was accepted. Each turn accepts one, so without a pause the connections behind it would wait a slice each. */
  letIn(): void {
    this.#isLettingIn = true
  }

  readonly #serveNext = (): void => {
    if (!this.#isPaused && this.#mustPause()) {
      this.#isPaused = true
      this.#pausedAt = performance.now()
      this.#isLettingIn = false
      setImmediate(this.#resume)
    }
    if (this.#isPaused) {
      setImmediate(this.#serveNext)
      return
    }
    if (this.#order.length === 0) {
      if (this.#arrived.length === 0) return
      this.#order = this.#arrived.sort(byLatestServed).toReversed()
      this.#arrived = []
      this.#began = performance.now()
      if (this.#isTakingTurns) this.#latestServed.clear()
      this.#isTakingTurns = false
    }
    const next = this.#order.pop()!
    this.#served += 1
    if (this.#isTakingTurns && next.asker !== undefined) this.#noteServed(next.asker, next.connection)
    next.connection.latestServed = this.#served
    next.serve()
  }

  #noteServed({ party }: Asker, connection: Connection): void {
    this.#latestServed.set(party, this.#served)
    this.#latestServed.set(placeOf(party, kindOf(connection)), this.#served)
  }

  #mustPause(): boolean {
    if (this.#isLettingIn) return true
    return this.#order.length > 0 && performance.now() - this.#began > SLICE
  }

  readonly #resume = (): void => {
    const now = performance.now()
    const enough = Math.min(MAX_PAUSE, Math.max(SLICE, this.#pausedAt - this.#began))
    if (this.#isLettingIn && now - this.#pausedAt < enough) {
      this.#isLettingIn = false
      setImmediate(this.#resume)
      return
    }
    this.#isLettingIn = false
    this.#isPaused = false
    this.#began = now
    this.#isTakingTurns = true
    this.#order = this.#takeTurns([...this.#order.toReversed(), ...this.#arrived])
    this.#arrived = []
  }

  /**
   * One request of each asker, then the next of each; askers that were served longest ago come first. The next request is
   * last.
   */
  #takeTurns(waiting: Waiting[]): Waiting[] {
    const byAsker = Map.groupBy(waiting.sort(byLatestServed), ({ asker }) => asker?.party ?? '')
    const perAsker = [...byAsker].map(([party, requests]) => [party, this.#inTurns(party, requests)] as const)
    perAsker.sort(([one], [other]) => (this.#latestServed.get(one) ?? 0) - (this.#latestServed.get(other) ?? 0))
    const rounds = Math.max(0, ...perAsker.map(([, requests]) => requests.length))
    const order: Waiting[] = []
    for (let round = 0; round < rounds; round += 1)
      for (const [, requests] of perAsker) if (round < requests.length) order.push(requests[round]!)
    return order.toReversed()
  }

  /** Requests of one asker: kept and new connections alternate, and unread ones come last. */
  #inTurns(party: string, requests: readonly Waiting[]): Waiting[] {
    const { kept = [], new: fresh = [], unread = [] } = groupedByKind(requests)
    const latest = (kind: Kind): number => this.#latestServed.get(placeOf(party, kind)) ?? 0
    const [one, other] = latest('kept') <= latest('new') ? [kept, fresh] : [fresh, kept]
    const turns = Array.from({ length: Math.max(one.length, other.length) }, (_, turn) => turn)
    return [...turns.flatMap((turn) => [one[turn] ?? [], other[turn] ?? []].flat()), ...unread]
  }
}

type Kind = 'kept' | 'new' | 'unread'

function kindOf({ isUnread, latestServed }: Connection): Kind {
  if (isUnread?.() === true) return 'unread'
  return latestServed === undefined ? 'new' : 'kept'
}

/** No header has a line feed, so that no asker is called so. */
function placeOf(party: string, kind: Kind): string {
  return `${party}\n${kind}`
}

function groupedByKind(requests: readonly Waiting[]): Partial<Record<Kind, Waiting[]>> {
  return Object.fromEntries(Map.groupBy(requests, ({ connection }) => kindOf(connection)))
}

function byLatestServed(one: Waiting, other: Waiting): number {
  return (one.connection.latestServed ?? 0) - (other.connection.latestServed ?? 0)
}
