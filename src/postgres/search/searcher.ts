// The basis of a task in a reader thread: a separate connection within a transaction on one snapshot.
import type { Model } from '../../core/model/rules/model.ts'
import { type Ground, type Pending, searchedSchemas, type World } from '../../store/reading/search-snapshot.ts'
import type { TaskTime } from '../../store/reading/task-time.ts'
import { WorkspaceReads } from '../../store/reading/workspace-reads.ts'
import { toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { SearchQuery } from '../../store/search-port.ts'
import { BEGIN_READING, OfOneMoment } from '../committed.ts'
import { ModelCache } from '../committed-model.ts'
import { Connection } from '../connection.ts'
import type { PostgresLocation } from '../location.ts'
import { Audit, Feed } from '../repositories/audit.ts'
import { Records } from '../repositories/records.ts'
import { Dictionary } from '../search-index/dictionary.ts'
import { namesCategories, NO_CATEGORIES, readCategories } from './category-sets.ts'
import { PostgresIndex } from './postgres-index.ts'
import { type AskSql, numbered, type Sql } from './print-set.ts'

/** Caches shared by the tasks of one thread. */
interface Remembered {
  readonly models: ModelCache
  readonly dictionary: Dictionary
}

export function rememberNothing(): Remembered {
  return { models: new ModelCache(), dictionary: new Dictionary() }
}

interface Moment {
  readonly model: number
  readonly dictionary: number
  readonly isPending: boolean
}

const MOMENT = `SELECT model, (SELECT coalesce(max(n), 0) FROM index_attribute_scope) AS dictionary,
    EXISTS (SELECT 1 FROM index_pending) AS "isPending"
  FROM workspace`

export class Searcher {
  readonly connection: Connection
  readonly session: OfOneMoment
  readonly ask: AskSql
  readonly reads: WorkspaceReads
  readonly #remembered: Remembered
  #moment: Moment | undefined
  #model: Model | undefined
  #withCategories = false

  constructor(connection: Connection, remembered: Remembered) {
    this.connection = connection
    this.#remembered = remembered
    this.ask = <Row>({ sql, parameters }: Sql) => connection.rows<Row>(numbered(sql), parameters)
    this.session = new OfOneMoment(connection, remembered.models)
    const audit = new Audit(this.session)
    this.reads = new WorkspaceReads({
      session: this.session,
      records: new Records(this.session),
      audit,
      feed: new Feed(this.session, audit),
      modelVersion: () => this.#moment!.model,
    })
  }

  /** @param timeout milliseconds that one statement may take @throws UNAVAILABLE */
  static async open({ url }: PostgresLocation, timeout: number, remembered: Remembered): Promise<Searcher> {
    const settings = { plan_cache_mode: 'force_custom_plan', statement_timeout: Math.max(1, Math.ceil(timeout)) }
    return new Searcher(await Connection.open({ url, settings }), remembered)
  }

  /** Whether records are read with their categories. */
  get withCategories(): boolean {
    return this.#withCategories
  }

  /** Begins a transaction on the present snapshot. */
  async begin(): Promise<Model> {
    await this.connection.begin(BEGIN_READING)
    const [moment] = await this.connection.rows<Moment>(MOMENT)
    this.#moment = moment!
    this.#withCategories = false
    this.#model = (await this.#remembered.models.at(moment!.model, this.connection)).model
    return this.#model
  }

  /** Ends the transaction. Resolves to whether the connection can be reused. */
  async end(): Promise<boolean> {
    this.#moment = undefined
    if (this.connection.closed.aborted) return false
    try {
      await this.connection.script('ROLLBACK')
      return true
    } catch {
      await this.connection.close()
      return false
    }
  }

  /** @param withCategories whether categories are needed beyond the criteria of the search */
  async groundOf(query: SearchQuery, time: TaskTime, withCategories = false): Promise<Ground> {
    const { find, schemaId } = query
    const model = this.#model!
    const isNamed = withCategories || (find.kind === 'criteria' && namesCategories(find.criteria.criteria))
    this.#withCategories = isNamed
    const newest = this.#moment!.dictionary
    await this.#remembered.dictionary.learn(newest, this.connection)
    const categories = isNamed ? await readCategories(this.connection) : NO_CATEGORIES
    return {
      model,
      index: new PostgresIndex(this, time),
      lookUp: this.#remembered.dictionary.lookUp(newest, schemaId),
      categories,
      categoriesOf: isNamed ? ({ categoryIds }) => categoryIds! : () => [],
      pending: await this.#readPending(query),
    }
  }

  /** Returns the snapshot for a task that does not search. */
  async worldOf(time: TaskTime, withCategories: boolean): Promise<World> {
    const categories = withCategories ? await readCategories(this.connection) : NO_CATEGORIES
    return { model: this.#model!, categories, reads: this.reads, index: new PostgresIndex(this, time) }
  }

  async #readPending(query: SearchQuery): Promise<Pending> {
    if (!this.#moment!.isPending) return { records: toNumbers([]), isAll: false }
    const sql = 'SELECT record_n AS record, schema_id AS "schemaId" FROM index_pending'
    const rows = await this.connection.rows<{ record: number | null; schemaId: string | null }>(sql)
    const anew = new Set(rows.map(({ schemaId }) => schemaId))
    return {
      records: toNumbers(rows.flatMap(({ record }) => record ?? [])),
      isAll: searchedSchemas(query, this.#model!).some(({ id }) => anew.has(id)),
    }
  }
}
