// What the main thread and the index thread say to each other.
import type { Progress } from './index-tables.ts'

export interface IndexThreadData {
  readonly role: 'index'
  readonly databaseFile: string
  readonly indexFile: string
}

export type ToIndexThread = { readonly kind: 'advance' } | { readonly kind: 'close' }

export type FromIndexThread =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'idle' }
  /** The write-ahead log was moved into the database as far as readers allowed: the writer may start it again. */
  | { readonly kind: 'checkpointed' }
