// Gives work a temporary file of bytes that are in a store elsewhere.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import { system } from '../../kernel/machine/system.ts'
import { awayError, type ContentStore } from './content-store.ts'

/** Removes the file after `work`, which has an end. @throws UNAVAILABLE where the store breaks off; errors of `work` */
export async function withFetched<Result>(
  { arrivals, place }: Pick<ContentStore, 'arrivals' | 'place'>,
  bytes: Readable,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const file = path.join(arrivals, `${system.randomBytes(12).toString('hex')}.part`)
  try {
    await pipeline(chunksOf(bytes, place), createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch(
      translateFileError,
    )
    return await work(file)
  } finally {
    await rm(file, { force: true })
  }
}

/** A broken answer is a fault of the store, and not of this machine's disk. */
async function* chunksOf(bytes: Readable, place: string): AsyncGenerator<Buffer, void> {
  try {
    yield* bytes as AsyncIterable<Buffer>
  } catch (error) {
    throw awayError(place, 'its answer broke off', error)
  }
}
