// Requests that may come twice: the answer to a request with an Idempotency-Key is stored in the transaction of its
// write, and sent again. Contract 3 §2 (Idempotency), 3 §10.
import { conflict, denied, PimletError } from '../../kernel/errors.ts'
import { isKept, isStillKept, keptSince, MAX_KEPT_BYTES } from '../../kernel/input/idempotency-key.ts'
import type { KeptAnswer, RequestClaims } from '../../store/answer-port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { createAnswerSeal, viewOf } from './answer-seal.ts'

/** An answer as it was sent, but for headers that belong to one exchange. */
export interface KeptContent {
  readonly status: number
  readonly text: string | undefined
  /** In the place of a text: the bytes of a file, which is of `mediaType`. */
  readonly base64?: string | undefined
  readonly mediaType?: string | undefined
  readonly cacheControl?: string | undefined
  /** Name, value, name, value, … */
  readonly headers: readonly string[]
  /** The answer is stored in the transaction of the write. */
  readonly isOfWrite?: true | undefined
  /** Only this is left of it. */
  readonly isErased?: true | undefined
}

/** The part of a transaction that keeps answers. */
type KeepingTransaction = Pick<Transaction, 'keptAnswers'>

/** One request under its key. Meanwhile no other request has the key at this path, at any server. */
export interface Claim {
  /** Whether an answer is kept, for any body. */
  isKnown(): Promise<boolean>
  /**
   * The stored answer; undefined: the request is new. `request`: digest of the request.
   * @throws CONFLICT for another request, PERMISSION_DENIED where the caller's role has changed since
   */
  find(request: string): Promise<KeptContent | undefined>
  /**
   * Keeps the answer with the writes of `tx`, if the answer is kept at all.
   * @throws CONFLICT if an answer exists
   * @throws RATE_LIMITED if kept answers take too much room
   */
  keepWith(tx: KeepingTransaction, request: string, content: KeptContent): Promise<void>
  /** Keeps the answer to a request that wrote nothing, or whose writes do not wait for it. */
  keepAlone(request: string, content: KeptContent): Promise<void>
  /** To be called first. @throws CONFLICT while another server has such a request under way, UNAVAILABLE */
  enter(): Promise<void>
  /** Resolves when every server may use the key. If the answer is stored, nobody has to wait for it. */
  end(): Promise<void>
}

const ANSWERED_TO_OTHERS = {
  done: 'The request was done already, when your role had other permissions: read what it made',
  refused: 'The request was refused already, when your role had other permissions: send it with a new Idempotency-Key',
} as const

const ERASED = 'The request was done already, and its answer erased with the history of a record: read what it made'

/** Answers that one write forgets because they are too old: more than it adds, so that they do not pile up. */
const FORGOTTEN_AT_ONCE = 4

export function createIdempotency(deps: { store: Store; system: System; secret: Buffer; maxBytes?: number }) {
  const { store, system, secret, maxBytes = MAX_KEPT_BYTES } = deps
  const seal = createAnswerSeal(secret, system)
  const underWay = new Set<string>()

  async function keep(
    tx: KeepingTransaction,
    caller: Caller,
    { id, request, content, room }: { id: string; request: string; content: KeptContent; room: number },
  ): Promise<void> {
    const now = system.now()
    const before = await tx.keptAnswers.get(id)
    if (before !== undefined && isStillKept(before.keptAt, now)) throw busy()
    if (before !== undefined) await tx.keptAnswers.delete(id)
    await tx.keptAnswers.deleteBefore(keptSince(now), FORGOTTEN_AT_ONCE)
    if ((await tx.keptAnswers.size()) >= room) throw full()
    const view = viewOf(caller.role)
    await tx.keptAnswers.insert({ id, request, view, keptAt: now.toISOString(), content: seal.seal(id, content) })
  }

  return {
    /** To be ended when the answer is kept. @throws CONFLICT while another one goes on in this process */
    begin(caller: Caller, path: string, key: string): Claim {
      const id = seal.nameOf(`${caller.kind} ${caller.id}`, path, key)
      if (underWay.has(id)) throw busy()
      underWay.add(id)
      const look = async (): Promise<KeptAnswer | undefined> => {
        const kept = await store.read.keptAnswers.get(id)
        return kept !== undefined && isStillKept(kept.keptAt, system.now()) ? kept : undefined
      }
      const isKnown = async (): Promise<boolean> => (await look()) !== undefined
      const among = amongServers(store.requestClaims, id)
      let isAnswered = false
      return {
        enter: () => among.enter(isKnown),
        isKnown,
        async find(request) {
          const kept = await look()
          if (kept === undefined) return undefined
          if (kept.request !== request)
            throw conflict(
              'The Idempotency-Key was sent with another body or query before: a new request needs a new one',
            )
          const content = seal.open(id, kept.content) as KeptContent
          // A value that was readable then may be hidden now, and a message may name it.
          if (kept.view !== viewOf(caller.role))
            throw denied(ANSWERED_TO_OTHERS[content.status < 300 ? 'done' : 'refused'])
          if (content.isErased === true) throw conflict(ERASED)
          return content
        },
        async keepWith(tx, request, content) {
          if (!isKept(content.status, sizeOf(content))) return
          await keep(tx, caller, { id, request, content: { ...content, isOfWrite: true }, room: maxBytes })
          isAnswered = true
        },
        async keepAlone(request, content) {
          if (!isKept(content.status, sizeOf(content))) return
          // Readers must not use up the room for writers.
          const kept = { id, request, content, room: maxBytes / 2 }
          await store.transaction((tx) => keep(tx, caller, kept)).catch(passOver)
          isAnswered = true
        },
        async end() {
          underWay.delete(id)
          const ended = among.end()
          if (!isAnswered) await ended
        },
      }
    },
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>

/** Claims by which several servers of a workspace share a request. */
function amongServers(claims: RequestClaims | undefined, id: string) {
  let isTaken = false
  return {
    async enter(isKnown: () => Promise<boolean>): Promise<void> {
      if (claims === undefined) return
      isTaken = await claims.take(id)
      // One that is over may be known before its claim is given up.
      if (!isTaken && !(await isKnown())) throw busy()
    },
    end: () => (isTaken ? claims?.release(id) : undefined),
  }
}

/** Called in the transaction of a write with the result of the request. Resolves to the result. */
export async function keepAnswer<Result>(tx: KeepingTransaction, caller: Caller, result: Result): Promise<Result> {
  await caller.keep?.(tx, result)
  return result
}

function sizeOf({ text = '', base64 = '' }: KeptContent): number {
  return Buffer.byteLength(text) + Buffer.byteLength(base64, 'base64')
}

/** The request succeeded: it is not refused if its answer cannot be kept. */
function passOver(error: unknown): void {
  if (!(error instanceof PimletError)) throw error
}

function busy(): PimletError {
  const message = 'The request with this Idempotency-Key is still under way: try again in a moment'
  return new PimletError('CONFLICT', message, { retryAfter: 1 })
}

function full(): PimletError {
  const message =
    'Too many answers are kept under Idempotency-Keys: nothing was done. Try again later, or without a key.'
  return new PimletError('RATE_LIMITED', message, { retryAfter: 3600 })
}
