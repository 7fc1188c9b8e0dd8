// A thread for long reads. Each task has a connection of its own, and so its own snapshot, and runs in short steps when
// the main thread asks for them: tasks take turns, and a stopped one ends at its next step.
import { workerData } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import { failureOf, serveTasks, type Steps } from '../../../kernel/worker.ts'
import { buffersOf } from '../../reading/given-buffers.ts'
import type { ReaderPart, ReaderQuestion, ReaderTask, ReaderThreadData } from '../../reading/reader-messages.ts'
import {
  isSearchTask,
  NO_ITEMS,
  runOtherTask,
  runSearchTask,
  type TaskStep,
  tookTooLong,
} from '../../reading/run-task.ts'
import { isDamage, shareCache, translateError } from '../connection.ts'
import { followProgram } from '../search/answer-plan.ts'
import { categoryTree } from '../search/category-tree.ts'
import { groundOf } from '../search/index-state.ts'
import { SnapshotMissed } from '../search/pending.ts'
import { beginSnapshot, endSnapshot, openSearcher, type Searcher } from '../search/searcher.ts'

/** Connections that are kept open for the next task. */
const KEPT_CONNECTIONS = 4

const DAMAGED = 'The search index could not be read. Where it is damaged, it is made anew now: try again in a moment.'

const NO_MORE: TaskStep = { items: [], isLast: true }

export function runReaderThread(): void {
  const data = workerData as SqliteReaderData
  const idle: Searcher[] = []
  let running = 0
  const begin = ({ task }: ReaderQuestion): Steps<ReaderPart> => {
    const reader = idle.pop() ?? openSearcher(data)
    running += 1
    shareCache(reader.db, running)
    const steps = runTask(task, reader)
    /** Milliseconds. */
    let spent = 0
    return {
      next() {
        const began = performance.now()
        const step = steps.next()
        spent += performance.now() - began
        if (spent > data.timeout) throw tookTooLong(task.kind)
        const { items, total, next, isLast = false } = step.value ?? NO_MORE
        return { part: { items, total, next }, isLast }
      },
      close() {
        running -= 1
        steps.return?.()
        endSnapshot(reader)
        if (idle.length < KEPT_CONNECTIONS) idle.push(reader)
        else reader.db.close()
      },
    }
  }
  const describe = (error: unknown) => ({ ...failureOf(asPimletError(error)), isDamage: isDamage(error) })
  const close = (): void => {
    for (const reader of idle) reader.db.close()
  }
  serveTasks(begin, { describe, transfer: buffersOf, close })
}

function* runTask(task: ReaderTask, reader: Searcher): Generator<TaskStep, void> {
  if (task.kind === 'list') {
    const { items, total } = reader.records.listNow(task.filter, task.page)
    yield { items, total, isLast: true }
    return
  }
  if (!isSearchTask(task)) {
    const { model } = beginSnapshot(reader)
    yield* followProgram(runOtherTask(task, { model, categories: categoryTree(reader.sql) }), NO_ITEMS, reader)
    return
  }
  const query = task.kind === 'search' ? task.query : task.query.search
  // Again, where the index has moved on between its snapshot and that of the records: that shows before anything is found.
  for (;;) {
    const snapshot = beginSnapshot(reader)
    try {
      const ground = groundOf(query, reader.sql, snapshot)
      yield* followProgram(runSearchTask(task, ground), NO_ITEMS, reader)
      return
    } catch (error) {
      if (!(error instanceof SnapshotMissed)) throw error
      endSnapshot(reader)
    }
  }
}

function asPimletError(error: unknown): unknown {
  return isDamage(error) ? new PimletError('UNAVAILABLE', DAMAGED) : translateError(error)
}

export interface SqliteReaderData extends ReaderThreadData {
  readonly role: 'reader'
  readonly databaseFile: string
  readonly indexFile: string
}
