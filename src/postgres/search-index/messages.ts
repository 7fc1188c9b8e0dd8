// Messages between the main thread and the index thread.
import type { PostgresLocation } from '../location.ts'

export interface PostgresIndexData {
  readonly role: 'databaseIndex'
  readonly location: PostgresLocation
}

export type ToIndexThread =
  /** A change was noted; `advances` counts these messages. */
  { readonly kind: 'advance'; readonly advances: number } | { readonly kind: 'close' }

export type FromIndexThread =
  /** Number of noted changes that are not indexed. */
  | { readonly kind: 'behind'; readonly changes: number }
  /** All `advance` messages up to this number are done. */
  | { readonly kind: 'idle'; readonly advances: number }
  /** A failure; the thread tries again. */
  | { readonly kind: 'failed'; readonly why: string }
