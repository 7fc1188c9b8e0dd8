// The interface of a store of bytes: it knows content by its SHA-256 and nothing else. Contract 4 §1, 4 §5.
// `test/files/content/contract.ts` tests the duties of every store.
import type { Readable } from 'node:stream'
import { PimletError } from '../../kernel/errors.ts'

/** Bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Errors: UNAVAILABLE where the store is away, full or not writable. */
export interface ContentStore {
  /** The place of the bytes for messages, free of secrets. */
  readonly place: string
  /** Where files arrive, on a disk of this machine. */
  readonly arrivals: string
  /** Whether several servers reach the same bytes. */
  readonly isShared: boolean
  /** Makes the place where it is missing. @throws UNAVAILABLE where bytes cannot be written and read */
  prepare(): Promise<void>
  /**
   * Takes a finished file out of `arrivals`, and keeps its bytes durably. Replaces nothing but equal bytes: two callers
   * may keep the same bytes at once.
   */
  keep(sha256: string, file: string): Promise<void>
  /** @throws MissingContent */
  open(sha256: string, range?: ByteRange): Promise<Readable>
  /** Runs `work` with a file of the bytes on this machine, which `work` only reads. @throws MissingContent; errors of `work` */
  withFile<Result>(sha256: string, work: (file: string) => Promise<Result>): Promise<Result>
  /** The bytes; undefined: they are not there. */
  sizeOf(sha256: string): Promise<number | undefined>
  /** Bytes that are not there are removed already. */
  remove(sha256: string): Promise<void>
  /** The hashes of everything that is kept, in no order. Other names are passed over. */
  list(): AsyncIterable<string>
}

/** The bytes are not in the store, although they should be. */
export class MissingContent extends Error {
  override readonly name = 'MissingContent'
}

export const SHA256 = /^[0-9a-f]{64}$/

/** The name of content below the root of a store: few names in one directory. */
export function nameOf(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256}`
}

/** @param why free of secrets */
export function awayError(place: string, why: string, cause: unknown): PimletError {
  return new PimletError('UNAVAILABLE', `The store of files ${place} cannot be used: ${why}`, { cause, retryAfter: 5 })
}
