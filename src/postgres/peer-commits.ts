// Notices commits of other servers by regular reads of the workspace row, which every commit rewrites.
import { setTimeout as sleep } from 'node:timers/promises'
import type { News } from '../store/port.ts'
import type { Asked } from '../store/rows/session.ts'
import type { ModelCache } from './committed-model.ts'

const LOOK_MILLISECONDS = 100
/** The wait after the database did not answer. */
const RETRY_MILLISECONDS = 1000

interface Seen {
  /** Names the transaction that wrote the row. */
  readonly transaction: string
  readonly model: number
  readonly jobs: number
}

interface PeerCommitsParts {
  readonly from: Asked
  readonly models: ModelCache
  readonly onNews: (news: News) => void
}

export class PeerCommits {
  readonly #parts: PeerCommitsParts
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  #seen: Seen | undefined
  /** The transaction that this server committed last. */
  #own = ''

  constructor(parts: PeerCommitsParts) {
    this.#parts = parts
    this.#ended = this.#run()
  }

  /** Notes that this server has committed `transaction`. This number has 64 bits; the row contains the lower 32 bits. */
  committed(transaction: string): void {
    this.#own = BigInt.asUintN(32, BigInt(transaction)).toString()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const wait = await this.#look().then(
        () => LOOK_MILLISECONDS,
        () => RETRY_MILLISECONDS,
      )
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #look(): Promise<void> {
    const { from, models, onNews } = this.#parts
    const [row] = await from.rows<Seen>('SELECT xmin::text AS transaction, model, jobs FROM workspace')
    const before = this.#seen
    if (row === undefined || this.#closing.signal.aborted || row.transaction === before?.transaction) return
    // The model is loaded first, so that listeners find the new model.
    await models.learn(row.model, from)
    this.#seen = row
    if (before === undefined) return
    const news = { isOfModel: row.model !== before.model, isOfJobs: row.jobs !== before.jobs }
    // This server announced its own commits when they happened, together with earlier commits of other servers.
    if (row.transaction !== this.#own || news.isOfModel || news.isOfJobs) onNews(news)
  }
}
