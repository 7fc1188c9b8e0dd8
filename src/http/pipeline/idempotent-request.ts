// A request with an Idempotency-Key: the fingerprint of its body, and its stored answer. Contract 3 §2 (Idempotency), 3 §10.
import { createHash } from 'node:crypto'
import type { PimletError } from '../../kernel/errors.ts'
import { MAX_KEPT_BODY, readIdempotencyKey } from '../../kernel/input/idempotency-key.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { Claim, Idempotency, KeptContent } from '../../core/requests/idempotent-requests.ts'
import { ByteStream, FileBytes, JsonStream } from '../answers/replies.ts'
import { publicError } from '../answers/error-replies.ts'
import { type Answer, toAnswer, toErrorAnswer } from '../answers/response.ts'
import { hasBody } from '../bodies/body.ts'
import type { BodyStream } from '../bodies/body-stream.ts'
import type { Exchange } from './exchange.ts'
import type { PreparedRoute } from './prepared-route.ts'

const REPLAYED = ['Idempotency-Replayed', 'true']

/**
 * For a route that takes keys. Undefined for a request without a key or a caller.
 * @throws VALIDATION_ERROR, CONFLICT
 */
export function beginOnce(prepared: PreparedRoute, exchange: Exchange, idempotency: Idempotency): Once | undefined {
  const header = exchange.request.headers['idempotency-key']
  const key = readIdempotencyKey(Array.isArray(header) ? header.join(', ') : header)
  if (key === undefined || exchange.caller === undefined) return undefined
  const path = exchange.segments.map(encodeURIComponent).join('/')
  return new Once(prepared, exchange, exchange.caller, idempotency.begin(exchange.caller, path, key))
}

export class Once {
  /** Stores the answer together with the caller's write. */
  readonly caller: Caller
  readonly #prepared: PreparedRoute
  readonly #exchange: Exchange
  readonly #claim: Claim
  readonly #hash = createHash('sha256')
  #request: string | undefined
  #kept: Answer | undefined
  /** Whether the store has no answer for the key; false until it was looked up. */
  #isNew = false

  constructor(prepared: PreparedRoute, exchange: Exchange, caller: Caller, claim: Claim) {
    this.#prepared = prepared
    this.#exchange = exchange
    this.#claim = claim
    this.#hash.update(`${exchange.search}\n`)
    this.caller = {
      ...caller,
      keep: async (tx, result) => {
        const answer = toAnswer(prepared, result, exchange)
        await claim.keepWith(tx, this.#digest(), contentOf(answer))
        this.#kept = answer
      },
    }
  }

  /** Sees each part of the body. */
  readonly look = (part: Buffer): void => void this.#hash.update(part)

  /** The same stream; the fingerprint reads each part that its reader takes. */
  watch(body: BodyStream): BodyStream {
    const { look } = this
    async function* watched(): AsyncGenerator<Buffer, void> {
      for await (const chunk of body.chunks) {
        look(chunk)
        yield chunk
      }
    }
    return { ...body, chunks: watched() }
  }

  /** Whether an answer is stored, for any body. */
  isKnown(): Promise<boolean> {
    return this.#claim.isKnown()
  }

  /**
   * The stored answer, marked as replayed; undefined: none. Call it after the body was read. @throws CONFLICT,
   * PERMISSION_DENIED
   */
  async replay(): Promise<Answer | undefined> {
    const kept = await this.#claim.find(this.#digest())
    this.#isNew = kept === undefined
    return kept && { ...kept, text: kept.text, file: fileOf(kept), headers: [...kept.headers, ...REPLAYED] }
  }

  /** Turns `result` into an answer and stores it: in the transaction of the write, or else by itself. */
  async answer(result: unknown): Promise<Answer> {
    if (this.#kept !== undefined) return this.#kept
    const answer = toAnswer(this.#prepared, result, this.#exchange)
    if (answer.stream instanceof ByteStream) return { ...answer, stream: this.#keepFile(answer, answer.stream) }
    if (answer.stream !== undefined) return { ...answer, stream: this.#keepStream(answer, answer.stream) }
    if (this.#isHeard()) await this.#claim.keepAlone(this.#digest(), contentOf(answer))
    return answer
  }

  /** Stores a refusal if the whole body was read. Resolves to the answer to send: the first one. @throws errors of `replay` */
  async refuse(error: PimletError): Promise<Answer> {
    const answer = toErrorAnswer(publicError(error))
    if (!this.#isHeard()) return answer
    const kept = this.#isNew ? undefined : await this.replay()
    if (kept !== undefined) return kept
    await this.#claim.keepAlone(this.#digest(), contentOf(answer))
    return answer
  }

  /** Call this before all others. @throws CONFLICT if another server is processing the key, UNAVAILABLE */
  enter(): Promise<void> {
    return this.#claim.enter()
  }

  /** Resolves when the key is free. */
  end(): Promise<void> {
    return this.#claim.end()
  }

  #isHeard(): boolean {
    const { request } = this.#exchange
    return request.readableEnded || !hasBody(request)
  }

  /** Stores the stream's text after it was sent to its end, unless the text is too large. */
  #keepStream(answer: Answer, stream: JsonStream): JsonStream {
    const keep = (text: string): Promise<void> => this.#claim.keepAlone(this.#digest(), contentOf({ ...answer, text }))
    async function* kept(): AsyncGenerator<string, void> {
      let text: string | undefined = ''
      for await (const chunk of stream.chunks) {
        text = text === undefined || text.length + chunk.length > MAX_KEPT_BODY ? undefined : text + chunk
        yield chunk
      }
      if (text !== undefined) await keep(text)
    }
    return new JsonStream(kept())
  }

  /** Likewise. */
  #keepFile(answer: Answer, { chunks, mediaType }: ByteStream): ByteStream {
    const keep = (parts: readonly Buffer[]): Promise<void> =>
      this.#claim.keepAlone(this.#digest(), {
        ...contentOf({ ...answer, mediaType }),
        base64: Buffer.concat(parts).toString('base64'),
      })
    async function* kept(): AsyncGenerator<Uint8Array, void> {
      let parts: Buffer[] | undefined = []
      let size = 0
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > MAX_KEPT_BODY) parts = undefined
        parts?.push(Buffer.from(chunk))
        yield chunk
      }
      if (parts !== undefined) await keep(parts)
    }
    return new ByteStream(kept(), mediaType)
  }

  #digest(): string {
    this.#request ??= this.#hash.digest('base64url')
    return this.#request
  }
}

function contentOf({ status, text, mediaType, cacheControl, headers }: Answer): KeptContent {
  return { status, text, mediaType, cacheControl, headers: [...headers] }
}

function fileOf({ base64, mediaType }: KeptContent): FileBytes | undefined {
  return base64 === undefined ? undefined : new FileBytes(Buffer.from(base64, 'base64'), mediaType!)
}

export function isReplayed({ headers }: Answer): boolean {
  return headers.includes(REPLAYED[0]!)
}
