// Connects to PostgreSQL, directly or through a pooler. Only this file knows the client library.
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { PimletError } from '../kernel/errors.ts'
import type { Asked } from '../store/rows/session.ts'
import { endsConnection, isAway, translateError } from './postgres-errors.ts'
import { KeepaliveProbe } from './keepalive-probe.ts'

/** Parameters for `$1`, `$2` …. Texts may contain characters that PostgreSQL cannot store; an array is one parameter. */
type Parameters = readonly unknown[]

export interface ConnectionOptions {
  /** In the format of libpq: `postgresql://user@host:5432/database`. */
  readonly url: string
  /** True: statements are sent without waiting for earlier answers. Cursors need a connection that is not pipelined. */
  readonly isPipelined?: boolean
  /** Settings of the session by name; behind a pooler, settings of each transaction. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Called when the connection is silent, and a second connection cannot reach the database either. */
  readonly onAway?: (() => void) | undefined
}

/**
 * The process of the database that answers. `since`: the start of the transaction that it serves, as the database
 * writes it; null: it serves the whole connection.
 */
interface Backend {
  readonly process: number
  readonly since: string | null
}

const MILLISECONDS_TO_CONNECT = 10_000
const MILLISECONDS_TO_LOOK = 5000
const MILLISECONDS_UNTIL_KEPT_ALIVE = 10_000
/** Seconds of silence to accept outside of a transaction: a pooler does not name the process that works on the query. */
const SECONDS_OF_PATIENCE = 30
/**
 * With these settings, the database also closes a connection without a living client, which would keep its locks. Unix
 * sockets ignore them.
 */
const KEPT_ALIVE = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 }
const OF_ALL = { ...KEPT_ALIVE, tcp_user_timeout: 10_000 }
/** The most statements that a connection prepares; further statements are planned each time. */
const KEPT = 500
const INT8 = 20
const TEXT = 25

export class Connection implements Asked {
  readonly #client: pg.Client
  /** Statement text → name of the prepared statement. */
  readonly #names = new Map<string, string>()
  readonly #closed = new AbortController()
  readonly #isPipelined: boolean
  /** The last awaited answer. A connection that is not pipelined sends a query only after this answer. */
  #last: Promise<unknown> = Promise.resolve()
  /** The number of queries whose answers are awaited. */
  #asked = 0
  /** Statements that begin each transaction behind a pooler, because each transaction may get another process. */
  #toBegin: string | undefined
  #present: Backend | undefined

