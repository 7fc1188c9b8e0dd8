// The main thread's side of rendering an export: what is asked of a render thread, and what comes back. Decisions §6.
import type { ExportFormat } from '../domain/export-format.ts'
import type { Scope } from '../domain/scope.ts'

/** What of the workspace an export carries, and how it is written. */
export interface ExportSelection {
  readonly format: ExportFormat
  /** One that no longer exists selects nothing; so do `catalogId` and `includeLifecycleStateIds`. */
  readonly schemaId: string | null
  /** Records assigned to any category of this catalog. */
  readonly catalogId: string | null
  /** One effective value per attribute, for this scope; null: all scoped values. */
  readonly dimensionScope: Scope | null
  readonly includeVariants: boolean
  /** null: all states. */
  readonly includeLifecycleStateIds: readonly string[] | null
  readonly spreadsheetSafe: boolean
  /** The export carries what this role may read. */
  readonly roleId: string
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

export interface Renderer {
  /**
   * Writes the export of one snapshot to the spool file, and resolves when the file is complete and durable.
   * @throws NOT_FOUND for an unknown role, PERMISSION_DENIED for one that may not read records, UNAVAILABLE when
   * storage is full or the server is shutting down, and the signal's reason when it is aborted
   */
  render(request: RenderRequest, signal: AbortSignal): Promise<Rendered>
  /** The text of the first `limit` records, uncompressed; fewer where they are very large. Throws as `render` does. */
  preview(request: ExportSelection, limit: number, signal: AbortSignal): Promise<string>
  /** Ends what is under way (it rejects with UNAVAILABLE) and refuses what comes later. */
  close(): Promise<void>
}

export interface RendererOptions {
  readonly databaseFile: string
  /** Called with faults of a thread, beside the rejection of what it was asked. */
  readonly onFault: (message: string, error: unknown) => void
}
