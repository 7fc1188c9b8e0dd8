// A thread that renders one export and ends. Whatever goes wrong in it, memory included, ends that export alone.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../domain/errors.ts'
import type { OpenRecordSnapshot, StoreLocation } from '../storage/port.ts'
import type { FromRenderThread, RenderTask, RenderThreadData } from './render-messages.ts'
import { previewExport, renderExport } from './rendering.ts'

export function runRenderThread(openSnapshot: OpenRecordSnapshot): void {
  const { location, task } = workerData as RenderThreadData
  const port = parentPort!
  const stopping = new AbortController()
  port.once('message', () => stopping.abort())
  const answer = async (): Promise<void> => {
    port.postMessage(await runTask(task, location, openSnapshot, stopping.signal).catch(describeFailure))
    port.close()
  }
  void answer()
}

async function runTask(
  task: RenderTask,
  location: StoreLocation,
  openSnapshot: OpenRecordSnapshot,
  signal: AbortSignal,
): Promise<FromRenderThread> {
  const snapshot = await openSnapshot(location)
  try {
    if (task.kind === 'preview') {
      return { kind: 'previewed', text: await previewExport(snapshot, task.selection, task.limit) }
    }
    return { kind: 'rendered', rendered: await renderExport(snapshot, task.request, signal) }
  } finally {
    await snapshot.close()
  }
}

function describeFailure(error: unknown): FromRenderThread {
  if (error instanceof PimletError) return { kind: 'failed', code: error.code, message: error.message }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', code: 'INTERNAL_ERROR', message }
}
