// The main thread's side of rendering exports: a thread for each, few at a time, and the spool file's life. Contract 2 §6.
import { open, rm } from 'node:fs/promises'
import { startThread } from '../../kernel/executable/assets.ts'
import { PimletError } from '../../kernel/errors.ts'
import type { StoreLocation } from '../../store/port.ts'
import { translateFileError } from '../../kernel/machine/file-errors.ts'
import type {
  ExportSelection,
  FromRenderThread,
  Rendered,
  RenderProgress,
  RenderRequest,
  RenderTask,
  RenderThreadData,
  ToRenderThread,
} from './render-messages.ts'
import { Gate, tooMany } from '../../kernel/gate.ts'

export interface Renderer {
  /**
   * Writes the export of one snapshot to the spool file, and resolves when the file is complete and durable.
   * @throws NOT_FOUND for an unknown role, PERMISSION_DENIED for one that may not read records, UNAVAILABLE when
   * storage is full or the server is shutting down, and the signal's reason when it is aborted
   */
  render(request: RenderRequest, signal: AbortSignal, onProgress?: (done: RenderProgress) => void): Promise<Rendered>
  /** The text of the first `limit` records, uncompressed; fewer where they are very large. Throws as `render` does. */
  preview(request: ExportSelection, limit: number, signal: AbortSignal): Promise<string>
  /** Ends what is under way (it rejects with UNAVAILABLE) and refuses what comes later. */
  close(): Promise<void>
}

export interface RendererOptions {
  readonly location: StoreLocation
  /** Called with faults of a thread, beside the rejection of what it was asked. */
  readonly onFault: (message: string, error: unknown) => void
  /** MiB of values and text that one thread may hold; 384 unless told. One that needs more ends with its export. */
  readonly memoryLimit?: number
}

/** Threads at a time. Each has a core to itself at best; the others wait for their turn. */
const MAX_RENDERS = 2
const MAX_PREVIEWS = 2
const MAX_WAITING_PREVIEWS = 50
/** Milliseconds that a thread gets to end by itself. */
export const STOP_GRACE = 5000
/** The largest record takes some tens of it. */
const MEMORY_LIMIT = 384
/** MiB. With half of it csv takes a sixth longer: the library makes much garbage. More makes the thread larger only. */
const YOUNG_GENERATION = 16

export function createRenderer(options: RendererOptions): Renderer {
  const { location } = options
  const renders = new Gate({ size: MAX_RENDERS })
  const previews = new Gate({
    size: MAX_PREVIEWS,
    maxWaiting: MAX_WAITING_PREVIEWS,
    refuse: () => tooMany('exports'),
  })
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const runInside = async <Result>(gate: Gate, signal: AbortSignal, work: (either: AbortSignal) => Promise<Result>) => {
    const either = AbortSignal.any([signal, closing.signal])
    const result = gate.run(() => work(either), { signal: either })
    const settled = result.catch(() => undefined)
    running.add(settled)
    return result.finally(() => running.delete(settled))
  }
  const run = (
    task: RenderTask,
    signal: AbortSignal,
    onProgress?: (done: RenderProgress) => void,
  ): Promise<FromRenderThread> => runThread({ role: 'render', location, task }, signal, { ...options, onProgress })

  return {
    render: (request, signal, onProgress) =>
      runInside(renders, signal, async (either) => {
        await makeFile(request.spoolFile)
        try {
          const answer = await run({ kind: 'render', request }, either, onProgress)
          if (answer.kind === 'rendered') return answer.rendered
          throw asRenderError(answer)
        } catch (error) {
          await rm(request.spoolFile, { force: true })
          throw error
        }
      }),
    preview: (selection, limit, signal) =>
      runInside(previews, signal, async (either) => {
        const answer = await run({ kind: 'preview', selection, limit }, either)
        if (answer.kind === 'previewed') return answer.text
        throw asRenderError(answer)
      }),
    async close() {
      closing.abort(new PimletError('UNAVAILABLE', 'The server is shutting down'))
      await Promise.all(running)
    },
  }
}

/** Resolves to what the thread answered, when it has ended. */
async function runThread(
  workerData: RenderThreadData,
  signal: AbortSignal,
  options: RendererOptions & { readonly onProgress?: ((done: RenderProgress) => void) | undefined },
): Promise<FromRenderThread> {
  const { onFault, memoryLimit = MEMORY_LIMIT, onProgress } = options
  signal.throwIfAborted()
  const worker = startThread(workerData, threadLimits(memoryLimit))
  let grace: NodeJS.Timeout | undefined
  const stop = (): void => {
    worker.postMessage({ kind: 'stop' } satisfies ToRenderThread)
    grace = setTimeout(() => void worker.terminate(), STOP_GRACE)
  }
  signal.addEventListener('abort', stop, { once: true })
  let answer: FromRenderThread | undefined
  let why = 'The export was interrupted'
  worker.on('message', (message: FromRenderThread) => {
    if (message.kind === 'progress') onProgress?.(message.done)
    else answer = message
  })
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') why = 'The export needs more memory than one export may take'
    onFault('A render thread stopped', error)
  })
  await new Promise((resolve) => worker.once('exit', resolve))
  signal.removeEventListener('abort', stop)
  clearTimeout(grace)
  signal.throwIfAborted()
  if (answer === undefined) throw new PimletError('UNAVAILABLE', why)
  return answer
}

export function threadLimits(memoryLimit = MEMORY_LIMIT) {
  return { maxOldGenerationSizeMb: memoryLimit, maxYoungGenerationSizeMb: YOUNG_GENERATION }
}

/** Made here and not in the thread, so that it can be removed whatever becomes of the thread. */
async function makeFile(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(translateFileError)
  await file.close()
}

export function asRenderError(answer: FromRenderThread): Error {
  if (answer.kind !== 'failed') return new Error(`A render thread answered '${answer.kind}' to another question`)
  const { code, message } = answer
  return code === 'INTERNAL_ERROR' ? new Error(message) : new PimletError(code, message)
}
