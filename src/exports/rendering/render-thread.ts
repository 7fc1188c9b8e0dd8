// A thread that renders one export and ends. Whatever goes wrong in it, memory included, ends that export alone.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../kernel/errors.ts'
import type { OpenFoundSnapshot, OpenRecordSnapshot, StoreLocation } from '../../store/port.ts'
import { renderFound } from './found-rendering.ts'
import type {
  ExportSelection,
  FromRenderThread,
  RenderProgress,
  RenderRequest,
  RenderTask,
  RenderThreadData,
  ToRenderThread,
} from './render-messages.ts'
import { allOf, foundBy, previewExport, type RecordSource, renderExport } from './rendering.ts'

/** How a thread gets at what is stored. */
interface Snapshots {
  readonly openSnapshot: OpenRecordSnapshot
  readonly openFoundSnapshot: OpenFoundSnapshot
}

export function runRenderThread({ openSnapshot, openFoundSnapshot }: Snapshots): void {
  const { location, task } = workerData as RenderThreadData
  const port = parentPort!
  if (task.kind === 'stream') {
    serveStream(task, location, openFoundSnapshot)
    return
  }
  const stopping = new AbortController()
  port.once('message', () => stopping.abort())
  const answer = async (): Promise<void> => {
    const answered = runTask(task, location, { openSnapshot, openFoundSnapshot }, stopping.signal)
    port.postMessage(await answered.catch(describeFailure))
    port.close()
  }
  void answer()
}

type StreamTask = Extract<RenderTask, { kind: 'stream' }>

/** Renders on when it is asked to: as long as nobody takes what is there, nothing more is made. */
function serveStream(task: StreamTask, location: StoreLocation, openFoundSnapshot: OpenFoundSnapshot): void {
  const port = parentPort!
  const { request, queryTimeout } = task
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    const snapshot = await openFoundSnapshot(location, request.query, queryTimeout)
    try {
      yield* renderFound(snapshot, request)
    } finally {
      await snapshot.close()
    }
  }
  const parts = chunks()
  const answer = async (): Promise<void> => {
    const next = await parts.next()
    if (next.done === true) port.postMessage({ kind: 'end' } satisfies FromRenderThread)
    else port.postMessage({ kind: 'chunk', bytes: next.value } satisfies FromRenderThread)
  }
  port.on('message', ({ kind }: ToRenderThread) => {
    if (kind === 'next') answer().catch((error: unknown) => port.postMessage(describeFailure(error)))
    // What is open is closed with the thread, which waits for nothing more.
    else process.exit()
  })
}

function onProgress(done: RenderProgress): void {
  parentPort!.postMessage({ kind: 'progress', done } satisfies FromRenderThread)
}

async function runTask(
  task: Exclude<RenderTask, StreamTask>,
  location: StoreLocation,
  snapshots: Snapshots,
  signal: AbortSignal,
): Promise<FromRenderThread> {
  const selection = task.kind === 'preview' ? task.selection : task.request
  const { source, close } = await openSource(selection, location, snapshots)
  try {
    if (task.kind === 'preview')
      return { kind: 'previewed', text: await previewExport(source, task.selection, task.limit) }
    return { kind: 'rendered', rendered: await renderExport(source, task.request, { signal, onProgress }) }
  } finally {
    await close()
  }
}

async function openSource(
  selection: ExportSelection & Pick<RenderRequest, 'feed'>,
  location: StoreLocation,
  { openSnapshot, openFoundSnapshot }: Snapshots,
): Promise<{ source: RecordSource; close: () => Promise<void> }> {
  if (selection.query === null) {
    const snapshot = await openSnapshot(location)
    return { source: allOf(snapshot, selection), close: () => snapshot.close() }
  }
  // A run has a time of its own.
  const snapshot = await openFoundSnapshot(location, selection.query, Infinity)
  try {
    return { source: await foundBy(snapshot, selection, selection.feed), close: () => snapshot.close() }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

function describeFailure(error: unknown): FromRenderThread {
  if (error instanceof PimletError) return { kind: 'failed', code: error.code, message: error.message }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', code: 'INTERNAL_ERROR', message }
}
