// A request's body of any size, passed on at the speed of its reader. Only a sender that stalls is cut off. Contract 2 §1, 2 §7.
import type { IncomingMessage } from 'node:http'
import { invalid } from '../../kernel/errors.ts'
import type { Encoding } from '../../core/csv/source-dialect.ts'
import { type BodyLimits, ClientGone, readCharset, readContentType } from './body.ts'
import type { HeldMemory } from '../../kernel/held-memory.ts'
import type { LargePart } from '../../kernel/json/line-splitter.ts'
import type { LargeTurns } from '../../kernel/large-turns.ts'

export interface BodyStream<Type extends string = string> {
  /** One of the route's types; the header as it is, or '', where the route takes any. */
  readonly contentType: Type
  /** That the content type names. */
  readonly charset: Exclude<Encoding, 'utf-8'> | undefined
  /** Maximum bytes of one part, such as a line: the limit of a JSON body. */
  readonly maxPart: number
  /** Values that one part of the body may hold. */
  readonly maxValues: number
  /** Waits for room for a part that is larger than `SMALL_PART`. @throws UNAVAILABLE */
  readonly enter: () => Promise<LargePart>
  /**
   * Read this once.
   * @throws VALIDATION_ERROR for a sender that stalls
   * @throws ClientGone for a sender that hangs up
   */
  readonly chunks: AsyncIterable<Buffer>
}

/** Milliseconds that a large part waits for room. */
const PATIENCE = 60_000

interface BodySurroundings {
  readonly limits: BodyLimits
  readonly held: HeldMemory
  readonly turns: LargeTurns
  readonly callerId: string
}

/** @throws VALIDATION_ERROR for a content type that is not among `types`, or a compressed body */
export function openBodyStream<Type extends string>(
  request: IncomingMessage,
  types: readonly Type[],
  { limits, held, turns, callerId }: BodySurroundings,
): BodyStream<Type> {
  const contentType = readContentType(request, types)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw invalid('The Content-Encoding must be identity: send it unpacked')
  return {
    contentType,
    charset: readCharset(request),
    maxPart: limits.maxBody,
    maxValues: limits.maxValues,
    enter: async () => {
      const leave = await held.enterLarge({ caller: callerId, weight: limits.maxBody, patience: PATIENCE })
      return { takeTurn: () => turns.take(), leave }
    },
    chunks: readChunks(request, limits.bodyTimeout),
  }
}

/** Not the stream's own iterator: that one destroys the connection when its reader gives up, and the answer with it. */
async function* readChunks(request: IncomingMessage, idleTimeout: number): AsyncGenerator<Buffer, void> {
  let wake = (): void => undefined
  const wakeUp = (): void => wake()
  const events = ['readable', 'end', 'close', 'error']
  for (const event of events) request.on(event, wakeUp)
  try {
    for (;;) {
      const chunk = request.read() as Buffer | null
      if (chunk !== null) yield chunk
      else if (request.readableEnded) return
      else if (request.destroyed) throw new ClientGone('The client went away before the body was complete')
      else if (!(await isWokenWithin(idleTimeout, (resume) => (wake = resume)))) throw invalid('The body stalled')
    }
  } finally {
    for (const event of events) request.off(event, wakeUp)
    // An error that is already on its way needs a listener.
    request.on('error', () => undefined)
  }
}

/** Whether the function that `listen` receives is called within `timeout` milliseconds. */
function isWokenWithin(timeout: number, listen: (resume: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeout)
    listen(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
