// What the main thread and the index thread say to each other.
import type { Progress } from './index-tables.ts'

export interface IndexThreadData {
  readonly role: 'index'
  readonly databaseFile: string
  readonly indexFile: string
}

export type ToIndexThread =
  | { readonly kind: 'advance' }
  /** No commit begins before `logRestarted`. */
  | { readonly kind: 'writersWait' }
  | { readonly kind: 'close' }

export type FromIndexThread =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'idle' }
  /** The write-ahead log is nearly all in the database: while no commit begins, it can be started again. */
  | { readonly kind: 'restartLog' }
  | { readonly kind: 'logRestarted' }
