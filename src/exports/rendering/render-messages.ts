// Messages between the main thread and a render thread.
import type { StoreLocation } from '../../store/port.ts'
import type { SearchQuery } from '../../store/search-port.ts'
import type { FeedResult, MemberView } from '../rules/feed-state.ts'
import type { Writing } from './record-writer.ts'

/** The content of an export, and its form. */
export interface ExportSelection extends Writing {
  /** One that no longer exists selects nothing; so do `catalogId` and `includeLifecycleStateIds`. */
  readonly schemaId: string | null
  /** Records assigned to any category of this catalog, and their variants. */
  readonly catalogId: string | null
  readonly includeVariants: boolean
  /** null: all states. */
  readonly includeLifecycleStateIds: readonly string[] | null
  /** The role that limits the content. */
  readonly roleId: string
  /**
   * The search that finds the records and their order. It includes the rules above, and replaces them; null: these rules
   * alone select.
   */
  readonly query: SearchQuery | null
}

/** A file of a search, which is sent while it is rendered. */
export interface FoundRequest extends Writing {
  /** The search; its role limits the content. */
  readonly query: SearchQuery
  /** Whether the file is packed by gzip. */
  readonly compress: boolean
}

/** The order for a job that makes deltas. */
export interface FeedOrder {
  /** undefined: a full file. */
  readonly since?: (FeedResult & MemberView) | undefined
  /** Which records are in the file, and which are said to be gone: written beside the spool file, for `feed-members.ts`. */
  readonly memberFile: string
}

/** The order for a job whose files go with the feed. */
export interface FileOrder {
  /** Where the list of files is written; see `file-list.ts`. */
  readonly listFile: string
  /** Names that other files of the run have. */
  readonly reserved: readonly string[]
  /** The list of files at the destination: the feed names only these. undefined: the destination will have all files. */
  readonly knownFile?: string | undefined
}

export interface RenderRequest extends ExportSelection {
  /** For a job with `files`. */
  readonly fileOrder?: FileOrder | undefined
  /** For a job that makes deltas, which always has a `query`. */
  readonly feed?: FeedOrder | undefined
  readonly compress: boolean
  /** Absolute path. Made with mode 0600; it must not exist. Gone again unless `render` resolves. */
  readonly spoolFile: string
}

export interface Rendered {
  readonly recordCount: number
  /** Bytes of the spool file. */
  readonly size: number
  /** SHA-256 of the spool file, in lower-case hexadecimal. */
  readonly sha256: string
  /** For a job that makes deltas. */
  readonly feed?: FeedResult | undefined
}

/** How far a rendering has come. */
export interface RenderProgress {
  readonly records: number
  /** null: not known. */
  readonly total: number | null
  readonly bytes: number
}

export interface RenderThreadData {
  readonly role: 'render'
  readonly location: StoreLocation
}

export type RenderTask =
  | { readonly kind: 'render'; readonly request: RenderRequest }
  | { readonly kind: 'preview'; readonly selection: ExportSelection; readonly limit: number }
  | { readonly kind: 'stream'; readonly request: FoundRequest; readonly queryTimeout: number }

/** Results of each kind of task: a preview returns its text, a stream some bytes at a time. */
export interface RenderParts {
  readonly render: Rendered
  readonly preview: string
  readonly stream: Uint8Array
}
