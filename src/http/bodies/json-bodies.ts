// Reads the JSON bodies of requests. A large body must not slow other requests. So it waits for memory, and is checked
// while it arrives. Large bodies are parsed one at a time, with pauses between them.
import type { IncomingMessage } from 'node:http'
import { assertJsonType, type BodyLimits, readBytes, tooLarge } from './body.ts'
import { type BodyStream, openBodyStream } from './body-stream.ts'
import { PimletError } from '../../kernel/errors.ts'
import { Gate, type Leave } from '../../kernel/gate.ts'
import { JsonScanner } from '../../kernel/json/json-scanner.ts'
import { LargeTurns } from './large-turns.ts'
import { parseJson } from '../../kernel/json/parse-json.ts'

/** Bytes and values of a body that takes no room: records are of that size. */
const SMALL_BODY = 64 * 1024
const SMALL_VALUES = 2000
/**
 * Bytes of all large bodies together; a larger body is read when there is no other. The heap takes several times as much,
 * because garbage is collected late.
 */
const ROOM_BYTES = 48 * 1024 ** 2
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
  readonly #bytes = roomOf(ROOM_BYTES)
  readonly #values = roomOf(ROOM_VALUES)
  readonly #turns = new LargeTurns()

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, UNAVAILABLE, ClientGone */
  async read(request: IncomingMessage, options: JsonBodyOptions): Promise<JsonBody> {
    assertJsonType(request)
    const reading = new Reading(request, options, this.#limits, this.#bytes)
    try {
      const bytes = await reading.run()
      const { values } = reading.scanner
      if (values > SMALL_VALUES) await reading.enter(this.#values, values)
      if (reading.isLarge) await this.#turns.take()
      const what = 'The body'
      const value = parseJson(bytes(), reading.scanner.end(), {
        what,
        keepsLostIn: options.keepsLostIn,
        release: () => reading.release(),
      })
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
      room: this.#bytes,
      turns: this.#turns,
      callerId,
    })
  }
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
  readonly #room: Gate
  readonly #maxBytes: number
  #size = 0

  constructor(request: IncomingMessage, options: JsonBodyOptions, limits: BodyLimits, room: Gate) {
    this.scanner = new JsonScanner('The body', limits.maxValues)
    this.#request = request
    this.#options = options
    this.#limits = limits
    this.#room = room
    this.#maxBytes = Math.min(limits.maxBody, options.maxBytes ?? limits.maxBody)
  }

  /** Resolves to a function that returns the bytes in one piece. */
  async run(): Promise<() => Buffer> {
    const setting = this.#maxBytes === this.#limits.maxBody ? '--max-body' : undefined
    const announced = Number(this.#request.headers['content-length'] ?? 0)
    if (announced > this.#maxBytes) throw tooLarge(this.#maxBytes, setting)
    if (announced > SMALL_BODY) await this.enter(this.#room, announced)
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

  async enter(room: Gate, weight: number): Promise<void> {
    this.isLarge = true
    const leave = await room.enter({ caller: this.#options.callerId, weight, patience: PATIENCE })
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
    if (this.#size <= SMALL_BODY || this.isLarge) return
    // It did not say how large it is.
    this.#entering = this.enter(this.#room, this.#maxBytes)
    return this.#entering
  }
}

function roomOf(size: number): Gate {
  const refuse = (): Error =>
    new PimletError('UNAVAILABLE', 'Too many large bodies are under way', { retryAfter: RETRY_AFTER })
  return new Gate({ size, perCaller: size * SHARE, refuse })
}
