// Sessions that only read committed state: each query alone, or all queries on one snapshot.
import type { ModelCache } from './committed-model.ts'
import type { Connections } from './connections.ts'
import type { Connection } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { GatheredLoads } from './gathered-loads.ts'
import type { ModelState } from './model-state.ts'
import type { Load } from '../store/rows/session.ts'
import type { Counter, Session, Writer } from './session.ts'
import { readWorkspace } from './workspace-row.ts'

abstract class Reading implements Session {
  readonly dialect = POSTGRES

  abstract rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  abstract model(): Promise<ModelState>

  look<Value>(_kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    return ids.length === 0 ? Promise.resolve(new Map()) : load([...new Set(ids)], this)
  }

  async counter(counter: Counter): Promise<number> {
    return (await readWorkspace(this))[counter]
  }

  get writer(): Writer {
    throw new Error('Only a transaction writes')
  }
}

export class Committed extends Reading {
  readonly #connections: Connections
  readonly #models: ModelCache
  readonly #loads = new GatheredLoads(this)

  constructor(connections: Connections, models: ModelCache) {
    super()
    this.#connections = connections
    this.#models = models
  }

  /** Single look-ups of all requests in one turn of the event loop share a statement. */
  override async look<Value>(
    kind: string,
    ids: readonly string[],
    load: Load<Value>,
  ): Promise<ReadonlyMap<string, Value>> {
    const [id] = ids
    if (id === undefined || ids.length > 1) return super.look(kind, ids, load)
    const value = await this.#loads.load(kind, id, load)
    return new Map(value === undefined ? [] : [[id, value]])
  }

  async rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return (await this.#connections.shared()).rows<Row>(sql, parameters)
  }

  model(): Promise<ModelState> {
    return this.#models.state(this)
  }
}

/** Reads within a transaction on one snapshot. */
export class OfOneMoment extends Reading {
  readonly #connection: Connection
  readonly #models: ModelCache

  constructor(connection: Connection, models: ModelCache) {
    super()
    this.#connection = connection
    this.#models = models
  }

  /** Runs `work` on the data that `connection` sees now. */
  static async read<Result>(
    connection: Connection,
    models: ModelCache,
    work: (session: OfOneMoment) => Promise<Result>,
  ): Promise<Result> {
    await connection.begin(BEGIN_READING)
    try {
      return await work(new OfOneMoment(connection, models))
    } finally {
      await connection.script('COMMIT').catch(() => connection.close())
    }
  }

  rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return this.#connection.rows<Row>(sql, parameters)
  }

  async model(): Promise<ModelState> {
    return this.#models.at(await this.counter('model'), this)
  }
}

export const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
