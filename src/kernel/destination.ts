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
  /** True if the disk never holds the complete file, as with a zip of pictures. Only `open` reads such a file. */
  readonly isStreamed?: boolean | undefined
  /** Bytes. */
  readonly size: number
  /** Lower-case hexadecimal digest of the bytes. */
  readonly sha256: string
  /** `text/csv; charset=utf-8`, `application/gzip`, … */
  readonly contentType: string
  /** True for a checksum file. The same run has delivered the file before, and the checksum belongs beside that file. */
  readonly isChecksum?: boolean | undefined
  /** True for a file that the feed of the same run names, such as a picture. The run delivers the feed afterwards. */
  readonly isBeside?: boolean | undefined
  /** A fresh stream over the whole file or over `start…end` (bytes, both inclusive). */
  open(range?: { start: number; end: number }): Readable
}

/**
 * The way out of the process. Every connection of a destination uses it, so one rule decides which addresses may be
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
   * Stores that the destination has the complete file, so that no later attempt sends the file again. Call `delivered` as
   * soon as the destination has confirmed the file. The file stays on the disk until then.
   */
  delivered(file: ExportFile): Promise<void>
}

/** The place that the settings of a job lead to. */
export interface Place {
  /** Key of the config → its host name or address. A forbidden host is refused when the job is saved. */
  readonly hosts?: Readonly<Record<string, string>>
  /**
   * Key of the config → everything that decides where and how safely secrets are sent: scheme, host, port, a pinned key.
   * Equal places must have equal texts. If a text changes, the caller must send all secrets again. Without `secretsGoTo`,
   * a change of any key that is no secret has the same effect.
   */
  readonly secretsGoTo?: Readonly<Record<string, string | number | boolean | undefined>>
}

export interface Destination<Config = unknown> {
  /** The job's `destinationType`; also the file's name, the doc's section and the test's name. */
  readonly type: string
  /** The name for people. Default: the type. */
  readonly title?: string
  /** Checks the settings when a job is saved. Unknown keys are dropped; with `keys`, they are refused. */
  readonly config: ConfigSchema<Config>
  /** All keys of the config. With `keys`, a misspelt key is refused, and the message names the intended key. */
  readonly keys?: readonly string[]
  /** Keys of the config that are encrypted at rest and masked; `headers.*` means each value of the object `headers`. */
  readonly secrets?: readonly string[]
  /** Returns the place when a job is saved. Must not use the network. */
  place?(config: Config): Place | Promise<Place>
  /** Throws when the destination cannot be written. Leaves nothing there. */
  check?(config: Config, context: RunContext): Promise<void>
  /** Resolves only when the destination has confirmed the complete file. Under the final name the file is whole or absent. */
  deliver(file: ExportFile, config: Config, context: RunContext): Promise<Delivery>
  /**
   * Delivers several files of one run over one connection. The promises of `deliver` hold for each file. pimlet makes a file
   * when the file is taken, so take a file only when it can be sent. Resolves when `delivered` was called for each file. The
   * feed is never among the files: `deliver` gets the feed afterwards. Without `deliverAll`, `deliver` gets every file.
   */
  deliverAll?(files: AsyncIterable<ExportFile>, config: Config, context: SeveralContext): Promise<void>
  /** Removes the leftovers of earlier faults (`context.leftovers`). Called before each delivery and at the start. */
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
