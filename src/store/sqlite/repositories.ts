// The repositories of one connection, as one plain object: for readers, or for a transaction.
import type { CommittedReads, Reads, Transaction } from '../port.ts'
import type { CategoryPage, Page, RecordFilter, RecordList } from '../record-port.ts'
import { createRowRepositories } from '../rows/repositories.ts'
import { createFeed } from './audit.ts'
import type { Connection } from './connection.ts'
import type { ModelTables } from './stored-model.ts'
import type { ReaderPool } from '../reading/reader-pool.ts'
import { createThreadedReads } from '../reading/threaded-reads.ts'
import { Records } from './records.ts'
import type { ShortSearches } from './search/short-search.ts'
import { alone, SqliteSession } from './session.ts'
import type { ReadView } from './wal/read-view.ts'
import type { WriterNumbers } from './writer-numbers.ts'

interface Parts {
  /** The model, over the same connection. */
  readonly model: ModelTables
  /** Names the server as the owner of its runs, for `ExportRuns`. */
  readonly owner: string
}

/** The repositories of a connection that reads. */
export function createReads(db: Connection, parts: Parts): Reads {
  return createRepositories(db, parts, new Records(db))
}

/** The repositories of a transaction. */
export function createTransaction(db: Connection, parts: Parts & { readonly numbers: WriterNumbers }): Transaction {
  const { numbers } = parts
  const { newVersion } = numbers
  // This server alone has the workspace.
  const holds = (): Promise<boolean> => Promise.resolve(true)
  return { ...createRepositories(db, parts, new Records(db, { numbers }), newVersion), newVersion, holds }
}

function createRepositories(
  db: Connection,
  { model, owner }: Parts,
  records: Records,
  newVersion?: () => number,
): Omit<Transaction, 'newVersion' | 'holds'> {
  const session = new SqliteSession(db)
  const { audit, feed } = createFeed(db, session, newVersion)
  return {
    model: model.model,
    modelVersion: async () => model.versionNow(),
    dimensions: model.dimensions,
    workflows: model.workflows,
    schemas: model.schemas,
    roles: model.roles,
    modelChanges: model.changes,
    records,
    audit,
    feed,
    ...createRowRepositories(session, alone(owner), feed),
  }
}

interface CommittedReadsOptions extends Parts {
  readonly readers: ReaderPool
  readonly short: ShortSearches
  readonly view: ReadView
}

/** Creates the reads of committed state: short reads run on this thread, long ones in the reader threads. */
export function createCommittedReads(db: Connection, options: CommittedReadsOptions): CommittedReads {
  const { readers, short, view } = options
  const threaded = createThreadedReads(readers)
  return {
    ...createRepositories(db, options, new CommittedRecords(db, { view })),
    ...threaded,
    search: async (query, signal) => (await short.run(query)) ?? threaded.search(query, signal),
  }
}

/** Skipping more rows than this would delay other requests. */
const MAX_SKIPPED = 1000

class CommittedRecords extends Records {
  override async list(filter: RecordFilter, page: Page): Promise<RecordList | undefined> {
    return page.offset <= MAX_SKIPPED ? super.list(filter, page) : undefined
  }

  override async listInCategory(categoryId: string, page: CategoryPage): Promise<RecordList | undefined> {
    return page.offset <= MAX_SKIPPED ? super.listInCategory(categoryId, page) : undefined
  }
}
