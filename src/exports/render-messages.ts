// What the main thread and a render thread say to each other.
import type { ErrorCode } from '../domain/errors.ts'
import type { ExportColumn } from '../domain/exports/columns.ts'
import type { CsvDialect } from '../domain/exports/csv-dialect.ts'
import type { ExportFormat } from '../domain/exports/export-format.ts'
import type { VariantValues } from '../domain/exports/flatten.ts'
import type { Scope } from '../domain/scopes/scope.ts'
import type { StoreLocation } from '../storage/port.ts'
import type { SearchQuery } from '../storage/search-port.ts'

/** What of the workspace an export carries, and how it is written. */
export interface ExportSelection {
  readonly format: ExportFormat
  /** One that no longer exists selects nothing; so do `catalogId` and `includeLifecycleStateIds`. */
  readonly schemaId: string | null
  /** Records assigned to any category of this catalog, and their variants. */
  readonly catalogId: string | null
  /** One effective value per attribute, for this scope; null: all scoped values. */
  readonly dimensionScope: Scope | null
  readonly includeVariants: boolean
  readonly variantValues: VariantValues
  /** null: all states. */
  readonly includeLifecycleStateIds: readonly string[] | null
  readonly spreadsheetSafe: boolean
  /** The export carries what this role may read. */
  readonly roleId: string
}

/** A file of what a search finds, that is sent while it is rendered. */
export interface FoundRequest {
  readonly format: ExportFormat
  /** Its role decides what the file shows. */
  readonly query: SearchQuery
  /** null: what the format has of a record, in place of columns. */
  readonly columns: readonly ExportColumn[] | null
  /** Aliases, where there are no columns; null: all that the role may read. */
  readonly select: readonly string[] | null
  /** As of an `ExportSelection`; of columns without a scope, too. */
  readonly dimensionScope: Scope | null
  readonly variantValues: VariantValues
  readonly dialect: CsvDialect
  /** By gzip. */
  readonly compress: boolean
}

export interface RenderRequest extends ExportSelection {
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
}

export interface RenderThreadData {
  readonly role: 'render'
  readonly location: StoreLocation
  readonly task: RenderTask
}

export type RenderTask =
  | { readonly kind: 'render'; readonly request: RenderRequest }
  | { readonly kind: 'preview'; readonly selection: ExportSelection; readonly limit: number }
  /** Each part of it is asked for by `next`. */
  | { readonly kind: 'stream'; readonly request: FoundRequest; readonly queryTimeout: number }

export type ToRenderThread = { readonly kind: 'stop' } | { readonly kind: 'next' }

export type FromRenderThread =
  | { readonly kind: 'rendered'; readonly rendered: Rendered }
  | { readonly kind: 'previewed'; readonly text: string }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
