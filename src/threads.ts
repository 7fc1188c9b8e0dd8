// What runs in a thread, by the role that its workerData names: the composition root of the threads, as `app.ts` is of
// the main thread.
import { workerData } from 'node:worker_threads'
import { runReaderThread } from './storage/sqlite/readers/reader-thread.ts'
import { runIndexThread } from './storage/sqlite/search-index/index-thread.ts'

const threads = { index: runIndexThread, reader: runReaderThread }

/** Runs the thread that this one was started for. */
export function runThread(): void {
  threads[(workerData as { role: keyof typeof threads }).role]()
}
