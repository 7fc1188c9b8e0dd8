// Export runs, their leftovers, and leases for duties of one server: part of `port.ts`.
import type { FeedState } from '../exports/rules/feed-state.ts'
import type { ExportRun, RenderedFile, RunStatus } from '../exports/rules/export-run.ts'

/** Leases for duties that only one server of a workspace performs at a time. */
export interface Leases {
  /**
   * Resolves when this server has the lease and no other holder exists, in this process either.
   * @param onWait called where the lease is not free at once
   * @throws UNAVAILABLE when the store is closed
   */
  hold(name: string, onWait?: () => void): Promise<Lease>
}

export interface Lease {
  readonly name: string
  /** Greater than the term of every holder before. */
  readonly term: number
  /** Aborted when the lease is lost: its holder stops at once. */
  readonly signal: AbortSignal
  /** The next one may have it. */
  release(): void
}

export interface RunFilter {
  readonly jobId?: string | undefined
  readonly status?: RunStatus | undefined
}

export interface ExportRunReads {
  get(id: string): Promise<ExportRun | undefined>
  /** The runs of one job, the latest start first. */
  listOf(jobId: string, limit: number): Promise<ExportRun[]>
  /** The runs of all jobs, the latest start first. */
  list(filter: RunFilter, limit: number): Promise<ExportRun[]>
  /** The first of `listOf` for each job that has runs, by the job's ID. */
  latest(): Promise<ReadonlyMap<string, ExportRun>>
  /** The running runs of all jobs, in the order of creation. */
  listRunning(): Promise<ExportRun[]>
  /** One that is running, if there is any. */
  findRunning(jobId: string): Promise<ExportRun | undefined>
  /**
   * For a server that starts: running runs that no server performs any more. Their server is gone, or other programs
   * reported them and no other living server may still receive such reports.
   */
  listAbandoned(): Promise<ExportRun[]>
  /** Running runs of servers that are gone. */
  listOrphaned(): Promise<ExportRun[]>
  /** Whether a server performs the run; otherwise another program reports it. */
  isPerformed(id: string): Promise<boolean>
  /** The file of the run, where it was noted. */
  fileOf(id: string): Promise<RenderedFile | undefined>
  /** Whether the run's file, if it has one, is in the data directory of this server, not in that of another server. */
  isFileHere(id: string): Promise<boolean>
  /** Running runs that another server was asked for and that this server is to perform: it has not taken them yet. */
  listGiven(): Promise<ExportRun[]>
  /** Runs whose file is kept, of one job where it is given: the latest start first. */
  listKept(jobId?: string): Promise<ExportRun[]>
  /** Running ones that were last heard of before a moment (ISO 8601), `limit` at most; of one job where it is given. */
  listSilent(moment: string, limit: number, jobId?: string): Promise<ExportRun[]>
}

/** The end of a run is noted in the feed in the same transaction. */
export interface ExportRunWrites {
  /** Stores the facts about the run's rendered file. */
  noteFile(id: string, file: RenderedFile): Promise<void>
  /**
   * `heardAt`: the time of the last report of another program (ISO 8601); without it, the run is history.
   * @throws CONFLICT for an ID that exists
   */
  insert(run: ExportRun, heardAt?: string): Promise<void>
  /**
   * Inserts a run that this server performs from now on (its `startedAt`), and that is never silent. A run that delivers a
   * kept file again belongs to the server that has the file. `term`: term of the lease of schedules.
   * @returns whether this server performs the run
   * @throws CONFLICT for an ID that exists
   * @throws CONFLICT while a server performs another run of the job, and if the server with the file is not running
   */
  begin(run: ExportRun, term: number): Promise<boolean>
  /**
   * This server performs a run of `listGiven` from now on (ISO 8601). @returns its term; undefined: the run is not in
   * that list any more
   */
  take(id: string, moment: string): Promise<number | undefined>
  /** How a run of this server has ended. @returns false, where it is over, or not this server's under this term: nothing is written then */
  end(run: ExportRun, term: number): Promise<boolean>
  /**
   * This server still performs its runs, at a moment (ISO 8601). @returns the IDs of its runs that are to be cancelled
   */
  beat(moment: string): Promise<string[]>
  /** Asks the server that performs the run to end it. @returns whether another living server performs it */
  requestCancel(id: string): Promise<boolean>
  /** Replaces the run with this ID, if it still exists. Without `heardAt` it was last heard of when it was before. */
  update(run: ExportRun, heardAt?: string): Promise<void>
  /** Deletes runs of the job that are not among the first `keep` of `listOf`, except those that are running. */
  prune(jobId: string, keep: number): Promise<void>
}

export interface ExportFeedReads {
  /** The state of the job's feed, also before the first delivery. */
  get(jobId: string): Promise<FeedState>
  /** A feed that has members and no job. */
  findOrphan(): Promise<number | undefined>
}

export interface ExportFeedWrites {
  /** The job must exist. */
  put(jobId: string, state: FeedState): Promise<void>
  /** A number that no feed ever had. */
  nextFeed(): Promise<number>
  /** The file of an attempt contains some records, and declares others gone. */
  mark(feed: number, attempt: number, records: { present: string[]; gone: string[] }): Promise<void>
  /** Forgets some records of a feed, `limit` at most; resolves to how many. */
  removeMembers(feed: number, limit: number): Promise<number>
}

/** A file that a destination has beside the feeds of a job. */
export interface DeliveredFile {
  /** A hash of the name. */
  readonly name: string
  /** Of its content, and of the form in which it was sent. */
  readonly digest: string
}

export interface ExportFileReads {
  /** The names that a target has, with their digests. */
  digestsOf(jobId: string, target: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** A job that is gone and has files here. */
  findOrphan(): Promise<string | undefined>
}

export interface ExportFileWrites {
  /** A target has the file, in place of an earlier one of its name. */
  note(jobId: string, target: string, file: DeliveredFile): Promise<void>
  /** Forgets some files of a job, `limit` at most; resolves to how many. */
  remove(jobId: string, limit: number): Promise<number>
}

export interface ExportLeftoverReads {
  /** Names that a job's destination has noted, in alphabetical order. */
  listOf(jobId: string): Promise<string[]>
  /** The jobs that have leftovers. */
  jobIds(): Promise<string[]>
}

export interface ExportLeftoverWrites {
  /** Noting a name twice is noting it once. The job must exist. */
  note(jobId: string, name: string): Promise<void>
  forget(jobId: string, name: string): Promise<void>
}
