// The main thread's side of a file that is sent while it is rendered: a thread for each, few at a time, which goes on when what
// it has brought is taken. Contract 3 §11.
import { startThread } from '../../kernel/executable/assets.ts'
import { PimletError } from '../../kernel/errors.ts'
import { asRenderError, STOP_GRACE, threadLimits } from './render-client.ts'
import type { FoundRequest, FromRenderThread, RenderThreadData, ToRenderThread } from './render-messages.ts'
import type { StoreLocation } from '../../store/port.ts'
import { Slots } from '../../kernel/slots.ts'

export interface FoundExports {
  /**
   * Resolves when the first part of the file is there. Whoever stops iterating, and the signal, end the rendering.
   * @throws UNAVAILABLE, here or while iterating, where it takes too long to find the records, or too many are asked for at once
   */
  stream(request: FoundRequest, callerId: string, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array, void>>
  /** Ends what is under way and refuses what comes later. */
  close(): Promise<void>
}

interface FoundExportsOptions {
  readonly location: StoreLocation
  /** Milliseconds of work that finding and reading the records may take. */
  readonly queryTimeout: number
  readonly onFault: (message: string, error: unknown) => void
}

/** Each has a thread and a snapshot as long as its client takes. */
const MAX_STREAMS = 4
const MAX_STREAMS_OF_CALLER = 2
const MAX_WAITING = 20

export function createFoundExports(options: FoundExportsOptions): FoundExports {
  const slots = new Slots(MAX_STREAMS, MAX_WAITING)
  const ofCallers = new Map<string, Slots>()
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  const slotsOf = (callerId: string): Slots => {
    const known = ofCallers.get(callerId) ?? new Slots(MAX_STREAMS_OF_CALLER, MAX_WAITING)
    ofCallers.set(callerId, known)
    return known
  }

  return {
    async stream(request, callerId, signal) {
      const either = AbortSignal.any([signal, closing.signal])
      const began = Promise.withResolvers<AsyncGenerator<Uint8Array, void>>()
      const work = (): Promise<void> => serve(request, options, either, began)
      const whole = slotsOf(callerId).run(either, () => slots.run(either, work))
      const settled = whole.catch((error: unknown) => began.reject(error as Error))
      running.add(settled)
      void settled.finally(() => running.delete(settled))
      return began.promise
    },
    async close() {
      closing.abort(new PimletError('UNAVAILABLE', 'The server is shutting down'))
      await Promise.all(running)
    },
  }
}

/** Resolves when the thread has ended. */
async function serve(
  request: FoundRequest,
  { location, queryTimeout, onFault }: FoundExportsOptions,
  signal: AbortSignal,
  began: PromiseWithResolvers<AsyncGenerator<Uint8Array, void>>,
): Promise<void> {
  signal.throwIfAborted()
  const workerData: RenderThreadData = { role: 'render', location, task: { kind: 'stream', request, queryTimeout } }
  const worker = startThread(workerData, threadLimits())
  const post = (message: ToRenderThread): void => worker.postMessage(message)
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  let grace: NodeJS.Timeout | undefined
  const stop = (): void => {
    post({ kind: 'stop' })
    grace ??= setTimeout(() => void worker.terminate(), STOP_GRACE)
  }
  let hear: (answer: FromRenderThread | undefined) => void = () => undefined
  worker.on('message', (answer: FromRenderThread) => hear(answer))
  worker.on('error', (error) => onFault('A render thread stopped', error))
  worker.on('exit', () => hear(undefined))
  signal.addEventListener('abort', stop, { once: true })

  const next = async (): Promise<Uint8Array | undefined> => {
    const answer = await new Promise<FromRenderThread | undefined>((resolve) => {
      hear = resolve
      post({ kind: 'next' })
    })
    signal.throwIfAborted()
    if (answer === undefined) throw new PimletError('UNAVAILABLE', 'The export was interrupted')
    if (answer.kind === 'chunk') return answer.bytes
    if (answer.kind === 'end') return undefined
    throw asRenderError(answer)
  }
  async function* chunks(first: Uint8Array | undefined): AsyncGenerator<Uint8Array, void> {
    try {
      for (let chunk = first; chunk !== undefined; chunk = await next()) yield chunk
    } finally {
      stop()
    }
  }

  try {
    const generator = chunks(await next())
    // One that nobody begins would never stop by itself.
    const isBegun = generator.next()
    began.resolve(startingWith(isBegun, generator))
  } catch (error) {
    stop()
    began.reject(error)
  }
  await ended
  signal.removeEventListener('abort', stop)
  clearTimeout(grace)
}

async function* startingWith<Item>(
  first: Promise<IteratorResult<Item, void>>,
  others: AsyncGenerator<Item, void>,
): AsyncGenerator<Item, void> {
  try {
    const { value, done } = await first
    if (done === true) return
    yield value
    yield* others
  } finally {
    await others.return()
  }
}
