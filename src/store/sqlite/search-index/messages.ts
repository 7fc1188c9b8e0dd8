// Messages between the main thread and the index thread.
import type { MessagePort } from 'node:worker_threads'
import type { Progress } from './index-tables.ts'

export interface IndexThreadData {
  readonly role: 'index'
  readonly databaseFile: string
  readonly indexFile: string
  /** Whether the previous thread failed because of the index, so that the index is rebuilt. */
  readonly isDamaged: boolean
  /** Connects to the main thread's `Wal`. */
  readonly wal: MessagePort
}

export type ToIndexThread =
  | { readonly kind: 'advance' }
  /** A search failed to read the index, which may be damaged. */
  | { readonly kind: 'check' }
  /** Requests overwriting the remains of deleted rows in the index and both WAL files; `overwritten` answers. */
  | { readonly kind: 'overwrite' }
  | { readonly kind: 'close' }

export type FromIndexThread =
  | ({ readonly kind: 'progress' } & Progress)
  | { readonly kind: 'idle' }
  /** The index cannot be written, for example on a full disk. The thread tries again, and `progress` reports success. */
  | { readonly kind: 'stalled'; readonly why: string }
  /** The thread ends because of a fault of the index. */
  | { readonly kind: 'damaged' }
  /** `isWhole`: no reader prevented the overwrite. */
  | { readonly kind: 'overwritten'; readonly isWhole: boolean }
  /** The check found no damage in the index. */
  | { readonly kind: 'sound' }
