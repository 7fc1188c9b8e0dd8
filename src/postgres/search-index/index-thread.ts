// Runs the search index in a thread with its own connection, which works while noted changes are not indexed.
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from '../connection.ts'
import { WRITER } from '../connections.ts'
import { Indexer } from './indexer.ts'
import type { FromIndexThread, PostgresIndexData, ToIndexThread } from './messages.ts'

/** Milliseconds between checks for changes of other servers, which may end before their changes are indexed. */
const LOOK_MILLISECONDS = 5000
const RETRY_MILLISECONDS = 1000
/** Milliseconds between runs that sort the pending list of the text index, before writers would have to. */
const TIDY_MILLISECONDS = 3000

export function runPostgresIndexThread(): void {
  const { location } = workerData as PostgresIndexData
  const loop = new IndexLoop(location)
  parentPort!.on('message', (message: ToIndexThread) => {
    if (message.kind === 'close') loop.close()
    else loop.advance(message.advances)
  })
  void loop.run()
}

class IndexLoop {
  readonly #location: PostgresIndexData['location']
  #connection: Connection | undefined
  #indexer: Indexer | undefined
  #advances = 0
  #isClosed = false
  #wake: () => void = () => undefined
  #tidied = 0

  constructor(location: PostgresIndexData['location']) {
    this.#location = location
  }

  advance(advances: number): void {
    this.#advances = advances
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async run(): Promise<void> {
    while (!this.#isClosed) {
      const { isDone, wait } = await this.#work()
      if (isDone || this.#isClosed) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await this.#connection?.close()
    parentPort!.close()
  }

  /** Runs one slice. @returns whether to continue at once, and otherwise how long to wait */
  async #work(): Promise<{ isDone: boolean; wait: number }> {
    const advances = this.#advances
    try {
      const indexer = await this.#open()
      const changes = await indexer.countPending()
      if (changes > 0) {
        post({ kind: 'behind', changes })
        await indexer.step()
        return { isDone: true, wait: 0 }
      }
      post({ kind: 'idle', advances })
      await this.#tidy()
      return { isDone: advances !== this.#advances, wait: LOOK_MILLISECONDS }
    } catch (error) {
      if (!this.#isClosed)
        post({ kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      await this.#connection?.close()
      this.#connection = undefined
      return { isDone: false, wait: RETRY_MILLISECONDS }
    }
  }

  async #open(): Promise<Indexer> {
    if (this.#connection === undefined || this.#connection.closed.aborted) {
      this.#connection = await Connection.open({ ...this.#location, settings: WRITER })
      this.#indexer = new Indexer(this.#connection)
    }
    return this.#indexer!
  }

  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidied < TIDY_MILLISECONDS) return
    this.#tidied = performance.now()
    await this.#connection!.rows("SELECT gin_clean_pending_list('record_text_trgm'::regclass)")
  }
}

function post(message: FromIndexThread): void {
  parentPort!.postMessage(message)
}
