// The file that a command writes: there as a whole or not at all; packed by gzip where its name says so.
import { createWriteStream, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { StartError } from '../start-error.ts'
import { system } from '../system.ts'

/** `-`: standard output, which may be closed early by whoever reads it. @throws StartError */
export async function writeOutput(name: string, text: AsyncIterable<string>): Promise<void> {
  if (name !== '-') return writeFile(name, text)
  try {
    await pipeline(text, process.stdout, { end: false })
    // What a pipe has not taken yet would be lost with the end of the process.
    await new Promise<void>((resolve, reject) => {
      process.stdout.write('', (error) => (error ? reject(error) : resolve()))
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

async function writeFile(name: string, text: AsyncIterable<string>): Promise<void> {
  const part = partOf(name)
  try {
    const target = createWriteStream(part, { flags: 'wx', flush: true })
    if (name.endsWith('.gz')) await pipeline(text, createGzip(), target)
    else await pipeline(text, target)
    await rename(part, name)
    await syncDirectory(path.dirname(name))
  } catch (error) {
    throw isOfSystem(error) ? unwritable(name, error) : error
  } finally {
    rmSync(part, { force: true })
  }
}

/** A file beside `name` that is gone when the process ends, also by a signal. */
export function partOf(name: string): string {
  const part = `${name}.${system.randomBytes(6).toString('hex')}.part`
  const remove = (): void => rmSync(part, { force: true })
  process.once('exit', remove)
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(status))
  return part
}

/** So that a power cut does not take the name back. Not every system can. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory)
    await handle.sync()
  } catch {
    return
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such directory',
  EACCES: 'the directory may not be written to',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a directory',
  ENOTDIR: 'its directory is a file',
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

function unwritable(name: string, error: NodeJS.ErrnoException): StartError {
  const { code = '', message } = error
  return new StartError(`Cannot write ${name}: ${REASONS[code] ?? message}`, { cause: error })
}
