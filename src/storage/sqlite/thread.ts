// Where the threads of the store begin; the bundle's entry asks `workerData` likewise.
import { workerData } from 'node:worker_threads'
import { runReaderThread } from './readers/reader-thread.ts'
import { runIndexThread } from './search-index/index-thread.ts'

export interface ThreadData {
  readonly role: 'index' | 'reader'
}

export function runThread(): void {
  const { role } = workerData as ThreadData
  if (role === 'index') runIndexThread()
  else runReaderThread()
}

runThread()
