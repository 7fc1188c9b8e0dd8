// THE storage interface. Code above storage knows only this file and its parts, which are called `…-port.ts`.
// `maintenance-port.ts` is for commands that work on a workspace. `sqlite/` is one implementation, and the tests in
// `test/store/contract/` state the duties of every implementation.
//
// Errors: a method throws CONFLICT for a duplicate ID or unique value. It throws UNAVAILABLE when storage is full, locked
// or shutting down. Any other error of a storage is a fault of the server.
import type { GaugeValue } from '../kernel/observing/metrics.ts'
import type { StoredApiKey, StoredUser } from '../core/accounts/rules/account.ts'
import type { StoredPreferences } from '../core/accounts/rules/preferences.ts'
import type { StoredMessenger } from '../collaboration/rules/messenger-setup.ts'
import type { NoticeSettings } from '../collaboration/rules/notice.ts'
import type { Catalog } from '../core/model/rules/catalog.ts'
import type { Dimension } from '../core/model/rules/dimension.ts'
import type { ErasedHistory } from '../core/records/rules/erased-history.ts'
import type { ExportJob } from '../exports/rules/export-job.ts'
import type { Preset } from '../files/rules/presets.ts'
import type { PublicAddresses } from '../files/rules/public-address.ts'
import type { SheetLink } from '../product-sheets/rules/sheet-link.ts'
import type { SheetTemplate } from '../product-sheets/rules/sheet-template.ts'
import type { ImportProfile } from '../imports/rules/import-profile.ts'
import type { Model, SchemaDefinition } from '../core/model/rules/model.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { SavedQuery } from '../core/search/rules/saved-query.ts'
import type { Workflow } from '../core/model/rules/workflow.ts'
import type { ApiKeyReads, LoginFailures, UserReads } from './account-port.ts'
import type { KeptAnswers, RequestClaims } from './answer-port.ts'
import type { AuditReads, AuditWrites } from './audit-port.ts'
import type {
  AssignmentReads,
  AssignmentWrites,
  CommentReads,
  CommentWrites,
  DiscussedReads,
  FollowerReads,
  FollowerWrites,
  NoticeReads,
  NoticeWrites,
  SummaryReads,
  SummaryWrites,
} from './collaboration-port.ts'
import type { BulkJobReads, BulkJobWrites } from './bulk-port.ts'
import type { CategoryReads, CategoryWrites } from './category-port.ts'
import type { ModelChanges, ReadRepository, Repository } from './document-port.ts'
import type { FileReads, FileWrites } from './file-port.ts'
import type { ImportReads, ImportWrites, SharedFiles } from './import-port.ts'
import type { FeedReads, FeedWrites } from './feed-port.ts'
import type { DayCountReads, DayCountWrites } from './statistics-port.ts'
import type { EventReads, FeedHeadReads, SubscriptionReads, SubscriptionWrites } from './subscription-port.ts'
import type { RecordReads, RecordWrites } from './record-port.ts'
import type {
  ExportFeedReads,
  ExportFeedWrites,
  ExportFileReads,
  ExportFileWrites,
  ExportLeftoverReads,
  ExportLeftoverWrites,
  ExportRunReads,
  ExportRunWrites,
  Lease,
  Leases,
} from './run-port.ts'
import type { FoundSnapshot, RecordSnapshot } from './snapshot-port.ts'
import type {
  CategoryTreeReads,
  CompletenessReads,
  FacetReads,
  ItemReads,
  PlaceReads,
  PreviewReads,
  SearchQuery,
  SearchReads,
  SuggestReads,
} from './search-port.ts'
import type { Presences } from './presence-port.ts'

/** The location of a workspace. Only the storage reads the details; the location may be sent to another thread. */
export interface StoreLocation {
  /** The kind of storage. */
  readonly kind: string
}

