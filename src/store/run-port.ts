// Export runs, their leftovers, and leases for duties of one server: part of `port.ts`.
import type { FeedState } from '../exports/rules/feed-state.ts'
import type { ExportRun, RenderedFile, RunStatus } from '../exports/rules/export-run.ts'

/** Leases for duties that only one server of a workspace performs at a time. */
export interface Leases {
  /**
   * Resolves when this server has the lease, and no other holder exists, not even in this process.
   * @param onWait called if the lease is not free at once
   * @throws UNAVAILABLE when the store is closed
   */
  hold(name: string, onWait?: () => void): Promise<Lease>
}

export interface Lease {
  readonly name: string
  /** A number greater than the term of every earlier holder. */
  readonly term: number
  /** Aborted when the lease is lost: its holder stops at once. */
  readonly signal: AbortSignal
  /** Releases the lease for the next holder. */
  release(): void
}

export interface RunFilter {
  readonly jobId?: string | undefined
  readonly status?: RunStatus | undefined
}

export interface ExportRunReads {
  get(id: string): Promise<ExportRun | undefined>
  /** Lists the runs of one job, the latest start first. */
  listOf(jobId: string, limit: number): Promise<ExportRun[]>
  /** The runs of all jobs, the latest start first. */
  list(filter: RunFilter, limit: number): Promise<ExportRun[]>
  /** Returns the latest run of each job that has runs, by job ID. */
  latest(): Promise<ReadonlyMap<string, ExportRun>>
  /** The running runs of all jobs, in the order of creation. */
  listRunning(): Promise<ExportRun[]>
  /** Returns a running run; undefined: none. */
  findRunning(jobId: string): Promise<ExportRun | undefined>
  /**
   * Lists running runs that no server performs any more, for a server that starts. Their server is dead. Or other
   * programs reported them, and no other living server may receive such reports.
   */
  listAbandoned(): Promise<ExportRun[]>
  /** Lists running runs of dead servers. */
  listOrphaned(): Promise<ExportRun[]>
  /** Whether a server performs the run; otherwise another program reports it. */
  isPerformed(id: string): Promise<boolean>
  /** Returns the file of the run; undefined: no file was stored. */
  fileOf(id: string): Promise<RenderedFile | undefined>
  /** Resolves to whether the run's file is in this server's data directory, or the run has no file. */
  isFileHere(id: string): Promise<boolean>
  /** Lists running runs that another server assigned to this server, and that this server has not taken yet. */
  listGiven(): Promise<ExportRun[]>
  /** Lists runs whose file is kept, the latest start first. @param jobId undefined: runs of all jobs */
  listKept(jobId?: string): Promise<ExportRun[]>
  /**
   * Lists running runs whose last report came before a moment (ISO 8601), `limit` at most. @param jobId undefined: runs
   * of all jobs
   */
  listSilent(moment: string, limit: number, jobId?: string): Promise<ExportRun[]>
}

/** The end of a run is noted in the feed in the same transaction. */
export interface ExportRunWrites {
  /** Stores the facts about the run's rendered file. */
  noteFile(id: string, file: RenderedFile): Promise<void>
  /**
   * Inserts a run. @param heardAt time of the last report by another program (ISO 8601); undefined: the run is history
   * @throws CONFLICT if the ID exists
   */
  insert(run: ExportRun, heardAt?: string): Promise<void>
  /**
   * Inserts a run that this server performs from its `startedAt`, and that never counts as silent. A run that delivers
   * a kept file again belongs to the server with the file.
   * @param term term of the lease of schedules
   * @returns whether this server performs the run
   * @throws CONFLICT if the ID exists
   * @throws CONFLICT if a server performs another run of the job, or if the server with the file is not running
   */
  begin(run: ExportRun, term: number): Promise<boolean>
  /**
   * Takes a run of `listGiven`, which this server performs from `moment` (ISO 8601).
   * @returns its term; undefined: `listGiven` does not contain the run any more
   */
  take(id: string, moment: string): Promise<number | undefined>
  /**
   * Stores the end of a run of this server. @returns false: nothing is written, because the run is over, or belongs to
   * another server or term
   */
  end(run: ExportRun, term: number): Promise<boolean>
  /**
   * Reports that this server still performs its runs at a moment (ISO 8601).
   * @returns the IDs of its runs that must be cancelled
   */
  beat(moment: string): Promise<string[]>
  /** Requests the end of a run from the server that performs it. @returns whether another living server performs the run */
  requestCancel(id: string): Promise<boolean>
  /** Replaces the run with this ID, if it still exists. @param heardAt undefined: the time of the last report stays */
  update(run: ExportRun, heardAt?: string): Promise<void>
  /** Deletes ended runs of the job that are not among the first `keep` of `listOf`. */
  prune(jobId: string, keep: number): Promise<void>
}

export interface ExportFeedReads {
  /** The state of the job's feed, also before the first delivery. */
  get(jobId: string): Promise<FeedState>
  /** Returns a feed that has members, but no job. */
  findOrphan(): Promise<number | undefined>
}

export interface ExportFeedWrites {
  /** The job must exist. */
  put(jobId: string, state: FeedState): Promise<void>
  /** Returns a number that no feed ever had. */
  nextFeed(): Promise<number>
  /** Stores that the file of an attempt contains some records, and declares other records deleted. */
  mark(feed: number, attempt: number, records: { present: string[]; gone: string[] }): Promise<void>
  /** Forgets some records of a feed, `limit` at most; resolves to how many. */
  removeMembers(feed: number, limit: number): Promise<number>
}

/** A file that a destination has in addition to the feeds of a job. */
export interface DeliveredFile {
  /** A hash of the name. */
  readonly name: string
  /** Digest of the content, and of the form in which the file was sent. */
  readonly digest: string
}

export interface ExportFileReads {
  /** Returns the names that a target has, with their digests. */
  digestsOf(jobId: string, target: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns a deleted job that still has stored files. */
  findOrphan(): Promise<string | undefined>
}

export interface ExportFileWrites {
  /** Stores that a target has the file, in place of an earlier file of this name. */
  note(jobId: string, target: string, file: DeliveredFile): Promise<void>
  /** Forgets some files of a job, `limit` at most; resolves to how many. */
  remove(jobId: string, limit: number): Promise<number>
}

export interface ExportLeftoverReads {
  /** Lists the leftovers of a job by name, in alphabetical order. */
  listOf(jobId: string): Promise<string[]>
  /** The jobs that have leftovers. */
  jobIds(): Promise<string[]>
}

export interface ExportLeftoverWrites {
  /** Stores a leftover once, even if it is reported twice. The job must exist. */
  note(jobId: string, name: string): Promise<void>
  forget(jobId: string, name: string): Promise<void>
}
