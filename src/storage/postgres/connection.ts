// Connecting to PostgreSQL and speaking its errors: the one file that knows its client.
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { PimletError } from '../../domain/errors.ts'
import { SilenceWatch } from './silence.ts'
import { fromStored, toStored } from './stored-text.ts'

/** For `$1`, `$2` …: texts may hold what PostgreSQL cannot store; an array is one parameter. */
export type Parameters = readonly unknown[]

/** Whatever can be asked: a connection, or a transaction that first writes what it holds back. */
export interface Session {
  rows<Row>(sql: string, parameters?: Parameters): Promise<Row[]>
  /** Resolves to how many rows changed. */
  run(sql: string, parameters?: Parameters): Promise<number>
}

export interface ConnectionOptions {
  /** As libpq has it: `postgresql://user@host:5432/database`. */
  readonly url: string
  /** Statements are sent without waiting for the answers to those before. Cursors need a connection without. */
  readonly isPipelined?: boolean
  /** Settings of the session by name. */
  readonly settings?: Readonly<Record<string, string | number>>
}

const MILLISECONDS_TO_CONNECT = 10_000
const MILLISECONDS_TO_LOOK = 5000
const MILLISECONDS_UNTIL_KEPT_ALIVE = 10_000
/** The database, too, gives up a connection at whose other end nobody is: it would keep its locks. Sockets of files know none of it. */
const OF_ALL = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
}
/** Texts of statements that a connection keeps prepared; others are planned each time. */
const KEPT = 500
const INT8 = 20
const TEXT = 25

export class Connection implements Session {
  readonly #client: pg.Client
  /** Name of each prepared statement by its text. */
  readonly #names = new Map<string, string>()
  readonly #closed = new AbortController()
  readonly #isPipelined: boolean
  /** The last answer that is awaited, where only one question may be under way. */
  #last: Promise<unknown> = Promise.resolve()
  /** Questions whose answers are awaited. */
  #asked = 0

