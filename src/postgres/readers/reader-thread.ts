// A thread for reads that may be long: judging and rendering what is found would hold up the main thread. Each task has a connection
// of its own, and brings a step when it is asked for one.
import { workerData } from 'node:worker_threads'
import { failureOf, serveTasks } from '../../kernel/worker.ts'
import { buffersOf } from '../../store/reading/given-buffers.ts'
import type { ReaderPart, ReaderQuestion } from '../../store/reading/reader-messages.ts'
import { translateError } from '../postgres-errors.ts'
import { IdleSearchers } from './idle-searchers.ts'
import type { PostgresReaderData } from './reader-data.ts'
import { RunningTask } from './running-task.ts'

export function runPostgresReaderThread(): void {
  const { location, timeout } = workerData as PostgresReaderData
  const searchers = new IdleSearchers(location, timeout)
  serveTasks<ReaderQuestion, ReaderPart>((question) => new RunningTask(question, searchers, timeout), {
    describe: (error) => failureOf(translateError(error)),
    transfer: buffersOf,
    close: () => searchers.close(),
  })
}
