// The start of every thread besides the main thread and of every process that the program starts for itself. It is their
// composition root, as `app/app.ts` is of the main thread.
// Without top-level await: the bundle is CommonJS.
import { isMainThread, workerData } from 'node:worker_threads'
import { PICTURE_PROCESS } from './kernel/executable/process-roles.ts'
import { lowerPriority } from './kernel/machine/system.ts'

/** By the role in workerData or in the first argument. Each role loads its own code only, because each has its own copy. */
const roles = {
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
  [PICTURE_PROCESS]: async (): Promise<void> => {
    const { runPictureProcess } = await import('./files/pictures/child/picture-process.ts')
    await runPictureProcess(process.argv[3] ?? '')
  },
}

async function runThread(): Promise<void> {
  lowerPriority()
  const role = isMainThread ? process.argv[2] : (workerData as { role: string }).role
  await roles[role as keyof typeof roles]()
}

// A rejection ends the thread with its error.
void runThread()
