// Export destinations: the one contract between the export runner and the files in `plugins/` (and modules loaded from
// `--plugins-dir`). Contract 1 §2.9, 1 §2.10, 2 §6. Imports types only, so that a plugin can copy it.
import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Standard Schema (https://standardschema.dev), version 1, as far as pimlet uses it: any valibot, zod or arktype schema. */
export interface ConfigSchema<Config> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => ConfigResult<Config> | Promise<ConfigResult<Config>>
    readonly types?: { readonly input: unknown; readonly output: Config } | undefined
  }
}

export type ConfigResult<Config> =
  | { readonly value: Config; readonly issues?: undefined }
  | { readonly issues: readonly ConfigIssue[] }

export interface ConfigIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The finished export: a file in the data directory, complete before the first delivery attempt. */
export interface ExportFile {
  /** Name at the destination, without any directory. */
  readonly name: string
  /** Absolute path of the spool file; empty for a streamed file. */
  readonly path: string
  /** Set of a file that is nowhere on the disk as a whole, such as a zip of pictures: only `open` reads it. */
  readonly isStreamed?: boolean | undefined
  /** Bytes. */
  readonly size: number
  /** Lower-case hexadecimal digest of the bytes. */
  readonly sha256: string
  /** `text/csv; charset=utf-8`, `application/gzip`, … */
  readonly contentType: string
  /** Set of the checksum of the file that the same run has delivered before, to be put beside it. */
  readonly isChecksum?: boolean | undefined
  /** Set of a file that the feed of the same run names, such as a picture. It comes before the feed. */
  readonly isBeside?: boolean | undefined
  /** A fresh stream over the whole file or over `start…end` (bytes, both inclusive). */
  open(range?: { start: number; end: number }): Readable
}

/**
 * The way out of the process. Every connection of a destination goes through it, so one rule decides which addresses may be
 * reached. Loopback, link-local, multicast and unspecified addresses may not, unless `--allow-destination` allows them. The
 * rule is applied to the resolved address at the moment of connecting.
 */
export interface Network {
  readonly httpAgent: HttpAgent
  readonly httpsAgent: HttpsAgent
  /** For clients that take a `lookup` option. Not enough alone: it is not asked for hosts that are literal addresses. */
  readonly lookup: LookupFunction
  /** A connected TCP socket with TCP_NODELAY. Throws PermanentError for a refused address. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>
  /** Throws PermanentError if `host` is, or resolves to, an address that may not be reached. */
  assertAllowed(host: string): Promise<void>
}

/**
 * Names of things that a fault may leave at the destination, such as an upload id or a temporary file name. They are kept
 * with the job in the database: noted before the thing is made, and forgotten after it is gone.
 */
export interface Leftovers {
  list(): Promise<readonly string[]>
  note(name: string): Promise<void>
  forget(name: string): Promise<void>
}

export interface RunContext {
  readonly jobId: string
  /** For `check()` a made-up id. */
  readonly runId: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborted when the run is cancelled, the attempt's time is over, or the server stops. Every wait must end with it. */
  readonly signal: AbortSignal
  readonly network: Network
  readonly leftovers: Leftovers
  /** A line in the server's log under the run's id. Known secrets are blotted out. */
  log(message: string): void
}

/** The context of a delivery of several files. */
export interface SeveralContext extends RunContext {
  /**
   * Call it as soon as the destination has confirmed the complete file: no later attempt sends the file again. Until then the
   * file stays on the disk. Resolves when that is stored.
   */
  delivered(file: ExportFile): Promise<void>
}

/** Where a job goes, as its settings say. */
export interface Place {
  /** Key of the config → the host name or address in it. One that may not be reached is refused when a job is saved. */
  readonly hosts?: Readonly<Record<string, string>>
  /**
   * Key of the config → where, and how safely, secrets are sent: scheme, host and port, a pinned key. Equal places have one
   * spelling, so that they are equal here. If a value changes, stored secrets are not kept: the client must send them
   * again. Without this member every change of a key that is no secret counts.
   */
  readonly secretsGoTo?: Readonly<Record<string, string | number | boolean | undefined>>
}

export interface Destination<Config = unknown> {
  /** The job's `destinationType`; also the file's name, the doc's section and the test's name. */
  readonly type: string
  /** The name for people; the default is the type. */
  readonly title?: string
  /** Checked when a job is saved, not at 02:00. Unknown keys are dropped, unless `keys` says which there are. */
  readonly config: ConfigSchema<Config>
  /** All keys of the config. With this member a misspelt key is refused, naming the nearest known key. */
  readonly keys?: readonly string[]
  /** Keys of the config that are encrypted at rest and masked; `headers.*` means each value of the object `headers`. */
  readonly secrets?: readonly string[]
  /** Asked when a job is saved. Without I/O: the network is asked at the moment of connecting. */
  place?(config: Config): Place | Promise<Place>
  /** Throws when the destination cannot be written. Leaves nothing there. */
  check?(config: Config, context: RunContext): Promise<void>
  /** Resolves only when the destination has confirmed the complete file. Under the final name the file is whole or absent. */
  deliver(file: ExportFile, config: Config, context: RunContext): Promise<Delivery>
  /**
   * Delivers several files of one run over one connection, with the promises of `deliver` for each. Take a file only when it
   * can be sent: each is made when it is taken. Resolves when `delivered` was called for each. The feed is never among them,
   * but comes afterwards, by `deliver`. Without it every file comes by `deliver`.
   */
  deliverAll?(files: AsyncIterable<ExportFile>, config: Config, context: SeveralContext): Promise<void>
  /** Removes the remains of earlier faults, as listed in `context.leftovers`. Called before a delivery and at start-up. */
  sweep?(config: Config, context: RunContext): Promise<void>
}

export interface Delivery {
  /** Full path or URL of the delivered file, free of secrets. */
  readonly destinationPath: string
}

/** A fault that no retry can mend: wrong credentials, missing bucket, refused address. Ends the run at once. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError'
  readonly permanent = true
  /** Set when the whole job should be paused: the destination says that it is gone for good. */
  readonly pauseJob: boolean

  constructor(message: string, options: { cause?: unknown; pauseJob?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.pauseJob = options.pauseJob ?? false
  }
}

/** A fault that may pass, when the destination said how long to wait. Any other error is retried with backoff. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError'
  /** Milliseconds. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}