  private constructor(client: pg.Client, isPipelined: boolean) {
    this.#client = client
    this.#isPipelined = isPipelined
    // Also where nothing is under way: whoever asks next is told.
    client.on('error', () => this.#closed.abort())
    client.on('end', () => this.#closed.abort())
  }

  /** @throws UNAVAILABLE */
  static async open({ url, isPipelined = false, settings = {} }: ConnectionOptions): Promise<Connection> {
    const client = new pg.Client({
      connectionString: url,
      pipeline: isPipelined,
      keepAlive: true,
      keepAliveInitialDelayMillis: MILLISECONDS_UNTIL_KEPT_ALIVE,
      connectionTimeoutMillis: MILLISECONDS_TO_CONNECT,
      application_name: 'pimlet',
      types: { getTypeParser },
    })
    const connection = new Connection(client, isPipelined)
    try {
      await client.connect()
      connection.#watch(url)
      const set = Object.entries({ ...OF_ALL, ...settings }).map(([name, value]) => `SET ${name} = '${value}'`)
      await connection.script(set.join('; '))
      return connection
    } catch (error) {
      await client.end().catch(() => undefined)
      throw translateError(error)
    }
  }

  /** Aborted when it is of no use any more. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** Process of the server that answers it: for `pg_cancel_backend`. */
  get processId(): number {
    return (this.#client as unknown as { processID: number }).processID
  }

  async rows<Row>(sql: string, parameters: Parameters = []): Promise<Row[]> {
    return (await this.#ask(sql, parameters)).rows as Row[]
  }

  async run(sql: string, parameters: Parameters = []): Promise<number> {
    return (await this.#ask(sql, parameters)).rowCount ?? 0
  }

  /** Planned for these parameters, whatever was asked before: for searches. */
  async planned<Row>(sql: string, parameters: Parameters = []): Promise<Row[]> {
    return (await this.#send({ text: sql, values: parameters.map(toParameter) })).rows as Row[]
  }

  /** Ends a transaction. @throws UNAVAILABLE where a statement in it has failed, and nothing is kept of it */
  async commit(): Promise<void> {
    const { command } = await this.#ask('COMMIT', [])
    if (command !== 'COMMIT') throw new PimletError('UNAVAILABLE', 'The database has refused the transaction')
  }

  /** Several statements without parameters. */
  async script(sql: string): Promise<void> {
    await this.#send({ text: sql })
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#client.end().catch(() => undefined)
  }

  #watch(url: string): void {
    const stream = streamOf(this.#client)
    const watch = new SilenceWatch({
      isWaiting: () => this.#asked > 0 || this.#closed.signal.aborted,
      isAlive: async () => this.#asked > 0 && (await worksStill(url, this.processId)),
      giveUp: () => void stream.destroy(new Error('Connection terminated: the database is silent')),
    })
    stream.on('data', () => watch.heard())
    stream.on('close', () => watch.stop())
  }

  #ask(text: string, parameters: Parameters): Promise<pg.QueryResult> {
    const name = this.#nameOf(text)
    const values = parameters.map(toParameter)
    return this.#send(name === undefined ? { text, values } : { name, text, values })
  }

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#asked += 1
    try {
      if (this.#isPipelined) return await this.#client.query(query)
      const answer = this.#last.then(() => this.#client.query(query))
      this.#last = answer.catch(() => undefined)
      return await answer
    } catch (error) {
      throw translateError(error)
    } finally {
      this.#asked -= 1
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= KEPT) return known
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

function streamOf(client: pg.Client): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream
}

/** Whether the database, as far as it answers, still works on what its process was asked. */
async function worksStill(url: string, processId: number): Promise<boolean> {
  const timeouts = { connectionTimeoutMillis: MILLISECONDS_TO_LOOK, query_timeout: MILLISECONDS_TO_LOOK }
  const client = new pg.Client({ connectionString: url, ...timeouts })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const sql = 'SELECT pg_backend_pid() AS own, (SELECT state FROM pg_stat_activity WHERE pid = $1) AS state'
    const { rows } = await client.query<{ own: number; state: string | null }>(sql, [processId])
    const { own, state } = rows[0]!
    const isBehindPooler = own !== (client as unknown as { processID: number }).processID
    return isBehindPooler || (state !== null && !state.startsWith('idle'))
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    streamOf(client).destroy()
  }
}

function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return toStored(value)
  return Array.isArray(value) ? value.map(toParameter) : value
}

const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8) return Number
  if (oid === TEXT) return fromStored
  return pg.types.getTypeParser(oid, format)
}) as typeof pg.types.getTypeParser

/** SQLSTATEs, or the classes that they begin with, of a database that cannot answer now. */
const UNAVAILABLE_STATES = ['53', '57P', '08', '55P03', '57014', '25P', '25006']
/** Of two transactions that stood in each other's way. */
const AGAIN_STATES = ['40001', '40P01']

/** `error` as the rest of the product knows it. A database that is full, gone or shutting down is UNAVAILABLE. */
export function translateError(error: unknown): unknown {
  if (error instanceof PimletError || !(error instanceof Error)) return error
  if (isLost(error) || UNAVAILABLE_STATES.some((state) => stateOf(error)?.startsWith(state)))
    return new PimletError('UNAVAILABLE', 'The database does not answer, is full or is shutting down', { cause: error })
  return error
}

/** Whether `error` says that a UNIQUE or PRIMARY KEY constraint does not hold. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(error) === '23505'
}

/** Whether the same transaction may succeed when it is run again. */
export function isWorthAgain(error: unknown): boolean {
  return AGAIN_STATES.includes(stateOf(error) ?? '')
}

/** Whether it says that a statement was ended, by its time or by somebody. */
export function isCancelled(error: unknown): boolean {
  return stateOf(error instanceof PimletError ? error.cause : error) === '57014'
}

function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Of the network, or of a client whose connection is over: the client says so in words. */
function isLost(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined || ['ECONNRESET', 'EPIPE', 'ECONNREFUSED'].includes(code ?? '')) return true
  return /^(Connection terminated|Client (was closed|has encountered)|timeout expired|Query read timeout)/.test(
    error.message,
  )
}
