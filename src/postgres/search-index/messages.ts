// What the main thread and the index thread say to each other.
import type { PostgresLocation } from '../location.ts'

export interface PostgresIndexData {
  readonly role: 'databaseIndex'
  readonly location: PostgresLocation
}

export type ToIndexThread =
  /** Something was noted that the index has not seen, for the so-manieth time. */
  { readonly kind: 'advance'; readonly advances: number } | { readonly kind: 'close' }

export type FromIndexThread =
  /** So many changes are noted that are not indexed. */
  | { readonly kind: 'behind'; readonly changes: number }
  /** Of the calls to advance all up to this number are seen to. */
  | { readonly kind: 'idle'; readonly advances: number }
  /** It is tried again. */
  | { readonly kind: 'failed'; readonly why: string }
