// The thread that keeps the search index: follows the records while the main thread answers requests, and moves the
// write-ahead logs into the databases, so that no request waits for that.
import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../../domain/errors.ts'
import { openReader, openWriter, restartLog, translateError } from '../connection.ts'
import { Indexer } from './indexer.ts'
import type { FromIndexThread, IndexThreadData, ToIndexThread } from './messages.ts'

/** Write-ahead logs are moved into their databases at this size; pages of the index change again and again meanwhile. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024
const INDEX_CHECKPOINT_BYTES = 64 * 1024 * 1024

export function runIndexThread(): void {
  const port = parentPort!
  const { databaseFile, indexFile, isDamaged } = workerData as IndexThreadData
  const reader = openReader(databaseFile)
  const maintenance = openWriter(databaseFile, { durable: true })
  const indexer = new Indexer(reader, indexFile, isDamaged)
  let isWorking = false
  let isClosing = false
  let isClosed = false
  let onWritersWait: (() => void) | undefined

  const post = (message: FromIndexThread): void => port.postMessage(message)
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

  const checkpoint = async (): Promise<void> => {
    if (sizeOf(`${databaseFile}-wal`) > CHECKPOINT_BYTES) {
      // Most of it while others write, so that they wait for the small rest only.
      maintenance.pragma('wal_checkpoint(PASSIVE)')
      post({ kind: 'restartLog' })
      await new Promise<void>((resolve) => (onWritersWait = resolve))
      restartLog(maintenance)
      post({ kind: 'logRestarted' })
    }
    if (sizeOf(`${indexFile}-wal`) > INDEX_CHECKPOINT_BYTES) indexer.checkpoint()
  }

  const work = async (): Promise<void> => {
    if (isWorking || isClosed) return
    isWorking = true
    try {
      while (!isClosing && indexer.step()) {
        post({ kind: 'progress', ...indexer.progress })
        await checkpoint()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await checkpoint()
      post({ kind: 'progress', ...indexer.progress })
      post({ kind: 'idle' })
    } finally {
      isWorking = false
    }
    if (isClosing) {
      isClosed = true
      indexer.close()
      reader.close()
      maintenance.close()
      port.close()
    }
  }

  const start = (): void => {
    // A fault ends the thread with its error; the main thread starts another.
    work().catch((error: unknown) => {
      if (!(translateError(error) instanceof PimletError)) post({ kind: 'damaged' })
      setImmediate(() => {
        throw error
      })
    })
  }

  port.on('message', (message: ToIndexThread) => {
    if (message.kind === 'close') isClosing = true
    if (message.kind !== 'advance') onWritersWait?.()
    if (message.kind !== 'writersWait') start()
  })
  post({ kind: 'progress', ...indexer.progress })
  start()
}
