// The main thread's side of a file that is sent while it is rendered: a thread for each, few at a time, which goes on when what
// it has brought is taken. Contract 3 §11.
import { partsOf } from '../../kernel/worker.ts'
import { Works } from '../../kernel/works.ts'
import { startRenderThread } from './render-client.ts'
import type { FoundRequest } from './render-messages.ts'
import type { StoreLocation } from '../../store/port.ts'
import { Gate, tooMany } from '../../kernel/gate.ts'

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
  const queue = { maxWaiting: MAX_WAITING, refuse: () => tooMany('exports') }
  const shares = new Gate({ size: Infinity, perCaller: MAX_STREAMS_OF_CALLER, ...queue })
  const gate = new Gate({ size: MAX_STREAMS, ...queue })
  const works = new Works()
  return {
    async stream(request, callerId, signal) {
      const began = Promise.withResolvers<AsyncGenerator<Uint8Array, void>>()
      const working = works.run(signal, (either) => {
        const work = (): Promise<void> => serve(request, { ...options, signal: either }, began)
        return shares.run(() => gate.run(work, { signal: either }), { caller: callerId, signal: either })
      })
      working.catch(began.reject)
      return began.promise
    },
    close: () => works.close(),
  }
}

/** Resolves when the thread has ended. */
async function serve(
  request: FoundRequest,
  options: FoundExportsOptions & { readonly signal: AbortSignal },
  began: PromiseWithResolvers<AsyncGenerator<Uint8Array, void>>,
): Promise<void> {
  const { queryTimeout, signal } = options
  signal.throwIfAborted()
  const thread = startRenderThread<'stream'>(options)
  const task = thread.begin({ kind: 'stream', request, queryTimeout })
  try {
    began.resolve(partsOf(task, await task.next(), thread.end))
  } catch (error) {
    began.reject(error)
    void thread.end()
  }
  await thread.ended
}
