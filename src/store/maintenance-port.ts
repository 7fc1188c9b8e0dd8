// The part of the storage interface for a whole workspace, served or not: checks, backups, restoring, and work on
// accounts. A storage may answer synchronously and block the process, because no server runs in it.
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
 * The kind of an error of a storage.
 * locked: another process has the workspace. full: no room is left. damaged: a file is not as it should be. unfit: the
 * file is lost, or cannot be read without loss. version: another version of pimlet wrote the file. unusable: the file
 * is no backup, or an incomplete one. incomparable: the search index is missing or incomplete.
 */
export type StorageFault = 'locked' | 'full' | 'damaged' | 'unfit' | 'version' | 'unusable' | 'incomparable'

export type Awaitable<T> = T | Promise<T>
/** Read during the iteration: the content is never in memory as a whole. */
type Stream<T> = Iterable<T> | AsyncIterable<T>

export interface Maintenance {
  /** The location of the workspace, for messages. */
  readonly place: string
  /** Resolves to whether a server has the workspace now. */
  isServed(): Awaitable<boolean>
  /** Throws `unfit` if acknowledged changes could not be read, or would not be safe. */
  assertReadable(): Awaitable<void>
  /** Throws `damaged`. */
  inspect(): Awaitable<WorkspaceInspection>
  /**
   * Rebuilds the index. @param onStep receives the number of finished records and the total. Throws `version`, `unfit`,
   * `locked`
   */
  rebuildIndex(onStep: (done: number, total: number) => void): Awaitable<void>
  /** Throws `version`, `unfit`, `locked` */
  openAccounts(): Awaitable<Accounts>
}

/**
 * A workspace in a directory, for one process at a time. A process holds it to rebuild its index or to change its
 * accounts.
 */
export interface DirectoryMaintenance extends Maintenance {
  /** @returns a function that releases the directory. Throws `locked` */
  hold(): () => void
  /**
   * Copies the committed state into the file `target`, which exists and is empty.
   * @param onCopied receives the copied bytes and the total
   * @returns the number of rows of each table. Throws `version` if the source is no workspace
   */
  copy(target: string, onCopied: (bytes: number, total: number) => void): Promise<RowCounts>
}

/** Turns a copy of a database into a backup, and a copy of a backup into a workspace. */
export interface Backups {
  /** Turns a copy of the database into the backup. */
  seal(file: string, facts: BackupFacts): void
  /** Checks that the backup is complete; its source may be untrusted. Throws `unusable`, `version` */
  read(file: string): BackupFacts
  /** Turns a copy of a backup into a workspace database, without any trace of the keys. */
  unseal(file: string): void
}

export interface BackupFacts {
  /** ISO 8601. */
  readonly createdAt: string
  /** The version of pimlet that made the backup. */
  readonly madeBy: string
  /** Rows of the workspace's tables. */
  readonly counts: RowCounts
  /** Key file name → content; empty: the backup has no keys. */
  readonly keys: ReadonlyMap<string, Buffer>
}

export type RowCounts = Readonly<Record<string, number>>

/** A changed user, with the entry for the feed. */
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
  /** Adds a key if its role exists. Resolves to whether the role exists. */
  addKey(key: StoredApiKey, entry: AccountEntry): Promise<boolean>
  /** Changes a user. Resolves to whether the user exists. */
  changeUser(id: string, change: (user: StoredUser) => ChangedUser): Promise<boolean>
  close(): Awaitable<void>
}

export interface ReadRecord {
  readonly id: string
  readonly schemaId: string
  readonly parentId: string | null
  readonly lifecycleStateId: string
  readonly version: number
  /** Undefined: the stored values are no JSON. */
  readonly values: Values | undefined
}

/** The trail of one record, and the record if it exists. */
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

/** A stored unique value of a record: `notedKey` makes `key`. */
export type NotedKey = UniqueKey & { readonly schemaId: string }