  private constructor(client: pg.Client, isPipelined: boolean) {
    this.#client = client
    this.#isPipelined = isPipelined
    // This also happens while no query is under way: then the next query is refused.
    client.on('error', () => this.#closed.abort())
    client.on('end', () => this.#closed.abort())
  }

  /** @throws UNAVAILABLE */
  static async open({ url, isPipelined = false, settings = {}, onAway }: ConnectionOptions): Promise<Connection> {
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
      connection.#watch(url, onAway)
      await connection.#set(settings)
      return connection
    } catch (error) {
      await client.end().catch(() => undefined)
      throw translateError(error)
    }
  }

  /** Aborted when the connection is unusable. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /**
   * The process of the database that answers now, for `pg_cancel_backend`. Behind a pooler, it is known within a
   * transaction only.
   */
  get processId(): number | undefined {
    return this.#backend?.process
  }

  async rows<Row>(sql: string, parameters: Parameters = []): Promise<Row[]> {
    return (await this.#ask(sql, parameters)).rows as Row[]
  }

  /** Resolves to the number of changed rows. */
  async run(sql: string, parameters: Parameters = []): Promise<number> {
    return (await this.#ask(sql, parameters)).rowCount ?? 0
  }

  /** Plans the statement for these parameters alone: for searches. */
  async planned<Row>(sql: string, parameters: Parameters = []): Promise<Row[]> {
    return (await this.#send({ text: sql, values: parameters.map(toParameter) })).rows as Row[]
  }

  /** Begins a transaction. @param how the statement that begins it, with its isolation */
  async begin(how = 'BEGIN'): Promise<void> {
    if (this.#toBegin === undefined) return this.script(how)
    const answers = await this.#send({ text: `${how}; ${this.#toBegin}` })
    this.#present = (answers as unknown as pg.QueryResult<Backend>[]).at(-1)!.rows[0]
  }

  /** Commits a transaction. @throws UNAVAILABLE if a statement of the transaction has failed, so that nothing is stored */
  async commit(): Promise<void> {
    const { command } = await this.#ask('COMMIT', [])
    if (command !== 'COMMIT') throw new PimletError('UNAVAILABLE', 'The database has refused the transaction')
  }

  /** Runs several statements without parameters. */
  async script(sql: string): Promise<void> {
    await this.#send({ text: sql })
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#client.end().catch(() => undefined)
  }

  /**
   * Applies settings. Behind a pooler, they would stay for the next client of the process, so each transaction sends
   * them again.
   */
  async #set(settings: Readonly<Record<string, string | number>>): Promise<void> {
    const values = Object.entries({ ...OF_ALL, ...settings }).map(
      ([name, value]) => `set_config('${name}', '${value}', NOT is_own)`,
    )
    const known = `SELECT pg_backend_pid() = ${processOf(this.#client)} AS is_own`
    const { rows } = await this.#send({ text: `SELECT is_own, ${values.join(', ')} FROM (${known}) AS known` })
    if ((rows[0] as { is_own: boolean }).is_own) return
    const local = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'; `)
    this.#toBegin = `${local.join('')}SELECT pg_backend_pid() AS process, now()::text AS since`
  }

  get #backend(): Backend | undefined {
    if (this.#toBegin === undefined) return { process: processOf(this.#client), since: null }
    return this.#client.getTransactionStatus() === 'I' ? undefined : this.#present
  }

  #watch(url: string, onAway: () => void = () => undefined): void {
    const stream = streamOf(this.#client)
    const watch = new KeepaliveProbe({
      isWaiting: () => this.#asked > 0 || this.#closed.signal.aborted,
      isAlive: async (seconds) => this.#asked > 0 && (await this.#isWorkedOn(url, seconds, onAway)),
      giveUp: () => void stream.destroy(new Error('Connection terminated: the database is silent')),
    })
    stream.on('data', () => watch.heard())
    stream.on('close', () => watch.stop())
  }

  /** Asks whether the database still works on the awaited queries after so many seconds of silence. */
  async #isWorkedOn(url: string, seconds: number, onAway: () => void): Promise<boolean> {
    const backend = this.#backend
    const isPatient = this.#toBegin === undefined || seconds < SECONDS_OF_PATIENCE
    try {
      const [row] = await lookAt<{ works: boolean }>(url, WORKS, [backend?.process ?? 0, backend?.since ?? null])
      return backend === undefined ? isPatient : row!.works
    } catch (error) {
      if (!isAway(error)) return isPatient
      onAway()
      return false
    }
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
      if (endsConnection(error)) this.#closed.abort()
      throw translateError(error)
    } finally {
      this.#asked -= 1
    }
  }

  #nameOf(text: string): string | undefined {
    // A statement that one process behind a pooler has prepared is unknown to the next process.
    if (this.#toBegin !== undefined) return undefined
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

/** Returns the process that the database announced; a pooler announces another number. */
function processOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID
}

const WORKS = `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'
  AND ($2::timestamptz IS NULL OR xact_start = $2)) AS works`

/** Runs one statement on a new connection, and closes this connection. @throws the untranslated fault */
async function lookAt<Row>(url: string, sql: string, parameters: Parameters = []): Promise<Row[]> {
  const timeouts = { connectionTimeoutMillis: MILLISECONDS_TO_LOOK, query_timeout: MILLISECONDS_TO_LOOK }
  const client = new pg.Client({ connectionString: url, ...timeouts })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql, [...parameters])).rows as Row[]
  } finally {
    streamOf(client).destroy()
  }
}

/** Resolves if the database answers, even with an error. @throws the fault that prevents an answer */
export async function assertThere(url: string): Promise<void> {
  await lookAt(url, 'SELECT 1').catch((error: unknown) => {
    if (isAway(error)) throw error
  })
}

const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8) return Number
  if (oid === TEXT) return fromStored
  return pg.types.getTypeParser(oid, format)
}) as typeof pg.types.getTypeParser

/** Begins an escaped text. It is a noncharacter, which no text uses. */
const MARK = '\ufdd0'

function toStored(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.startsWith(MARK)) return text
  return `${MARK}${JSON.stringify(text).slice(1, -1)}`
}

function fromStored(text: string): string {
  return text.startsWith(MARK) ? (JSON.parse(`"${text.slice(MARK.length)}"`) as string) : text
}

/** Converts a parameter of a statement. */
function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return toStored(value)
  return Array.isArray(value) ? value.map(toParameter) : value
}
