// The thread that keeps the search index: follows the records while the main thread answers requests, and moves the
// write-ahead logs into the databases, so that no request waits for that.
import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../../domain/errors.ts'
import { isDamage, openReader, openWriter, restartLog, translateError } from '../connection.ts'
import { findDamageIn } from '../maintenance/soundness.ts'
import { removeIndex } from './index-tables.ts'
import { Indexer } from './indexer.ts'
import type { FromIndexThread, IndexThreadData, ToIndexThread } from './messages.ts'

/** Write-ahead logs are moved into their databases at this size; pages of the index change again and again meanwhile. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024
const INDEX_CHECKPOINT_BYTES = 64 * 1024 * 1024

/** Milliseconds between checks: where it is not the index that is damaged, one is as good as many. */
const CHECK_INTERVAL = 60_000

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

  const removeDamagedIndex = (): void => {
    const [damage] = findDamageIn(indexFile)
    if (damage === undefined) return
    isClosed = true
    indexer.abandon()
    removeIndex(indexFile)
    throw new Error(`The search index is damaged and is made anew: ${damage}`)
  }

  const start = (): void => {
    // A fault ends the thread with its error; the main thread starts another.
    work().catch((error: unknown) => {
      if (!isDamage(error) && !(translateError(error) instanceof PimletError)) post({ kind: 'damaged' })
      setImmediate(() => {
        if (isDamage(error)) removeDamagedIndex()
        throw error
      })
    })
  }

  let checkedAt = -CHECK_INTERVAL
  const checkNow = (): void => {
    if (isClosed || performance.now() - checkedAt < CHECK_INTERVAL) return
    removeDamagedIndex()
    checkedAt = performance.now()
    post({ kind: 'sound' })
  }

  port.on('message', (message: ToIndexThread) => {
    if (message.kind === 'close') isClosing = true
    if (message.kind === 'check') {
      checkNow()
      return
    }
    if (message.kind !== 'advance') onWritersWait?.()
    if (message.kind !== 'writersWait') start()
  })
  post({ kind: 'progress', ...indexer.progress })
  start()
}
