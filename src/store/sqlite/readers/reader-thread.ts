// A thread for reads that may be long. Each task has a connection of its own, so its own snapshot, and runs in short
// steps when the main thread asks for them: tasks take turns, and a stopped one ends at its next step.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import { buffersOf } from '../../reading/given-buffers.ts'
import type { FromReaderThread, ReaderTask, ToReaderThread } from '../../reading/reader-messages.ts'
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
import type { SqliteReaderData } from './reader-data.ts'

/** Connections that are kept open for the next task. */
const KEPT_CONNECTIONS = 4

const DAMAGED = 'The search index could not be read. Where it is damaged, it is made anew now: try again in a moment.'

interface RunningTask {
  readonly reader: Searcher
  readonly kind: ReaderTask['kind']
  readonly steps: Iterator<TaskStep, void>
  /** Milliseconds. */
  spent: number
}

const NO_MORE: TaskStep = { items: [], isLast: true }

export function runReaderThread(): void {
  const data = workerData as SqliteReaderData
  const port = parentPort!
  const idle: Searcher[] = []
  const running = new Map<number, RunningTask>()

  const post = (message: FromReaderThread): void => port.postMessage(message, buffersOf(message))

  const end = (id: number): void => {
    const task = running.get(id)
    if (task === undefined) return
    running.delete(id)
    task.steps.return?.()
    endSnapshot(task.reader)
    if (idle.length < KEPT_CONNECTIONS) idle.push(task.reader)
    else task.reader.db.close()
  }

  const advance = (id: number): void => {
    const task = running.get(id)
    if (task === undefined) {
      post({ kind: 'failed', id, code: 'UNAVAILABLE', message: 'The search was stopped' })
      return
    }
    const begin = performance.now()
    try {
      const step = task.steps.next()
      task.spent += performance.now() - begin
      if (task.spent > data.timeout) throw tookTooLong(task.kind)
      const { items, total, next, isLast = false } = step.value ?? NO_MORE
      if (isLast) end(id)
      post({ kind: 'step', id, items, total, next, isLast })
    } catch (error) {
      end(id)
      const { code, message } = asPimletError(error)
      post({ kind: 'failed', id, code, message, isDamage: isDamage(error) })
    }
  }

  port.on('message', (message: ToReaderThread) => {
    if (message.kind === 'close') {
      for (const id of running.keys()) end(id)
      for (const reader of idle) reader.db.close()
      port.close()
    } else if (message.kind === 'stop') {
      end(message.id)
    } else {
      if (message.kind === 'start') {
        const reader = idle.pop() ?? openSearcher(data)
        shareCache(reader.db, running.size + 1)
        const { task } = message
        running.set(message.id, { kind: task.kind, reader, steps: runTask(task, reader), spent: 0 })
      }
      advance(message.id)
    }
  })
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

function asPimletError(error: unknown): PimletError {
  if (isDamage(error)) return new PimletError('UNAVAILABLE', DAMAGED)
  const translated = translateError(error)
  if (translated instanceof PimletError) return translated
  return new PimletError('INTERNAL_ERROR', error instanceof Error ? (error.stack ?? error.message) : String(error))
}
