// Reads the JSON bodies of requests. A large body must not slow other requests. So it waits for memory, and is checked
// while it arrives. Large bodies are parsed one at a time, with pauses between them.
import type { IncomingMessage } from 'node:http'
import { assertJsonType, type BodyLimits, readBytes, tooLarge } from './body.ts'
import { type BodyStream, openBodyStream } from './body-stream.ts'
import { PimletError } from '../../kernel/errors.ts'
import { Gate, type Leave } from '../../kernel/gate.ts'
import type { HeldMemory } from '../../kernel/held-memory.ts'
import { JsonScanner } from '../../kernel/json/json-scanner.ts'
import { LargeTurns } from '../../kernel/large-turns.ts'
import { parseJson } from '../../kernel/json/parse-json.ts'

/** Bytes and values of a small body, which is read at once: records are of that size. */
const SMALL_BODY = 64 * 1024
const SMALL_VALUES = 2000
/** Bytes of one body that are looked at in one turn. A fast client sends two megabytes in each. */
const TURN_BYTES = 131_072
/** Bytes of a body that is not counted: all connections together have few such bytes. */
const TINY_BODY = 4096
/** Values of all bodies that are parsed and not yet dealt with. */
const ROOM_VALUES = 600_000
/** Milliseconds that a body waits for room. */
const PATIENCE = 30_000
/** The maximum share of one caller, so that other callers' bodies need not wait. */
const SHARE = 0.25
/** Seconds after which a client that found no room may try again (Retry-After). */
const RETRY_AFTER = 5

interface JsonBodyOptions {
  /** The caller; the address on a public route. */
  readonly callerId: string
  /** The limit of the route, if it is below the general limit. */
  readonly maxBytes: number | undefined
  /** See `ParseOptions`. */
  readonly keepsLostIn: ReadonlySet<string>
  /** Sees each part as it arrives. */
  readonly look?: ((part: Buffer) => void) | undefined
}

interface JsonBody {
  readonly value: unknown
  /** Call it once, when the value is no longer needed. */
  leave(): void
}

export class JsonBodies {
  readonly #limits: BodyLimits
  readonly #held: HeldMemory
  readonly #values = roomOf(ROOM_VALUES)
  readonly #turns = new LargeTurns()
  readonly #arrivals = new LargeTurns()

  constructor(limits: BodyLimits, held: HeldMemory) {
    this.#limits = limits
    this.#held = held
  }

  /** @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, UNAVAILABLE, ClientGone */
  async read(request: IncomingMessage, options: JsonBodyOptions): Promise<JsonBody> {
    assertJsonType(request)
    const reading = new Reading(request, options, { limits: this.#limits, held: this.#held, arrivals: this.#arrivals })
    try {
      const bytes = await reading.run()
      const { values } = reading.scanner
      if (values > SMALL_VALUES) await reading.enter(enterRoom(this.#values, options.callerId, values))
      if (reading.isLarge) await this.#turns.take()
      const what = 'The body'
      const value = parseJson(bytes(), reading.scanner.end(), {
        what,
        keepsLostIn: options.keepsLostIn,
        release: () => reading.release(),
      })
      // The caller checks the value, which takes as long as making it.
      if (reading.isLarge) await this.#turns.take()
      return { value, leave: () => reading.leave() }
    } catch (error) {
      reading.leave()
      throw error
    }
  }

  /** A body that the handler reads by itself, part by part. @throws VALIDATION_ERROR */
  stream<Type extends string>(request: IncomingMessage, types: readonly Type[], callerId: string): BodyStream<Type> {
    return openBodyStream(request, types, {
      limits: this.#limits,
      held: this.#held,
      turns: this.#turns,
      callerId,
    })
  }
}

interface Surroundings {
  readonly limits: BodyLimits
  readonly held: HeldMemory
  /** The turns of large bodies that arrive. */
  readonly arrivals: LargeTurns
}

class Reading {
  readonly scanner: JsonScanner
  isLarge = false
  readonly #leaves: Leave[] = []
  #isOver = false
  /** The buffer of a large body with an announced size. */
  #bytes: Buffer | undefined
  #entering: Promise<void> | undefined
  readonly #request: IncomingMessage
  readonly #options: JsonBodyOptions
  readonly #limits: BodyLimits
  readonly #held: HeldMemory
  readonly #maxBytes: number
  readonly #arrivals: LargeTurns
  #size = 0
  /** Bytes since others had their turn. */
  #inTurn = 0

  constructor(request: IncomingMessage, options: JsonBodyOptions, { limits, held, arrivals }: Surroundings) {
    this.scanner = new JsonScanner('The body', limits.maxValues)
    this.#request = request
    this.#options = options
    this.#limits = limits
    this.#held = held
    this.#arrivals = arrivals
    this.#maxBytes = Math.min(limits.maxBody, options.maxBytes ?? limits.maxBody)
  }

  /** Resolves to a function that returns the bytes in one piece. */
  async run(): Promise<() => Buffer> {
    const setting = this.#maxBytes === this.#limits.maxBody ? '--max-body' : undefined
    const announced = Number(this.#request.headers['content-length'] ?? 0)
    if (announced > this.#maxBytes) throw tooLarge(this.#maxBytes, setting)
    if (announced <= SMALL_BODY) await this.#enterSmall(announced || SMALL_BODY)
    else await this.#enterLarge(announced)
    if (announced > SMALL_BODY) this.#bytes = Buffer.allocUnsafeSlow(announced)
    const bytes = await readBytes(this.#request, {
      maxBytes: this.#maxBytes,
      into: this.#bytes,
      setting,
      timeout: this.#limits.bodyTimeout,
      look: (part) => this.#look(part),
    })
    await this.#entering
    return () => bytes.take()
  }

  async enter(entering: Promise<Leave>): Promise<void> {
    this.isLarge = true
    this.#keep(await entering)
  }

  #enterLarge(weight: number): Promise<void> {
    return this.enter(this.#held.enterLarge({ caller: this.#options.callerId, weight }))
  }

  /** A stranger's body is not counted, because it must not let others wait; its limit is low. */
  async #enterSmall(weight: number): Promise<void> {
    const { callerId: caller } = this.#options
    if (caller === '' || weight <= TINY_BODY) return
    const entered = this.#held.enterSmall({ caller, weight })
    this.#keep(typeof entered === 'function' ? entered : await entered)
  }

  #keep(leave: Leave): void {
    if (this.#isOver) leave()
    else this.#leaves.push(leave)
  }

  /** Frees the memory of the bytes, which are no longer read. */
  release(): void {
    const { buffer } = this.#bytes ?? {}
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
    this.#bytes = undefined
  }

  leave(): void {
    this.#isOver = true
    for (const leave of this.#leaves.splice(0)) leave()
  }

  #look(part: Buffer): void | Promise<void> {
    this.#options.look?.(part)
    this.scanner.take(part)
    this.#size += part.length
    if (this.#size > SMALL_BODY && !this.isLarge) {
      // It did not say how large it is.
      this.#entering = this.#enterLarge(this.#maxBytes)
      return this.#entering
    }
    this.#inTurn += part.length
    if (this.#inTurn < TURN_BYTES) return
    this.#inTurn = 0
    return this.#arrivals.take()
  }
}

function enterRoom(room: Gate, caller: string, weight: number): Promise<Leave> {
  return room.enter({ caller, weight, patience: PATIENCE })
}

function roomOf(size: number): Gate {
  const refuse = (): Error =>
    new PimletError('UNAVAILABLE', 'Too many large bodies are under way', { retryAfter: RETRY_AFTER })
  return new Gate({ size, perCaller: size * SHARE, refuse })
}
