// What the main thread and the index thread say to each other.
import type { MessagePort } from 'node:worker_threads'
import type { Progress } from './index-tables.ts'

export interface IndexThreadData {
  readonly role: 'index'
  readonly databaseFile: string
  readonly indexFile: string
  /** The thread before this one could not go on with the index: it is made anew. */
  readonly isDamaged: boolean
  /** To the main thread's `Wal`. */
  readonly wal: MessagePort
}

export type ToIndexThread =
  | { readonly kind: 'advance' }
  /** A search could not read what it needs: the index may be damaged. */
  | { readonly kind: 'check' }
  /** What deleted rows have left in the index and in both wals is to be overwritten; `overwritten` answers. */
  | { readonly kind: 'overwrite' }
  | { readonly kind: 'close' }

export type FromIndexThread =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'idle' }
  /** The index cannot be written, as on a full disk; the thread tries again, and `progress` says when it goes on. */
  | { readonly kind: 'stalled'; readonly why: string }
  /** The thread ends with its fault, which is the index's own. */
  | { readonly kind: 'damaged' }
  /** isWhole: no reader prevented it. */
  | { readonly kind: 'overwritten'; readonly isWhole: boolean }
  /** The index was checked, and is not damaged. */
  | { readonly kind: 'sound' }
