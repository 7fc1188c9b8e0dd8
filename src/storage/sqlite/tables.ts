// The repositories of one connection, as the port shows them to readers and to a transaction.
import type { Catalog } from '../../domain/catalogs.ts'
import type { ExportJob } from '../../domain/export-job.ts'
import type { SavedQuery } from '../../domain/saved-queries.ts'
import type { CommittedReads, Reads, Transaction } from '../port.ts'
import type { CompletenessReads, Page, RecordFilter, RecordList, SearchReads, StoredRecord } from '../record-port.ts'
import { ApiKeys, Users } from './accounts.ts'
import { Audit } from './audit.ts'
import { Categories } from './categories.ts'
import type { Connection } from './connection.ts'
import { Documents } from './documents.ts'
import { ExportLeftovers, ExportRuns } from './exports.ts'
import { ModelTables, type WrittenDocument } from './model.ts'
import type { ReaderPool } from './readers/reader-pool.ts'
import { ThreadedCompleteness } from './readers/threaded-completeness.ts'
import { Records } from './records.ts'
import type { TurnSnapshot } from './turn-snapshot.ts'
import { WriterNumbers } from './writer-numbers.ts'

/** The repositories on one connection. */
export class Tables {
  readonly modelTables: ModelTables
  readonly catalogs: Documents<Catalog>
  readonly savedQueries: Documents<SavedQuery>
  readonly exportJobs: Documents<ExportJob>
  readonly exportRuns: ExportRuns
  readonly exportLeftovers: ExportLeftovers
  readonly categories: Categories
  readonly records: Records
  readonly audit: Audit
  readonly users: Users
  readonly apiKeys: ApiKeys
  /** Of a connection that writes. */
  readonly numbers: WriterNumbers

  /** @param owner of runs, as `ExportRuns` has it */
  constructor(db: Connection, owner: string, onModelWrite?: (written: WrittenDocument) => void) {
    this.numbers = new WriterNumbers(db)
    this.modelTables = new ModelTables(db, onModelWrite)
    this.catalogs = new Documents(db, { name: 'catalog', resource: 'Catalog' })
    this.savedQueries = new Documents(db, { name: 'saved_query', resource: 'Saved query' })
    this.exportJobs = new Documents(db, { name: 'export_job', resource: 'Export job' })
    this.exportRuns = new ExportRuns(db, owner)
    this.exportLeftovers = new ExportLeftovers(db)
    this.categories = new Categories(db)
    this.records = new Records(db, this.numbers)
    this.audit = new Audit(db)
    this.users = new Users(db)
    this.apiKeys = new ApiKeys(db)
  }
}

export class TableReads implements Reads {
  readonly #tables: Tables
  constructor(tables: Tables) {
    this.#tables = tables
  }
  protected get tables(): Tables {
    return this.#tables
  }
  model() {
    return this.tables.modelTables.model()
  }
  async modelVersion() {
    return this.tables.modelTables.versionNow()
  }
  get dimensions() {
    return this.tables.modelTables.dimensions
  }
  get workflows() {
    return this.tables.modelTables.workflows
  }
  get schemas() {
    return this.tables.modelTables.schemas
  }
  get roles() {
    return this.tables.modelTables.roles
  }
  get modelChanges() {
    return this.tables.modelTables.changes
  }
  get catalogs() {
    return this.tables.catalogs
  }
  get savedQueries() {
    return this.tables.savedQueries
  }
  get exportJobs() {
    return this.tables.exportJobs
  }
  get exportRuns() {
    return this.tables.exportRuns
  }
  get exportLeftovers() {
    return this.tables.exportLeftovers
  }
  get categories() {
    return this.tables.categories
  }
  get records() {
    return this.tables.records
  }
  get audit() {
    return this.tables.audit
  }
  get users() {
    return this.tables.users
  }
  get apiKeys() {
    return this.tables.apiKeys
  }
}

/** The repositories for one transaction; they are refused when it is over. */
export class TableTransaction extends TableReads implements Transaction {
  #isOver = false
  protected override get tables(): Tables {
    if (this.#isOver) throw new Error('A transaction was used after its end')
    return super.tables
  }
  newVersion(): number {
    return this.tables.numbers.newVersion()
  }
  end(): void {
    this.#isOver = true
  }
}

interface CommittedReadsOptions {
  readonly readers: ReaderPool
  readonly snapshot: TurnSnapshot
}

/** Committed state: what is quick is read here, what may be long in the reader threads. */
export class CommittedTableReads extends TableReads implements CommittedReads {
  readonly search: SearchReads
  readonly completeness: CompletenessReads
  readonly #records: CommittedRecords

  constructor(tables: Tables, db: Connection, { readers, snapshot }: CommittedReadsOptions) {
    super(tables)
    this.#records = new CommittedRecords(db, readers, snapshot)
    this.search = (query, signal) =>
      readers.run<'search'>({ kind: 'search', query }, { callerId: query.callerId, signal })
    this.completeness = new ThreadedCompleteness(readers)
  }

  override get records(): Records {
    return this.#records
  }
}

/** Skipping more rows than this would keep other requests waiting. */
const MAX_SKIPPED = 1000

class CommittedRecords extends Records {
  readonly #readers: ReaderPool
  readonly #snapshot: TurnSnapshot

  constructor(db: Connection, readers: ReaderPool, snapshot: TurnSnapshot) {
    super(db)
    this.#readers = readers
    this.#snapshot = snapshot
  }

  override async get(id: string): Promise<StoredRecord | undefined> {
    this.#snapshot.enter()
    return super.get(id)
  }

  override async list(filter: RecordFilter, page: Page, callerId?: string): Promise<RecordList> {
    if (page.offset <= MAX_SKIPPED) return super.list(filter, page)
    const { total, batches } = await this.#readers.run<'list'>({ kind: 'list', filter, page }, { callerId })
    return { items: (await Array.fromAsync(batches)).flat(), total: total! }
  }
}
