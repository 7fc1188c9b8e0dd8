// Gives work a temporary file of bytes that are in a store elsewhere.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translateFileError } from '../../kernel/machine/files.ts'
import { system } from '../../kernel/machine/system.ts'

/** Removes the file after `work`, which has an end. */
export async function withFetched<Result>(
  directory: string,
  bytes: Readable,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const file = path.join(directory, `${system.randomBytes(12).toString('hex')}.part`)
  try {
    await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch(translateFileError)
    return await work(file)
  } finally {
    await rm(file, { force: true })
  }
}
