// The repositories of one connection, as the port shows them to readers and to a transaction: one plain object.
import type { StoredPreferences } from '../../core/accounts/rules/preferences.ts'
import type { Catalog } from '../../core/model/rules/catalog.ts'
import type { ErasedHistory } from '../../core/records/rules/erased-history.ts'
import type { ExportJob } from '../../exports/rules/export-job.ts'
import type { ImportProfile } from '../../imports/rules/import-profile.ts'
import type { SavedQuery } from '../../core/search/rules/saved-query.ts'
import type { CommittedReads, Reads, Transaction } from '../port.ts'
import type { Page, RecordFilter, RecordList, StoredRecord } from '../record-port.ts'
import { ApiKeys, Users } from '../rows/accounts.ts'
import { Audit } from './audit.ts'
import { BulkJobs } from '../rows/bulk-jobs.ts'
import { Categories } from '../rows/categories.ts'
import type { Connection } from './connection.ts'
import { Documents } from '../rows/documents.ts'
import { ExportFeeds, ExportLeftovers } from '../rows/export-feeds.ts'
import { ExportRuns } from '../rows/export-runs.ts'
import { Imports } from '../rows/imports.ts'
import { Feed } from './feed.ts'
import { KeptAnswerRows } from '../rows/kept-answers.ts'
import type { ModelTables } from './model.ts'
import type { ReaderPool } from '../reading/reader-pool.ts'
import { createThreadedReads } from '../reading/threaded-reads.ts'
import { Records } from './records.ts'
import { alone, SqliteSession } from './session.ts'
import { Subscriptions } from '../rows/subscriptions.ts'
import type { ReadView } from './wal/read-view.ts'
import type { WriterNumbers } from './writer-numbers.ts'

interface Parts {
  /** On the same connection. */
  readonly model: ModelTables
  /** Of runs, as `ExportRuns` has it. */
  readonly owner: string
}

/** What a connection that reads shows. */
export function createReads(db: Connection, parts: Parts): Reads {
  return createRepositories(db, parts, new Records(db), createFeed(db))
}

/** What a transaction has. */
export function createTransaction(db: Connection, parts: Parts & { readonly numbers: WriterNumbers }): Transaction {
  const { numbers } = parts
  const newVersion = (): number => numbers.newVersion()
  const feed = createFeed(db, newVersion)
  // It alone has the workspace.
  const holds = (): Promise<boolean> => Promise.resolve(true)
  return { ...createRepositories(db, parts, new Records(db, numbers), feed), newVersion, holds }
}

/** With the audit trail, which is a part of it. */
function createFeed(db: Connection, newVersion?: () => number): { readonly audit: Audit; readonly feed: Feed } {
  const audit = new Audit(db)
  return { audit, feed: new Feed(db, audit, newVersion) }
}

function createRepositories(
  db: Connection,
  { model, owner }: Parts,
  records: Records,
  { audit, feed }: ReturnType<typeof createFeed>,
): Omit<Transaction, 'newVersion' | 'holds'> {
  const session = new SqliteSession(db)
  return {
    model: () => model.model(),
    modelVersion: async () => model.versionNow(),
    dimensions: model.dimensions,
    workflows: model.workflows,
    schemas: model.schemas,
    roles: model.roles,
    modelChanges: model.changes,
    catalogs: new Documents<Catalog>(session, { name: 'catalog', resource: 'Catalog' }),
    savedQueries: new Documents<SavedQuery>(session, { name: 'saved_query', resource: 'Saved query' }),
    exportJobs: new Documents<ExportJob>(session, { name: 'export_job', resource: 'Export job' }),
    importProfiles: new Documents<ImportProfile>(session, { name: 'import_profile', resource: 'Import profile' }),
    imports: new Imports(session),
    exportRuns: new ExportRuns(session, alone(owner), feed),
    exportLeftovers: new ExportLeftovers(session),
    exportFeeds: new ExportFeeds(session),
    bulkJobs: new BulkJobs(session, feed),
    categories: new Categories(session),
    records,
    audit,
    feed,
    subscriptions: new Subscriptions(session),
    users: new Users(session),
    apiKeys: new ApiKeys(session),
    keptAnswers: new KeptAnswerRows(session),
    preferences: new Documents<StoredPreferences>(session, { name: 'preference', resource: 'Preferences' }),
    erasures: new Documents<ErasedHistory>(session, { name: 'erasure', resource: 'Erasure' }),
  }
}

interface CommittedReadsOptions extends Parts {
  readonly readers: ReaderPool
  readonly view: ReadView
}

/** Committed state: what is quick is read here, what may be long in the reader threads. */
export function createCommittedReads(db: Connection, options: CommittedReadsOptions): CommittedReads {
  const { readers, view } = options
  return {
    ...createRepositories(db, options, new CommittedRecords(db, readers, view), createFeed(db)),
    ...createThreadedReads(readers),
  }
}

/** Skipping more rows than this would keep other requests waiting. */
const MAX_SKIPPED = 1000

class CommittedRecords extends Records {
  readonly #readers: ReaderPool
  readonly #view: ReadView

  constructor(db: Connection, readers: ReaderPool, view: ReadView) {
    super(db)
    this.#readers = readers
    this.#view = view
  }

  override async get(id: string): Promise<StoredRecord | undefined> {
    this.#view.enter()
    return super.get(id)
  }

  override async list(filter: RecordFilter, page: Page, callerId?: string): Promise<RecordList> {
    if (page.offset <= MAX_SKIPPED) return super.list(filter, page)
    const { total, batches } = await this.#readers.run<'list'>({ kind: 'list', filter, page }, { callerId })
    return { items: (await Array.fromAsync(batches)).flat(), total: total! }
  }
}
