// A thread that renders one export and ends. Whatever goes wrong in it, memory included, ends that export alone.
import { workerData } from 'node:worker_threads'
import { onlyStep, serveTasks, stepsOf } from '../../kernel/worker.ts'
import type { OpenFoundSnapshot, OpenRecordSnapshot, StoreLocation } from '../../store/port.ts'
import { renderFound } from './found-rendering.ts'
import type {
  ExportSelection,
  Rendered,
  RenderParts,
  RenderProgress,
  RenderRequest,
  RenderTask,
  RenderThreadData,
} from './render-messages.ts'
import { allOf, foundBy, previewExport, type RecordSource, renderExport } from './rendering.ts'

/** How a thread gets at what is stored. */
interface Snapshots {
  readonly openSnapshot: OpenRecordSnapshot
  readonly openFoundSnapshot: OpenFoundSnapshot
}

export function runRenderThread(snapshots: Snapshots): void {
  const { location } = workerData as RenderThreadData
  serveTasks<RenderTask, RenderParts[RenderTask['kind']], RenderProgress>((task, tell) => {
    if (task.kind !== 'stream') return onlyStep((signal) => runTask(task, location, snapshots, { signal, tell }))
    // What is open is closed with the thread, which waits for nothing more.
    return { ...stepsOf(chunksOf(task, location, snapshots)), stop: () => process.exit() }
  })
}

type StreamTask = Extract<RenderTask, { kind: 'stream' }>

async function* chunksOf(
  { request, queryTimeout }: StreamTask,
  location: StoreLocation,
  { openFoundSnapshot }: Snapshots,
): AsyncGenerator<Uint8Array, void> {
  const snapshot = await openFoundSnapshot(location, request.query, queryTimeout)
  try {
    yield* renderFound(snapshot, request)
  } finally {
    await snapshot.close()
  }
}

async function runTask(
  task: Exclude<RenderTask, StreamTask>,
  location: StoreLocation,
  snapshots: Snapshots,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (done: RenderProgress) => void },
): Promise<Rendered | string> {
  const selection = task.kind === 'preview' ? task.selection : task.request
  const { source, close } = await openSource(selection, location, snapshots)
  try {
    if (task.kind === 'preview') return await previewExport(source, task.selection, task.limit)
    return await renderExport(source, task.request, { signal, onProgress: tell })
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
