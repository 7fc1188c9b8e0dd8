// A thread for reads that may be long: judging and rendering what is found would hold up the main thread. Each task has a connection
// of its own, and brings a step when it is asked for one.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../kernel/errors.ts'
import { buffersOf } from '../../store/reading/given-buffers.ts'
import type { FromReaderThread, ToReaderThread } from '../../store/reading/reader-messages.ts'
import { translateError } from '../postgres-errors.ts'
import { IdleSearchers } from './idle-searchers.ts'
import type { PostgresReaderData } from './reader-data.ts'
import { RunningTask } from './running-task.ts'

export function runPostgresReaderThread(): void {
  const { location, timeout } = workerData as PostgresReaderData
  const port = parentPort!
  const searchers = new IdleSearchers(location, timeout)
  const running = new Map<number, RunningTask>()
  const post = (message: FromReaderThread): void => port.postMessage(message, buffersOf(message))

  const end = async (id: number): Promise<void> => {
    const task = running.get(id)
    running.delete(id)
    // Whoever asked is told by the step that fails.
    await task?.stop().catch(() => undefined)
  }

  const advance = async (id: number): Promise<void> => {
    const task = running.get(id)
    if (task === undefined) {
      post({ kind: 'failed', id, code: 'UNAVAILABLE', message: 'The search was stopped' })
      return
    }
    try {
      const { items, total, next, isLast = false } = await task.next()
      if (isLast) await end(id)
      post({ kind: 'step', id, items, total, next, isLast })
    } catch (error) {
      await end(id)
      post({ kind: 'failed', id, ...describe(error) })
    }
  }

  port.on('message', (message: ToReaderThread) => {
    if (message.kind === 'close') {
      void Promise.all([...running.keys()].map(end))
        .then(() => searchers.close())
        .finally(() => port.close())
    } else if (message.kind === 'stop') {
      void end(message.id)
    } else {
      if (message.kind === 'start') running.set(message.id, new RunningTask(message, searchers, timeout))
      void advance(message.id)
    }
  })
}

function describe(error: unknown): { code: PimletError['code']; message: string } {
  const translated = translateError(error)
  if (translated instanceof PimletError) return { code: translated.code, message: translated.message }
  return { code: 'INTERNAL_ERROR', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
