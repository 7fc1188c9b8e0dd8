// The part of the storage interface that is for a workspace as a whole, whether somebody serves it or not: checks, backups,
// restoring, and work on accounts. Its methods block: whoever calls them serves nobody.
import type { StoredApiKey, StoredUser } from '../domain/accounts/accounts.ts'
import type { TrailEntry } from '../domain/records/audit-trail.ts'
import type { CategoryPlace } from '../domain/records/changes.ts'
import type { Subscription } from '../domain/events/subscription.ts'
import type { ExportJob } from '../domain/exports/export-job.ts'
import type { ModelChange } from '../domain/model/model-change.ts'
import type { Model } from '../domain/model/model.ts'
import type { Values } from '../domain/records/record.ts'
import type { UniqueKey } from '../domain/values/values.ts'

/**
 * What an error of a storage says. locked: somebody else has the workspace. full: there is no room. damaged: a file is not what it
 * should be. unfit: it is lost, or cannot be read without loss. version: it is of another pimlet. unusable: a file is no backup,
 * or not a whole one. incomparable: the search index is not there, or not complete.
 */
export type StorageFault = 'locked' | 'full' | 'damaged' | 'unfit' | 'version' | 'unusable' | 'incomparable'

export interface Maintenance {
  /** Where the workspace is, for messages. */
  readonly place: string
  /** Whether somebody holds the workspace now. */
  isHeld(): boolean
  /** @returns what lets go of it. Throws `locked` */
  hold(): () => void
  /** Throws `unfit` where changes that were acknowledged could not be read. Ask where nobody holds the workspace. */
  assertReadable(): void
  /** Throws `damaged`. */
  inspect(): WorkspaceInspection
  /** Throws `incomparable`. */
  inspectIndex(): IndexInspection
  /** While it is held. `onStep` gets how many records are done, of how many. Throws `version`, `unfit`, `locked` */
  rebuildIndex(onStep: (done: number, total: number) => void): void
  /** While it is held. Throws `version`, `unfit`, `locked` */
  openAccounts(): Accounts
  /**
   * Copies what is committed now into the file `target`, which exists and is empty. `onCopied` gets the bytes done, of how many.
   * @returns rows of each table. Throws `version` where it is no workspace
   */
  copy(target: string, onCopied: (bytes: number, total: number) => void): Promise<RowCounts>
}

/** Backups: what makes a copy one, and what makes a workspace of it again. */
export interface Backups {
  /** Makes a copy the backup. */
  seal(file: string, facts: BackupFacts): void
  /** Checks that it is whole, whoever made it. Throws `unusable`, `version` */
  read(file: string): BackupFacts
  /** Makes a copy of a backup the workspace's again: the keys leave no trace in it. */
  unseal(file: string): void
}

export interface BackupFacts {
  /** ISO 8601. */
  readonly createdAt: string
  /** The version of the pimlet that made it. */
  readonly madeBy: string
  /** Rows of the workspace's tables. */
  readonly counts: RowCounts
  /** Content of key files by name; none where it was made without. */
  readonly keys: ReadonlyMap<string, Buffer>
}

export type RowCounts = Readonly<Record<string, number>>

/** Users and API keys of a workspace that nobody serves. What is written is durable when it resolves. */
export interface Accounts {
  findUser(username: string): Promise<StoredUser | undefined>
  /** In the order of creation. */
  usernames(): Promise<string[]>
  /** In the order of creation. */
  roleIds(): Promise<string[]>
  addKey(key: StoredApiKey): Promise<void>
  updateUser(user: StoredUser): Promise<void>
  close(): void
}

export interface ReadRecord {
  readonly id: string
  readonly schemaId: string
  readonly parentId: string | null
  readonly lifecycleStateId: string
  readonly version: number
  /** Undefined where they are no JSON. */
  readonly values: Values | undefined
}

/** The trail of one record, and the record, where there is one. */
export interface Trail {
  readonly recordId: string
  readonly entries: Iterable<TrailEntry>
  readonly record: (ReadRecord & { readonly categories: readonly CategoryPlace[] }) | undefined
}

export interface ForeignObject {
  /** `trigger spy on record` */
  readonly description: string
  /** Nothing of pimlet's touches it. */
  readonly isHarmless: boolean
}

/** The workspace as it is at one moment, read from beginning to end. Whoever writes meanwhile goes on. */
/** Of the sequences of the feed. */
export interface AuditRange {
  readonly entries: number
  /** Of these how many are of the audit trail: about records. */
  readonly ofRecords: number
  readonly oldest: number
  readonly newest: number
}

export interface WorkspaceInspection {
  /** Of the workspace; and the one that this pimlet works with. */
  versions(): { readonly found: number; readonly known: number }
  /** What is wrong with its files, in the storage's words. */
  findDamage(): string[]
  /** What it holds that pimlet does not make. */
  findForeignObjects(): ForeignObject[]
  /** Rows that refer to a row that does not exist, as `table → table`. */
  findForeignKeyFaults(): string[]
  countRows(): RowCounts
  /** Bytes. */
  size(): number
  model(): Model
  /** That were under way, or were interrupted. */
  modelChanges(): ModelChange[]
  /** In the order of creation. */
  records(): Iterable<ReadRecord>
  /** Whether there is such a record; may be asked while records are read. */
  prepareExists(): (id: string) => boolean
  /** The unique values that are noted for a record; may be asked while records are read. */
  prepareUniqueKeys(): (recordId: string) => (UniqueKey & { schemaId: string })[]
  /** Kept counts as `[schema, state, is variant, records]`. */
  recordCounts(): [string, string, number, number][]
  auditRange(): AuditRange
  /** Every trail, one after another. The entries of one must be taken before the next. */
  trails(): Iterable<Trail>
  /** Records whose last entry is not in the trail although entries as old as the sequence `oldest` are: some of them. */
  recordsWithoutEntry(oldest: number, limit: number): string[]
  exportJobs(): ExportJob[]
  subscriptions(): Subscription[]
  runningExports(): { readonly id: string; readonly jobId: string }[]
  /** Jobs at whose destinations something was left behind. */
  jobsWithLeftovers(): string[]
  close(): void
}

/** The search index against the records that it was made from. */
export interface IndexInspection {
  /** Records that changed since the index saw them. */
  readonly pending: number
  findDamage(): string[]
  /** One for each record, in words where the index has something else for it; then what belongs to no record. */
  compare(): Iterable<string | undefined>
  close(): void
}
