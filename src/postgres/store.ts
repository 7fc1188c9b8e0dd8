// The PostgreSQL store. One connection writes, several read, and one is for the leases and claims of this server.
import { PimletError } from '../kernel/errors.ts'
import { openTransaction } from '../store/transactions.ts'
import type { CommittedReads, LongTransaction, Reads, Store, StoreOptions, Transaction } from '../store/port.ts'
import type { GaugeValue } from '../kernel/observing/metrics.ts'
import {
  createCategoryTreeReads,
  createRepositories,
  createLongTransaction,
  createTransaction,
} from './repositories.ts'
import { CommitLoop } from './commit-loop.ts'
import { Committed, OfOneMoment } from './committed.ts'
import { ModelCache } from './committed-model.ts'
import type { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import { nameOwner } from './lease-rows.ts'
import { DatabaseLeases } from './leases.ts'
import { DatabasePresences } from './presences.ts'
import { PostgresFiles, PostgresLoginFailures } from './shared-state.ts'
import { describeLocation, postgresAt, type PostgresLocation } from './location.ts'
import { assertUsable, findWeakSettings, migrate } from './migrate.ts'
import { PeerCommits } from './peer-commits.ts'
import type { Availability } from './availability.ts'
import { DatabaseRequestClaims } from './request-claims.ts'
import { PostgresReaders } from './search/reads.ts'
import { FlushIndex } from './search-index/flush-index.ts'
import { IndexFollower } from './search-index/follower.ts'
import type { Session } from './session.ts'
import type { Transacting } from './transacting.ts'

export interface PostgresStoreOptions extends StoreOptions {
  /** In the format of libpq. */
  readonly url: string
  /** The URL of the same database for threads; `url` by default. */
  readonly threadsUrl?: string | undefined
}

/**
 * Opens, makes or upgrades the workspace.
 * @throws DatabaseUnusable for a database that this version cannot use, UNAVAILABLE for one that does not answer
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const connections = new Connections({ url: options.url })
  let writer: Connection | undefined
  try {
    writer = await connections.writer()
    await assertUsable(writer)
    await migrate(writer, undefined, options.onUpgrade)
    for (const weakness of await findWeakSettings(writer))
      options.onWarning?.(`${describeLocation(postgresAt(options.url))}: ${weakness}`)
    const store = new PostgresStore(connections, writer, options)
    await Promise.all([store.leases.begin().then(() => store.requestClaims.begin()), connections.prepare()])
    tellOf(connections.availability, options)
    return store
  } catch (error) {
    await Promise.all([writer?.close(), connections.close()])
    throw error
  }
}

/** Warns the operator when the database stops answering, and when it answers again. */
function tellOf(availability: Availability, { url, onWarning }: PostgresStoreOptions): void {
  const place = describeLocation(postgresAt(url))
  availability.onChange((isAway) =>
    onWarning?.(isAway ? `${place} does not answer: requests are refused until it does` : `${place} answers again`),
  )
  availability.begin()
}

export class PostgresStore implements Store {
  readonly location: PostgresLocation
  readonly leases: DatabaseLeases
  readonly requestClaims: DatabaseRequestClaims
  readonly presences: DatabasePresences
  readonly files: PostgresFiles
  readonly loginFailures: PostgresLoginFailures
  readonly read: CommittedReads
  /** Names this server among all servers that have the workspace open. */
  readonly owner: string
  readonly #connections: Connections
  readonly #models = new ModelCache()
  readonly #committed: Committed
  readonly #loop: CommitLoop
  readonly #readers: PostgresReaders
  readonly #index: IndexFollower
  readonly #peerCommits: PeerCommits | undefined
  #closing: Promise<void> | undefined

  constructor(connections: Connections, writer: Connection, options: PostgresStoreOptions) {
    const { url, threadsUrl = url, onFault, onCommit = [], onNews, queryTimeout: timeout = 30_000 } = options
    this.location = postgresAt(url)
    this.#connections = connections
    this.#committed = new Committed(connections, this.#models)
    const owner = nameOwner(options.home)
    this.owner = owner
    this.leases = new DatabaseLeases({ connect: () => connections.writer(), owner, onFault })
    this.requestClaims = new DatabaseRequestClaims({ connection: () => this.leases.connection(), owner, onFault })
    this.presences = new DatabasePresences(() => this.leases.connection())
    const transact = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
      this.#loop.queue.submit(work)
    this.files = new PostgresFiles({ from: this.#committed, transact, owner })
    this.loginFailures = new PostgresLoginFailures({ from: this.#committed, transact })
    const location = postgresAt(threadsUrl)
    this.#readers = new PostgresReaders({ location, timeout, onFault })
    const flushed = new FlushIndex()
    const learn = (): Promise<void> => flushed.learn(this.#committed)
    this.#index = new IndexFollower({ location, onFault, onIdle: learn })
    this.read = {
      ...createRepositories(this.#committed, owner),
      ...this.#readers.reads,
      categoryTrees: createCategoryTreeReads(connections),
    }
    this.#loop = new CommitLoop({
      connect: () => connections.writer(),
      first: writer,
      models: this.#models,
      index: flushed,
      availability: connections.availability,
      onCommit: (transactions, name) => {
        if (flushed.takeNoted()) this.#index.advance()
        this.#peerCommits?.committed(name)
        for (const tell of onCommit) tell(transactions)
      },
    })
    if (onNews !== undefined)
      this.#peerCommits = new PeerCommits({ from: this.#committed, models: this.#models, onNews })
  }

  snapshot<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result> {
    return this.#connections.lend((connection) =>
      OfOneMoment.read(connection, this.#models, (session) => work(createRepositories(session, this.owner))),
    )
  }

  fresh(): Promise<void> {
    return this.#models.fresh(this.#committed)
  }

  credentialsVersion(): number {
    return this.#models.credentials
  }

  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#loop.queue.submit((run) => perform(run, createTransaction(run, this.owner), work))
  }

  longTransaction<Result>(work: (tx: LongTransaction) => Promise<Result>): Promise<Result> {
    return this.#loop.queue.submit((run) => perform(run, createLongTransaction(run, this.owner), work), {
      isLong: true,
    })
  }

  async whenCalm(): Promise<void> {
    // No background work makes writers wait.
  }

  async ping(): Promise<void> {
    if (this.#closing !== undefined) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
    await this.#committed.rows('SELECT 1')
  }

  gauges(): readonly GaugeValue[] {
    const gauge = (name: string, help: string, value: number): GaugeValue => ({ name, help, value })
    return [
      gauge('pimlet_writer_queue_transactions', 'Transactions that wait for the writer', this.#loop.queue.jobs.length),
      gauge('pimlet_search_index_behind_changes', 'Changes that are not in the search index yet', this.#index.behind),
      this.#readers.gauge(),
    ]
  }

  async agreeOnKeys(print: string): Promise<string> {
    const connection = await this.#connections.writer()
    try {
      await connection.run('UPDATE workspace SET key_print = $1 WHERE key_print IS NULL', [print])
      const [row] = await connection.rows<{ print: string }>('SELECT key_print AS print FROM workspace')
      return row!.print
    } finally {
      await connection.close()
    }
  }

  /** Does nothing: a workspace in PostgreSQL may have several servers. */
  async noteHolder(): Promise<void> {}

  /** Resolves when the search index contains everything that was committed before the call. */
  whenIndexed(): Promise<void> {
    return this.#index.whenIndexed()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#loop.close()
    await this.requestClaims.close()
    await this.leases.close()
    await Promise.all([this.#readers.close(), this.#index.close(), this.#peerCommits?.close()])
    await this.#connections.close()
  }
}

function perform<Own extends Transaction, Result>(
  run: Transacting,
  repositories: Own,
  work: (tx: Own) => Promise<Result>,
): Promise<Result> {
  const { tx, end } = openTransaction(repositories)
  run.onEnd(end)
  return work(tx)
}
