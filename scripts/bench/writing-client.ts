// Writes from a separate process beside the reading client, so that neither delays the other and only the server is
// measured. Its program is `writing-client-process.ts`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { LoadResult } from './load.ts'
import type { ImportCounts, WritingOrder } from './writing-client-process.ts'

const ORDER_MILLISECONDS = 300_000

export interface WritingClient {
  /** Makes the records' requests and keeps them for `create`. The numbers are those of `Catalogue.valuesOf`. */
  prepareCreations(from: number, count: number): Promise<void>
  /** Sends the prepared requests, for at most `milliseconds`. */
  create(options: { port: number; connections: number; milliseconds: number }): Promise<LoadResult>
  /** Makes an ndjson file of the records, and keeps it for `import`. */
  prepareImport(from: number, count: number): Promise<void>
  import(port: number): Promise<ImportCounts>
  stop(): Promise<void>
}

export function startWritingClient(): WritingClient {
  const child = fork(path.join(import.meta.dirname, 'writing-client-process.ts'))
  const exited = once(child, 'exit')
  const failed = exited.then(() => Promise.reject(new Error('The writing client ended')))
  failed.catch(() => undefined)
  const order = async <Result>(what: WritingOrder): Promise<Result> => {
    child.send(what)
    const signal = AbortSignal.timeout(ORDER_MILLISECONDS)
    const [result] = (await Promise.race([once(child, 'message', { signal }), failed])) as [Result]
    return result
  }
  return {
    prepareCreations: (from, count) => order({ kind: 'prepareCreations', from, count }),
    create: (options) => order({ kind: 'create', ...options }),
    prepareImport: (from, count) => order({ kind: 'prepareImport', from, count }),
    import: (port) => order({ kind: 'import', port }),
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
