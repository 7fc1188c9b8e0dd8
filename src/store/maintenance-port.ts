// The part of the storage interface for a workspace as a whole, served or not: checks, backups, restoring, and work on
// accounts. A storage may answer synchronously and block the process: no server runs in it.
import type { StoredApiKey, StoredUser } from '../core/accounts/rules/account.ts'
import type { TrailEntry } from '../core/records/rules/audit-trail.ts'
import type { CategoryPlace } from '../core/records/rules/changes.ts'
import type { AccountEntry } from '../core/feed/rules/account-entry.ts'
import type { Subscription } from '../events/rules/subscription.ts'
import type { ExportJob } from '../exports/rules/export-job.ts'
import type { ModelChange } from '../core/model/rules/model-change.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { Values } from '../core/records/rules/record.ts'
import type { UniqueKey } from '../core/values/values.ts'
import type { Referrer } from '../core/records/rules/referrer.ts'

/**
 * The meaning of an error of a storage. locked: another process has the workspace. full: there is no room. damaged: a
 * file is not as it should be. unfit: the file is lost, or cannot be read without loss. version: the file is of another
 * pimlet. unusable: the file is no backup, or not a whole one. incomparable: the search index is missing or incomplete.
 */
export type StorageFault = 'locked' | 'full' | 'damaged' | 'unfit' | 'version' | 'unusable' | 'incomparable'

export type Awaitable<T> = T | Promise<T>
/** Read while it is gone through: it is never in memory as a whole. */
type Stream<T> = Iterable<T> | AsyncIterable<T>

export interface Maintenance {
  /** Where the workspace is, for messages. */
  readonly place: string
  /** Whether a server has it now. */
  isServed(): Awaitable<boolean>
  /** Throws `unfit` where changes that were acknowledged could not be read, or would not be safe. */
  assertReadable(): Awaitable<void>
  /** Throws `damaged`. */
  inspect(): Awaitable<WorkspaceInspection>
  /** `onStep` gets how many records are done, of how many. Throws `version`, `unfit`, `locked` */
  rebuildIndex(onStep: (done: number, total: number) => void): Awaitable<void>
  /** Throws `version`, `unfit`, `locked` */
  openAccounts(): Awaitable<Accounts>
}

/**
 * A workspace in a directory, which one process has at a time: to rebuild its index or change its accounts, a process
 * holds it.
 */
export interface DirectoryMaintenance extends Maintenance {
  /** @returns a function that releases it. Throws `locked` */
  hold(): () => void
  /**
   * Copies the committed state into the file `target`, which exists and is empty. `onCopied` gets the bytes done, of
   * how many.
   * @returns rows of each table. Throws `version` where it is no workspace
   */
  copy(target: string, onCopied: (bytes: number, total: number) => void): Promise<RowCounts>
}

