// Where every thread of the process begins: the composition root of the threads, as `app.ts` is of the main thread.
import { workerData } from 'node:worker_threads'
import { runRenderThread } from './exports/render-thread.ts'
import { runReaderThread, yieldToOtherThreads } from './storage/sqlite/readers/reader-thread.ts'
import { runIndexThread } from './storage/sqlite/search-index/index-thread.ts'
import { openRecordSnapshot } from './storage/sqlite/snapshot.ts'

const threads = {
  index: runIndexThread,
  reader: runReaderThread,
  render: () => {
    yieldToOtherThreads()
    runRenderThread(openRecordSnapshot)
  },
}

export function runThread(): void {
  threads[(workerData as { role: keyof typeof threads }).role]()
}

runThread()
