// The file that a command writes: there as a whole or not at all; packed by gzip where its name says so.
import { createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isOfSystem, partOf, publish, removePart } from '../files.ts'
import { StartError } from '../start-error.ts'

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
    if (isPipeOrDevice(name)) return await writeInto(createWriteStream(name), name, text)
    await writeInto(createWriteStream(part, { flags: 'wx' }), name, text)
    publish(part, name, { mayReplace: true })
  } catch (error) {
    throw isOfSystem(error) ? unwritable(name, error) : error
  } finally {
    removePart(part)
  }
}

/** Such as /dev/null or /dev/stdout: no file may take its place. */
function isPipeOrDevice(name: string): boolean {
  const stats = statSync(name, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

function writeInto(target: NodeJS.WritableStream, name: string, text: AsyncIterable<string>): Promise<void> {
  return name.endsWith('.gz') ? pipeline(text, createGzip(), target) : pipeline(text, target)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such directory',
  EACCES: 'the directory may not be written to',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a directory',
  ENOTDIR: 'its directory is a file',
}

function unwritable(name: string, error: NodeJS.ErrnoException): StartError {
  const { code = '', message } = error
  return new StartError(`Cannot write ${name}: ${REASONS[code] ?? message}`, { cause: error })
}
