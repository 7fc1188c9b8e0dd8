// From an authorised request to the answer of its route: reads and checks the body, and calls the handler. A repeated
// Idempotency-Key gets the stored answer.
import { conflict, PimletError } from '../../kernel/errors.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import { assertDeclaredAnswer, assertDeclaredError } from '../answers/response-check.ts'
import { jsonOf, listReply } from '../answers/list-replies.ts'
import { type Answer, toAnswer } from '../answers/response.ts'
import { ANY_TYPE, type BodyLimits, hasBody, tooLarge } from '../bodies/body.ts'
import { JsonBodies } from '../bodies/json-bodies.ts'
import type { HeldMemory } from '../../kernel/held-memory.ts'
import type { HandlerContext, Route } from '../route.ts'
import type { Exchange } from './exchange.ts'
import { isReplayed, type Once } from './idempotent-request.ts'
import type { PreparedRoute } from './prepared-route.ts'

/** The context of a handler, without the body. */
export type RouteContext = HandlerContext<Caller | undefined, unknown, unknown, unknown>

interface HandlingOptions {
  readonly limits: BodyLimits
  readonly held: HeldMemory
  readonly checkResponses: boolean
}

export class Handling {
  readonly #bodies: JsonBodies
  readonly #checkResponses: boolean

  constructor({ limits, held, checkResponses }: HandlingOptions) {
    this.#bodies = new JsonBodies(limits, held)
    this.#checkResponses = checkResponses
  }

  /** @throws errors of the route; a stored refusal is an answer instead */
  async answer(
    prepared: PreparedRoute,
    context: RouteContext,
    exchange: Exchange,
    once: Once | undefined,
  ): Promise<Answer> {
    try {
      const answer = await this.#handle(prepared, context, exchange, once)
      if (this.#checkResponses && !isReplayed(answer)) assertDeclaredAnswer(prepared, answer)
      return answer
    } catch (error) {
      if (once === undefined || !(error instanceof PimletError)) throw error
      if (this.#checkResponses) assertDeclaredError(prepared, error)
      return once.refuse(error)
    }
  }

  async #handle(
    prepared: PreparedRoute,
    context: RouteContext,
    exchange: Exchange,
    once: Once | undefined,
  ): Promise<Answer> {
    const { route, checkBody } = prepared
    const caller = once?.caller ?? context.caller
    const call = async (body: unknown): Promise<Answer> => {
      const result = await route.handler({ ...context, caller, body } as HandlerContext<Caller, never, never, never>)
      if (once !== undefined) return once.answer(result)
      return toAnswer(prepared, isLongList(result) ? await listReply(jsonOf(result)) : result, exchange)
    }
    if (route.stream !== undefined) return this.#handleStream(route.stream, exchange, once, call)
    if (checkBody === undefined) {
      if (once !== undefined) await this.#readUnusedBody(exchange, once)
      return (await once?.replay()) ?? call(undefined)
    }
    if (prepared.isBodyOptional && !hasBody(exchange.request))
      return (await once?.replay()) ?? call(checkBody(undefined))
    const body = await this.#bodies.read(exchange.request, {
      callerId: callerIdOf(exchange),
      maxBytes: route.maxBody,
      keepsLostIn: prepared.uncheckedMembers,
      look: once?.look,
    })
    try {
      return (await once?.replay()) ?? (await call(checkBody(body.value)))
    } finally {
      body.leave()
    }
  }

  /** Reads a body that the route ignores: a repeated request must have the same body. @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE */
  async #readUnusedBody(exchange: Exchange, { look }: Once): Promise<void> {
    if (!hasBody(exchange.request)) return
    const { chunks, maxPart: most } = this.#bodies.stream(exchange.request, [ANY_TYPE], callerIdOf(exchange))
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > most) throw tooLarge(most, '--max-body')
      look(chunk)
    }
  }

  /**
   * Only a complete body returns whether a request is repeated. So a request whose key has no stored answer is handled
   * at once; with a stored answer, the body is read first.
   */
  async #handleStream(
    types: NonNullable<Route['stream']>,
    exchange: Exchange,
    once: Once | undefined,
    call: (body: unknown) => Promise<Answer>,
  ): Promise<Answer> {
    const body = this.#bodies.stream(exchange.request, types, callerIdOf(exchange))
    if (once === undefined) return call(body)
    const watched = once.watch(body)
    if (!(await once.isKnown())) return call(watched)
    const chunks = watched.chunks[Symbol.asyncIterator]()
    while ((await chunks.next()).done !== true);
    const replayed = await once.replay()
    if (replayed === undefined)
      throw conflict('The answer kept for the Idempotency-Key has just expired: send the request again')
    return replayed
  }
}

/** Items of a list whose text takes no more than a millisecond or two. */
const SHORT_LIST = 100

function isLongList(result: unknown): result is readonly unknown[] {
  return Array.isArray(result) && result.length > SHORT_LIST
}

/** '' for all callers without a credential. */
function callerIdOf({ caller }: Exchange): string {
  return caller?.id ?? ''
}
