// A client without a part in the attack, in its own process: measures how long others wait meanwhile.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const ORDER_MILLISECONDS = 60_000

export type ObserverOrder =
  | { readonly kind: 'begin'; readonly port: number; readonly path: string; readonly key: string }
  | { readonly kind: 'end' }

/** The longest waits, in milliseconds. */
export interface ObservedWaits {
  readonly health: number
  readonly record: number
  /** Number of all requests. */
  readonly asked: number
  /** Responses other than 200. */
  readonly failures: readonly string[]
}

export interface Observer {
  end(): Promise<ObservedWaits>
}

/** Requests `/healthz` and the record at `path` until `end` is called. */
export async function startObserver(question: { port: number; path: string; key: string }): Promise<Observer> {
  const child = fork(path.join(import.meta.dirname, 'observer-process.ts'), { execArgv: [] })
  const exited = once(child, 'exit')
  const failed = exited.then(() => Promise.reject(new Error('The observer ended')))
  failed.catch(() => undefined)
  const order = async <Result>(what: ObserverOrder): Promise<Result> => {
    child.send(what)
    const answered = once(child, 'message', { signal: AbortSignal.timeout(ORDER_MILLISECONDS) })
    const [result] = (await Promise.race([answered, failed])) as [Result]
    return result
  }
  await order({ kind: 'begin', ...question })
  return {
    async end() {
      const waits = await order<ObservedWaits>({ kind: 'end' })
      child.disconnect()
      await exited
      return waits
    },
  }
}
