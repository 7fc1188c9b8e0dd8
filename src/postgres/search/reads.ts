// Starts the reader threads, which run searches and other long reads.
import type { GaugeValue } from '../../kernel/observing/metrics.ts'
import { ReaderPool } from '../../store/reading/reader-pool.ts'
import { createThreadedReads, type ThreadedReads } from '../../store/reading/threaded-reads.ts'
import type { PostgresLocation } from '../location.ts'
import type { PostgresReaderData } from '../readers/reader-thread.ts'

interface SearchReadsOptions {
  readonly location: PostgresLocation
  /** Milliseconds of work that one search may take. */
  readonly timeout: number
  readonly onFault: (message: string, error: unknown) => void
}

export class PostgresReaders {
  readonly reads: ThreadedReads
  readonly #pool: ReaderPool

  constructor({ location, timeout, onFault }: SearchReadsOptions) {
    const thread: PostgresReaderData = { role: 'databaseReader', location, timeout }
    this.#pool = new ReaderPool({ thread, onFault, onDamage: () => undefined })
    // PostgreSQL has no index file that must be opened first.
    this.#pool.renew()
    this.reads = createThreadedReads(this.#pool)
  }

  gauge(): GaugeValue {
    return {
      name: 'pimlet_reader_tasks',
      help: 'Searches and long lists under way in the reader threads',
      value: this.#pool.busy,
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