export interface Store {
  readonly location: StoreLocation
  readonly leases: Leases
  /** Undefined: only one server may have the workspace, and stores files on its disk. */
  readonly files?: SharedFiles | undefined
  /** Undefined: only one server may have the workspace, and counts failures alone. */
  readonly loginFailures?: LoginFailures | undefined
  /** Undefined: only one server may have the workspace. */
  readonly requestClaims?: RequestClaims | undefined
  /** Undefined: only one server may have the workspace, and remembers where people are. */
  readonly presences?: Presences | undefined
  /** Reads of the state that is committed at each call. */
  readonly read: CommittedReads
  /**
   * Runs short reads on one snapshot, which contains everything that was committed before the call. `work` may run more
   * than once, and awaits only methods of `reads`.
   */
  snapshot<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` alone: its reads stay true until the end. Two transactions on the same key (a record, a document, a
   * unique value) take effect in the order of their calls. Resolves when the writes are durable, and every later read
   * sees them.
   * If `work` throws, its writes are undone, other transactions continue, and the promise rejects with the same error.
   * `work` may run more than once: outside of `tx` it sets only variables that each run sets again. Inside, await only
   * methods of `tx`.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /**
   * Runs long work as a transaction: other requests run during its pauses. Readers see its writes only after it
   * resolves; other transactions wait until then. It has its own commit.
   */
  longTransaction<Result>(work: (tx: LongTransaction) => Promise<Result>): Promise<Result>
  /** Resolves when the cached model and credentials are as new as this call. Undefined: no other server writes. */
  fresh?(): Promise<void>
  /**
   * Returns the version of the last `fresh`; it changes if another server may have changed users or keys. Undefined: no
   * other server writes.
   */
  credentialsVersion?(): number
  /** Resolves when work that can wait may continue without delaying writers. */
  whenCalm(): Promise<void>
  /** Resolves while storage answers. @throws UNAVAILABLE */
  ping(): Promise<void>
  /** Returns the load of the store, for operators. */
  gauges(): readonly GaugeValue[]
  /**
   * Stores a print of the keys of the workspace, unless one is stored. Resolves to the stored print: a server with
   * other keys must not serve the workspace.
   */
  agreeOnKeys(print: string): Promise<string>
  /**
   * Overwrites the remains of deleted rows in the files. Resolves to whether all are overwritten: remains that a reader
   * still sees stay. Undefined: the files do not belong to this process.
   */
  readonly overwriteRemains?: (() => Promise<boolean>) | undefined
  /** Notes that this process serves the workspace, so that no other process opens it. */
  noteHolder(): Promise<void>
  /** Waits for calls that have begun, then completes the files. Later calls throw UNAVAILABLE. */
  close(): Promise<void>
}

/** Resources with few items: the name of the repository → the type of its items. */
interface Documents {
  dimensions: Dimension
  workflows: Workflow
  schemas: SchemaDefinition
  roles: Role
  catalogs: Catalog
  savedQueries: SavedQuery
  /** Deleting a job deletes its runs and leftovers. */
  exportJobs: ExportJob
  importProfiles: ImportProfile
  preferences: StoredPreferences
  renditionPresets: Preset
  publicAddresses: PublicAddresses
  noticeSettings: NoticeSettings
  messengers: StoredMessenger
  sheetTemplates: SheetTemplate
  sheetLinks: SheetLink
  erasures: ErasedHistory
}

export interface Reads extends Readonly<{ [Name in keyof Documents]: ReadRepository<Documents[Name]> }> {
  /** Dimensions, workflows, schemas and roles, prepared for look-ups. Cached until one of them changes. */
  model(): Promise<Model>
  /** Returns the same version for equal committed models, and other versions for a transaction's own changes. */
  modelVersion(): Promise<number>
  readonly modelChanges: Pick<ModelChanges, 'get' | 'list' | 'listAbandoned' | 'cursorOf'>
  readonly imports: ImportReads
  readonly files: FileReads
  readonly exportRuns: ExportRunReads
  readonly exportFiles: ExportFileReads
  readonly exportLeftovers: ExportLeftoverReads
  readonly exportFeeds: ExportFeedReads
  readonly bulkJobs: BulkJobReads
  readonly categories: CategoryReads
  readonly records: RecordReads
  readonly audit: AuditReads
  readonly feed: FeedReads & FeedHeadReads
  readonly subscriptions: SubscriptionReads
  readonly users: UserReads
  readonly apiKeys: ApiKeyReads
  readonly keptAnswers: Pick<KeptAnswers, 'get' | 'listAfter'>
  readonly comments: CommentReads
  readonly followers: FollowerReads
  readonly discussed: DiscussedReads
  readonly workAssignments: AssignmentReads
  readonly notices: NoticeReads
  readonly summaries: SummaryReads
  readonly dayCounts: DayCountReads
}

/** Commits of other servers of the workspace. */
export interface News {
  /** True: the model changed. */
  readonly isOfModel: boolean
  /** True: an export job, a run to be ended, a new bulk job or a subscription changed. */
  readonly isOfJobs: boolean
}

export interface StoreOptions {
  /**
   * A name for the server's data directory that is unique among all servers and never changes. Undefined: no other server
   * needs its files.
   */
  readonly home?: string | undefined
  /** Milliseconds of work that one search may take; by default 30,000. */
  readonly queryTimeout?: number | undefined
  /** Called after each durable commit, with the number of its transactions. */
  readonly onCommit?: readonly ((transactions: number) => void)[]
  /** Called soon after commits of other servers; never called if no other server exists. */
  readonly onNews?: ((news: News) => void) | undefined
  /** Called with faults that no caller waits for. */
  readonly onFault: (message: string, error: unknown) => void
  /** Called when an upgrade of the stored tables begins and ends: a sentence for the operator. */
  readonly onUpgrade?: ((sentence: string) => void) | undefined
  /** Called with warnings for the operator; the server continues. */
  readonly onWarning?: ((message: string) => void) | undefined
}

export interface CommittedReads extends Reads {
  readonly search: SearchReads
  readonly facets: FacetReads
  readonly places: PlaceReads
  readonly suggest: SuggestReads
  readonly completeness: CompletenessReads
  readonly items: ItemReads
  readonly categoryTrees: CategoryTreeReads
  readonly preview: PreviewReads
  readonly events: EventReads
  /**
   * Resolves when a search can begin: await this before a search in another thread (`OpenFoundSnapshot`). @throws
   * UNAVAILABLE
   */
  whenSearchable(): Promise<void>
}

type Writable = Readonly<{ [Name in keyof Documents]: Repository<Documents[Name]> }>

export interface Transaction extends Omit<Reads, keyof Documents>, Writable {
  readonly modelChanges: ModelChanges
  readonly exportRuns: ExportRunReads & ExportRunWrites
  readonly imports: ImportReads & ImportWrites
  readonly files: FileReads & FileWrites
  readonly exportFiles: ExportFileReads & ExportFileWrites
  readonly exportLeftovers: ExportLeftoverReads & ExportLeftoverWrites
  readonly exportFeeds: ExportFeedReads & ExportFeedWrites
  readonly bulkJobs: BulkJobReads & BulkJobWrites
  readonly categories: CategoryReads & CategoryWrites
  readonly records: RecordReads & RecordWrites
  readonly audit: AuditReads & AuditWrites
  readonly feed: FeedReads & FeedHeadReads & FeedWrites
  readonly subscriptions: SubscriptionReads & SubscriptionWrites
  readonly users: UserReads & Repository<StoredUser>
  readonly apiKeys: ApiKeyReads & Repository<StoredApiKey>
  readonly keptAnswers: KeptAnswers
  readonly comments: CommentReads & CommentWrites
  readonly followers: FollowerReads & FollowerWrites
  readonly workAssignments: AssignmentReads & AssignmentWrites
  readonly notices: NoticeReads & NoticeWrites
  readonly summaries: SummaryReads & SummaryWrites
  readonly dayCounts: DayCountReads & DayCountWrites
  /**
   * Resolves to whether this server still has the lease. Then no other server takes the lease and writes before this
   * transaction ends.
   */
  holds(lease: Lease): Promise<boolean>
  /**
   * Returns the version for the next written record, and the place of its audit entry in the feed. It is greater than
   * any version of an earlier record with this ID. A transaction that is undone returns its versions.
   */
  newVersion(): number
  /** Only a long transaction has pauses. A write calls them between its steps: a record may have megabytes of values. */
  pause?(): Promise<void>
}

export interface LongTransaction extends Transaction {
  /** Lets requests and reads run if enough time has passed. Call this often, between steps of a few milliseconds. */
  pause(): Promise<void>
  /**
   * Runs `step`, which awaits only methods of the transaction, also `pause`. If `step` throws, its writes are undone.
   * Then the transaction may continue, unless the error is UNAVAILABLE. A step contains no further steps.
   */
  attempt<Result>(step: () => Promise<Result>): Promise<Result>
  /**
   * Announces the records that the transaction reads next, and the newest entries of their trails. A remote store reads
   * them together now.
   */
  readAhead(recordIds: () => readonly string[], options?: { readonly withTrail: boolean }): Promise<void>
}

/** The part of a transaction that writing a record needs. */
export interface RecordTransaction extends Pick<Reads, 'model'>, Pick<Transaction, 'newVersion' | 'pause'> {
  readonly records: Pick<
    RecordReads & RecordWrites,
    'get' | 'existing' | 'holderOf' | 'reserve' | 'insert' | 'update' | 'setUniqueKeys' | 'setReferences'
  >
  readonly files: FileReads
  readonly audit: Pick<AuditWrites, 'append'>
}

/** @throws UNAVAILABLE, here or while reading */
export type OpenRecordSnapshot = (location: StoreLocation) => Promise<RecordSnapshot>

/**
 * @param timeout milliseconds of work for finding and reading the records
 * @throws UNAVAILABLE, from this function or from later reads
 */
export type OpenFoundSnapshot = (location: StoreLocation, query: SearchQuery, timeout: number) => Promise<FoundSnapshot>