/** Makes a backup of a copy, and a workspace of a backup. */
export interface Backups {
  /** Makes a copy the backup. */
  seal(file: string, facts: BackupFacts): void
  /** Checks that the backup is whole, wherever it comes from. Throws `unusable`, `version` */
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

/** With its entry for the feed. */
export interface ChangedUser {
  readonly user: StoredUser
  readonly entry: AccountEntry
}

/** Users and API keys of a workspace. A write is durable when it resolves. */
export interface Accounts {
  findUser(username: string): Promise<StoredUser | undefined>
  /** In the order of creation. */
  usernames(): Promise<string[]>
  /** In the order of creation. */
  roleIds(): Promise<string[]>
  /** Resolves to whether there is its role; else there is no key. */
  addKey(key: StoredApiKey, entry: AccountEntry): Promise<boolean>
  /** Resolves to whether there is such a user. */
  changeUser(id: string, change: (user: StoredUser) => ChangedUser): Promise<boolean>
  close(): Awaitable<void>
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
  readonly entries: Stream<TrailEntry>
  readonly record: (ReadRecord & { readonly categories: readonly CategoryPlace[] }) | undefined
}

export interface ForeignObject {
  /** `trigger spy on record` */
  readonly description: string
  /** Whether no statement of pimlet touches the object. */
  readonly isHarmless: boolean
}

/** A unique value as noted for a record: `notedKey` makes `key`. */
export type NotedKey = UniqueKey & { readonly schemaId: string }

/** Counts and bounds of the sequences of the feed. */
export interface AuditRange {
  readonly entries: number
  /** How many of these are in the audit trail: about records. */
  readonly ofRecords: number
  readonly oldest: number
  readonly newest: number
}

/** The workspace as it is at one moment, read from beginning to end. Writers continue meanwhile. */
export interface WorkspaceInspection {
  /** The version of the workspace, and the version that this pimlet works with. */
  versions(): Awaitable<{ readonly found: number; readonly known: number }>
  /** The faults of its files, in the storage's words. */
  findDamage(): Awaitable<string[]>
  /** Settings with which the database works, but badly: a sentence each. */
  findWeakSettings(): Awaitable<string[]>
  /** Objects in the database that pimlet does not make. */
  findForeignObjects(): Awaitable<ForeignObject[]>
  /** Rows that refer to a row that does not exist, as `table → table`. */
  findForeignKeyFaults(): Awaitable<string[]>
  /** Wrong counters of the workspace: a line each. */
  findCounterFaults(): Awaitable<string[]>
  /** How many records there are. */
  countRecords(): Awaitable<number>
  /** Bytes. */
  size(): Awaitable<number>
  model(): Awaitable<Model>
  /** Changes of the model that are under way or interrupted. */
  modelChanges(): Awaitable<ModelChange[]>
  /** In the order of creation, some at a time. */
  records(): Stream<ReadRecord[]>
  /** Which of these records there are; may be asked while records are read. */
  existing(ids: readonly string[]): Awaitable<ReadonlySet<string>>
  /** The unique values that are noted for some records; may be asked while records are read. */
  uniqueKeysOf(recordIds: readonly string[]): Awaitable<ReadonlyMap<string, readonly NotedKey[]>>
  /** The stored form of the key of a unique value. */
  notedKey(key: string): string
  /** How many references are noted. */
  countReferences(): Awaitable<number>
  /** Which of these references are noted: their indexes. */
  findNoted(references: readonly Referrer[]): Awaitable<ReadonlySet<number>>
  /** Files whose bytes must be there, in the order of their hashes, after one of them. */
  listFiles(after: string, limit: number): Awaitable<readonly { readonly sha256: string; readonly size: number }[]>
  /** Which of these hashes belong to files that are noted, in any state. */
  knownHashes(hashes: readonly string[]): Awaitable<ReadonlySet<string>>
  /** Kept counts as `[schema, state, is variant, records]`. */
  recordCounts(): Awaitable<[string, string, number, number][]>
  auditRange(): Awaitable<AuditRange>
  /** Every trail, one after another. The entries of one must be taken before the next. */
  trails(): Stream<Trail>
  /** Records whose last entry is not in the trail although entries as old as the sequence `oldest` are: some of them. */
  recordsWithoutEntry(oldest: number, limit: number): Awaitable<string[]>
  exportJobs(): Awaitable<ExportJob[]>
  subscriptions(): Awaitable<Subscription[]>
  runningExports(): Awaitable<{ readonly id: string; readonly jobId: string }[]>
  /** Ended runs whose files are kept, to be delivered again. */
  keptExports(): Awaitable<string[]>
  /** Jobs at whose destinations something was left behind. */
  jobsWithLeftovers(): Awaitable<string[]>
  /** The print of the keys that its servers have to have, where it knows one. */
  keyPrint(): Awaitable<string | undefined>
  /** Throws `incomparable`. */
  inspectIndex(): Awaitable<IndexInspection>
  close(): Awaitable<void>
}

/** The search index against the records that it was made from. */
export interface IndexInspection {
  /** Records that changed since the index saw them. */
  readonly pending: number
  findDamage(): Awaitable<string[]>
  /**
   * One item for each record: a sentence if its index entry differs, else undefined. Then sentences about entries that
   * belong to no record.
   */
  compare(): Stream<string | undefined>
  close(): Awaitable<void>
}
