// A thread for reads that may take long. Each task has its own connection and snapshot, and runs one step for each
// request of the main thread. Tasks alternate, and a stopped task ends after its slice.
import { workerData } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import { failureOf, serveTasks, type Steps } from '../../../kernel/worker.ts'
import { buffersOf } from '../../reading/given-buffers.ts'
import type {
  ReaderPart,
  ReaderQuestion,
  ReaderTask,
  ReaderThreadData,
  TaskStep,
} from '../../reading/reader-messages.ts'
import { isSearchTask, runOtherTask, runSearchTask, stepsOfTask } from '../../reading/run-task.ts'
import type { TaskTime } from '../../reading/task-time.ts'
import { isDamage, shareCache, translateError } from '../connection.ts'
import { categoryTree } from '../search/category-tree.ts'
import { beginSearch } from '../search/index-state.ts'
import { beginSnapshot, endSnapshot, openSearcher, type Searcher, versionsOf } from '../search/searcher.ts'
import { SqliteIndex } from '../search/sqlite-index.ts'

export interface SqliteReaderData extends ReaderThreadData {
  readonly role: 'reader'
  readonly databaseFile: string
  readonly indexFile: string
}

/** The most idle connections that stay open for the next task. */
const KEPT_CONNECTIONS = 4

const DAMAGED = 'The search index could not be read. A damaged index is rebuilt now: try again in a moment.'

export function runReaderThread(): void {
  const data = workerData as SqliteReaderData
  const idle: Searcher[] = []
  let running = 0
  const run = async function* (task: ReaderTask, time: TaskTime): AsyncGenerator<TaskStep, void> {
    const reader = idle.pop() ?? openSearcher(data)
    running += 1
    shareCache(reader.db, running)
    try {
      yield* answer(task, reader, time)
    } finally {
      running -= 1
      endSnapshot(reader)
      if (idle.length < KEPT_CONNECTIONS) idle.push(reader)
      else reader.db.close()
    }
  }
  const begin = ({ task }: ReaderQuestion): Steps<ReaderPart> =>
    stepsOfTask(task.kind, data.timeout, (time) => run(task, time))
  const describe = (error: unknown) => ({ ...failureOf(asPimletError(error)), isDamage: isDamage(error) })
  const close = (): void => {
    for (const reader of idle) reader.db.close()
  }
  serveTasks(begin, { describe, transfer: buffersOf, close })
}

function answer(task: ReaderTask, reader: Searcher, time: TaskTime): AsyncGenerator<TaskStep, void> {
  const { sql, reads } = reader
  const index = new SqliteIndex(sql, time)
  if (isSearchTask(task)) {
    const query = task.kind === 'search' ? task.query : task.query.search
    const ground = beginSearch(query, reader)
    return runSearchTask(task, { ...ground, index, found: reader.found.at(versionsOf(reader)) })
  }
  const { model } = beginSnapshot(reader)
  return runOtherTask(task, { model, categories: categoryTree(sql), reads, index })
}

function asPimletError(error: unknown): unknown {
  return isDamage(error) ? new PimletError('UNAVAILABLE', DAMAGED) : translateError(error)
}
