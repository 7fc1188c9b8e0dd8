// Controls `references/bare-writer.ts` from the parent process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { BareOrder, BareResult, BareUpdateOrder } from './references/bare-writer.ts'

const ORDER_MILLISECONDS = 300_000

export interface BareWriterOptions {
  readonly file: string
  /** `synchronous=FULL`; otherwise NORMAL. */
  readonly durable: boolean
  /** `wal_autocheckpoint`; SQLite's default is 1,000. */
  readonly checkpointPages?: number
}

export interface BareWriter {
  insert(order: BareOrder): Promise<BareResult>
  update(order: BareUpdateOrder): Promise<BareResult>
  stop(): Promise<void>
}

export function startBareWriter({ file, durable, checkpointPages = 1000 }: BareWriterOptions): BareWriter {
  const script = path.join(import.meta.dirname, 'references/bare-writer.ts')
  const child = fork(script, [file, durable ? 'durable' : 'quick', String(checkpointPages)])
  const exited = once(child, 'exit')
  const failed = exited.then(() => Promise.reject(new Error('The bare writer ended')))
  failed.catch(() => undefined)
  const follow = async (order: BareOrder | BareUpdateOrder): Promise<BareResult> => {
    child.send(order)
    const signal = AbortSignal.timeout(ORDER_MILLISECONDS)
    const [result] = (await Promise.race([once(child, 'message', { signal }), failed])) as [BareResult]
    return result
  }
  return {
    insert: follow,
    update: follow,
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
