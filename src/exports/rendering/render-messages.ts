// What the main thread and a render thread say to each other.
import type { StoreLocation } from '../../store/port.ts'
import type { SearchQuery } from '../../store/search-port.ts'
import type { FeedResult, MemberView } from '../rules/feed-state.ts'
import type { Writing } from './record-writer.ts'

/** What of the workspace an export carries, and how it is written. */
export interface ExportSelection extends Writing {
  /** One that no longer exists selects nothing; so do `catalogId` and `includeLifecycleStateIds`. */
  readonly schemaId: string | null
  /** Records assigned to any category of this catalog, and their variants. */
  readonly catalogId: string | null
  readonly includeVariants: boolean
  /** null: all states. */
  readonly includeLifecycleStateIds: readonly string[] | null
  /** The export carries what this role may read. */
  readonly roleId: string
  /** Finds the records and their order, in place of the rules above, which it has taken in; null: these alone select. */
  readonly query: SearchQuery | null
}

/** A file of what a search finds, that is sent while it is rendered. */
export interface FoundRequest extends Writing {
  /** Its role decides what the file shows. */
  readonly query: SearchQuery
  /** By gzip. */
  readonly compress: boolean
}

/** What a render thread is told of a job that makes deltas. */
export interface FeedOrder {
  /** undefined: a full file. */
  readonly since?: (FeedResult & MemberView) | undefined
  /** Which records are in the file, and which are said to be gone: written beside the spool file, for `feed-members.ts`. */
  readonly memberFile: string
}

export interface RenderRequest extends ExportSelection {
  /** Of a job that makes deltas; `query` is there then. */
  readonly feed?: FeedOrder | undefined
  readonly compress: boolean
  /** Absolute path. Made with mode 0600; it must not exist. Gone again unless `render` resolves. */
  readonly spoolFile: string
}

export interface Rendered {
  readonly recordCount: number
  /** Bytes of the spool file. */
  readonly size: number
  /** Of the spool file: lower-case hexadecimal. */
  readonly sha256: string
  /** Of a job that makes deltas. */
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

/** What tasks of each kind bring: a preview its text, a stream some bytes at a time. */
export interface RenderParts {
  readonly render: Rendered
  readonly preview: string
  readonly stream: Uint8Array
}
