// The start of every thread besides the main thread, and their composition root, as `app/app.ts` is of the main thread.
// Without top-level await: the bundle is CommonJS.
import { workerData } from 'node:worker_threads'
import { lowerPriority } from './kernel/machine/system.ts'

/** By the role in workerData. Each role loads its own code only, because every thread has its own copy of the code. */
const threads = {
  index: async (): Promise<void> => (await import('./workspace/storages.ts')).storageThreads.index(),
  import: async (): Promise<void> => {
    const { runImportThread } = await import('./imports/readers/import-thread.ts')
    runImportThread()
  },
  plugin: async (): Promise<void> => {
    const { runPluginThread } = await import('./exports/plugin-threads/plugin-thread.ts')
    await runPluginThread()
  },
  databaseIndex: async (): Promise<void> => (await import('./workspace/storages.ts')).storageThreads.databaseIndex(),
  databaseReader: async (): Promise<void> => (await import('./workspace/storages.ts')).storageThreads.databaseReader(),
  reader: async (): Promise<void> => (await import('./workspace/storages.ts')).storageThreads.reader(),
  render: async (): Promise<void> => {
    const { runRenderThread } = await import('./exports/rendering/render-thread.ts')
    const { openFoundSnapshot, openSnapshot } = await import('./workspace/storages.ts')
    runRenderThread({ openFoundSnapshot, openSnapshot })
  },
}

async function runThread(): Promise<void> {
  lowerPriority()
  await threads[(workerData as { role: keyof typeof threads }).role]()
}

// A rejection ends the thread with its error.
void runThread()
