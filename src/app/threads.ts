// What runs in a thread, by the role that its workerData names: the composition root of the threads, as `app.ts` is of
// the main thread.
import { workerData } from 'node:worker_threads'
import { lowerPriority } from '../kernel/machine/priority.ts'

/** Each imports its own code only: a thread has a copy of all that it loads. */
const threads = {
  index: async (): Promise<void> => (await import('../workspace/storages.ts')).storageThreads.index(),
  import: async (): Promise<void> => {
    const { runImportThread } = await import('../imports/readers/import-thread.ts')
    runImportThread()
  },
  plugin: async (): Promise<void> => {
    const { runPluginThread } = await import('../exports/plugin-threads/plugin-thread.ts')
    await runPluginThread()
  },
  databaseIndex: async (): Promise<void> => (await import('../workspace/storages.ts')).storageThreads.databaseIndex(),
  databaseReader: async (): Promise<void> => (await import('../workspace/storages.ts')).storageThreads.databaseReader(),
  reader: async (): Promise<void> => (await import('../workspace/storages.ts')).storageThreads.reader(),
  render: async (): Promise<void> => {
    const { runRenderThread } = await import('../exports/rendering/render-thread.ts')
    const { openFoundSnapshot, openSnapshot } = await import('../workspace/storages.ts')
    runRenderThread({ openFoundSnapshot, openSnapshot })
  },
}

/** Runs the thread that this one was started for. */
export async function runThread(): Promise<void> {
  lowerPriority()
  await threads[(workerData as { role: keyof typeof threads }).role]()
}
