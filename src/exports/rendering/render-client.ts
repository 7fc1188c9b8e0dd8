// The main thread's side of rendering: a thread for each export, few at a time. It renders runs to the spool, and files of a search
// to the client. Contract 2 §6, 3 §11.
import { open, rm } from 'node:fs/promises'
import type { StoreLocation } from '../../store/port.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import { Gate, tooMany } from '../../kernel/gate.ts'
import { TaskThread, Works, partsOf } from '../../kernel/worker.ts'
import type {
  ExportSelection,
  Rendered,
  RenderParts,
  RenderProgress,
  RenderRequest,
  RenderTask,
  RenderThreadData,
  FoundRequest,
} from './render-messages.ts'

export interface Renderer {
  /**
   * Writes the export of one snapshot to the spool file, and resolves when the file is complete and durable.
   * @throws NOT_FOUND for an unknown role
   * @throws PERMISSION_DENIED for a role that may not read records
   * @throws UNAVAILABLE when storage is full or the server is shutting down
   * @throws the signal's reason when it is aborted
   */
  render(request: RenderRequest, signal: AbortSignal, onProgress?: (done: RenderProgress) => void): Promise<Rendered>
  /** The text of the first `limit` records, uncompressed; fewer where they are very large. Throws as `render` does. */
  preview(request: ExportSelection, limit: number, signal: AbortSignal): Promise<string>
  /** Ends open tasks, which reject with UNAVAILABLE, and refuses new ones. */
  close(): Promise<void>
}

export interface RendererOptions {
  readonly location: StoreLocation
  /** Called with faults of a thread, besides the rejection of its task. */
  readonly onFault: (message: string, error: unknown) => void
  /** Maximum MiB of values and text in one thread; default 384. A thread that needs more ends with its export. */
  readonly memoryLimit?: number
}

/** Threads at a time, because each needs a core. Other tasks wait. */
const MAX_RENDERS = 2
const MAX_PREVIEWS = 2
const MAX_WAITING_PREVIEWS = 50
/** Milliseconds that a thread gets to end by itself. */
const STOP_GRACE = 5000
/** MiB. The largest record takes some tens of MiB. */
const MEMORY_LIMIT = 384
/** MiB. With half of this size, csv takes a sixth longer. A larger size only makes the thread larger. */
const YOUNG_GENERATION = 16

export function createRenderer(options: RendererOptions): Renderer {
  const renders = new Gate({ size: MAX_RENDERS })
  const previews = new Gate({
    size: MAX_PREVIEWS,
    maxWaiting: MAX_WAITING_PREVIEWS,
    refuse: () => tooMany('exports'),
  })
  const works = new Works()
  return {
    render: (request, signal, onNews) =>
      works.run(signal, (either) =>
        renders.run(() => renderFile(request, { ...options, signal: either }, onNews), { signal: either }),
      ),
    preview: (selection, limit, signal) =>
      works.run(signal, (either) =>
        previews.run(() => ask({ kind: 'preview', selection, limit }, { ...options, signal: either }), {
          signal: either,
        }),
      ),
    close: () => works.close(),
  }
}

type ThreadOptions = RendererOptions & { readonly signal: AbortSignal }
type OnProgress = (done: RenderProgress) => void

async function renderFile(request: RenderRequest, options: ThreadOptions, onNews?: OnProgress): Promise<Rendered> {
  await makeFile(request.spoolFile)
  try {
    return await ask({ kind: 'render', request }, options, onNews)
  } catch (error) {
    await rm(request.spoolFile, { force: true })
    throw error
  }
}

/** Resolves to the answer of the thread after its end. */
async function ask<Kind extends 'render' | 'preview'>(
  task: RenderTask & { readonly kind: Kind },
  options: ThreadOptions,
  onNews?: OnProgress,
): Promise<RenderParts[Kind]> {
  const { signal } = options
  signal.throwIfAborted()
  const thread = startRenderThread<Kind>(options)
  try {
    return await thread.ask(task, { onNews })
  } finally {
    await thread.end()
    signal.throwIfAborted()
  }
}

/** A thread for one task. The signal ends it. */
function startRenderThread<Kind extends RenderTask['kind']>({
  location,
  onFault,
  memoryLimit = MEMORY_LIMIT,
  signal,
}: ThreadOptions): TaskThread<RenderTask, RenderParts[Kind], RenderProgress> {
  const data: RenderThreadData = { role: 'render', location }
  return new TaskThread({
    data,
    limits: { maxOldGenerationSizeMb: memoryLimit, maxYoungGenerationSizeMb: YOUNG_GENERATION },
    grace: STOP_GRACE,
    signal,
    interrupted: 'The export was interrupted',
    outOfMemory: 'The export needs more memory than one export may take',
    onFault: (error) => onFault('A render thread stopped', error),
  })
}

/** Made on the main thread, so that it can be removed even if the thread dies. */
async function makeFile(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(translateFileError)
  await file.close()
}

export interface FoundExports {
  /**
   * Resolves when the first part of the file exists. The rendering ends when the iteration or the signal ends it.
   * @throws UNAVAILABLE, here or while iterating, if the search takes too long, or too many exports are requested at once
   */
  stream(request: FoundRequest, callerId: string, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array, void>>
  /** Ends open exports and refuses new ones. */
  close(): Promise<void>
}

interface FoundExportsOptions {
  readonly location: StoreLocation
  /** Milliseconds of work that finding and reading the records may take. */
  readonly queryTimeout: number
  readonly onFault: (message: string, error: unknown) => void
}

/** Each stream holds a thread and a snapshot until its client has taken the file. */
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