/** Counts and bounds of the sequences of the feed. */
export interface AuditRange {
  readonly entries: number
  /** The number of entries about records, in the audit trail. */
  readonly ofRecords: number
  readonly oldest: number
  readonly newest: number
}

/** A snapshot of the workspace, read from beginning to end. Writers continue meanwhile. */
export interface WorkspaceInspection {
  /** The version of the workspace, and the version that this pimlet works with. */
  versions(): Awaitable<{ readonly found: number; readonly known: number }>
  /** Finds faults of the files, in the storage's words. */
  findDamage(): Awaitable<string[]>
  /** Finds settings that make the database work badly: one sentence each. */
  findWeakSettings(): Awaitable<string[]>
  /** Finds objects in the database that pimlet did not make. */
  findForeignObjects(): Awaitable<ForeignObject[]>
  /** Rows that refer to a row that does not exist, as `table → table`. */
  findForeignKeyFaults(): Awaitable<string[]>
  /** Finds wrong counters of the workspace: one line each. */
  findCounterFaults(): Awaitable<string[]>
  /** Counts the records. */
  countRecords(): Awaitable<number>
  /** Bytes. */
  size(): Awaitable<number>
  model(): Awaitable<Model>
  /** Changes of the model that are under way or interrupted. */
  modelChanges(): Awaitable<ModelChange[]>
  /** In the order of creation, some at a time. */
  records(): Stream<ReadRecord[]>
  /** Returns the IDs of existing records; callers may use this while they read records. */
  existing(ids: readonly string[]): Awaitable<ReadonlySet<string>>
  /** Returns the stored unique values of some records; callers may use this while they read records. */
  uniqueKeysOf(recordIds: readonly string[]): Awaitable<ReadonlyMap<string, readonly NotedKey[]>>
  /** The stored form of the key of a unique value. */
  notedKey(key: string): string
  /** Counts the stored references. */
  countReferences(): Awaitable<number>
  /** Returns the indexes of the references that are stored. */
  findNoted(references: readonly Referrer[]): Awaitable<ReadonlySet<number>>
  /** Lists files whose bytes must exist, in the order of their hashes, after a hash. */
  listFiles(after: string, limit: number): Awaitable<readonly { readonly sha256: string; readonly size: number }[]>
  /** Returns the hashes that belong to stored files, in any state. */
  knownHashes(hashes: readonly string[]): Awaitable<ReadonlySet<string>>
  /** Returns the stored counts as `[schema, state, is variant, records]`. */
  recordCounts(): Awaitable<[string, string, number, number][]>
  auditRange(): Awaitable<AuditRange>
  /** Yields every trail. The caller must read all entries of a trail before the next trail. */
  trails(): Stream<Trail>
  /** Returns some records whose last entry is missing, although the trail has entries as old as the sequence `oldest`. */
  recordsWithoutEntry(oldest: number, limit: number): Awaitable<string[]>
  exportJobs(): Awaitable<ExportJob[]>
  subscriptions(): Awaitable<Subscription[]>
  runningExports(): Awaitable<{ readonly id: string; readonly jobId: string }[]>
  /** Returns ended runs whose files are kept for another delivery. */
  keptExports(): Awaitable<string[]>
  /** Returns jobs with leftovers at their destinations. */
  jobsWithLeftovers(): Awaitable<string[]>
  /** Returns the print of the keys that all servers must have; undefined: the storage has none. */
  keyPrint(): Awaitable<string | undefined>
  /** Throws `incomparable`. */
  inspectIndex(): Awaitable<IndexInspection>
  close(): Awaitable<void>
}

/** Compares the search index with its records. */
export interface IndexInspection {
  /** The number of records that the index does not contain in their present state. */
  readonly pending: number
  findDamage(): Awaitable<string[]>
  /**
   * One item for each record: a sentence if its index entry differs, else undefined. Then sentences about entries that
   * belong to no record.
   */
  compare(): Stream<string | undefined>
  close(): Awaitable<void>
}
