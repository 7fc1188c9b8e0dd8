// The output file of a command: written completely or not at all, and packed by gzip if its name says so.
import { accessSync, constants, createWriteStream, rmSync, statSync, type WriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isOfSystem, partOf, publish, removePart } from '../kernel/machine/whole-files.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { own } from '../kernel/own.ts'

/** The content: text or bytes. */
type Output = AsyncIterable<string | Buffer>

interface OutputOptions {
  /** Whether an existing file may be replaced. Pipes and devices are never replaced. */
  readonly mayReplace: boolean
}

/** Checks that `writeOutput` can begin, before there is output. @throws StartError */
export function assertWritable(name: string, { mayReplace }: OutputOptions): void {
  if (name === '-') return
  try {
    const stats = statSync(name, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) throw new StartError(`Cannot write ${name}: it is a directory`)
    if (stats?.isFile() === true && !mayReplace) throw taken(name)
    if (stats === undefined || stats.isFile()) accessSync(path.dirname(name), constants.W_OK)
  } catch (error) {
    throw isOfSystem(error) ? unwritable(name, error) : error
  }
}

function taken(name: string, cause?: unknown): StartError {
  return new StartError(`${name} already exists: choose another name, or replace it by --force`, { cause })
}

/**
 * `-` is standard output, whose reader may close it early.
 * @returns bytes of the file; undefined: the output is no file
 * @throws StartError
 */
export async function writeOutput(
  name: string,
  content: Output,
  options: OutputOptions = { mayReplace: true },
): Promise<number | undefined> {
  if (name !== '-') return writeFile(name, content, options)
  try {
    await pipeline(content, process.stdout, { end: false })
    // Output that a pipe has not taken would be lost when the process ends.
    await new Promise<void>((resolve, reject) => {
      process.stdout.write('', (error) => (error ? reject(error) : resolve()))
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
  return undefined
}

/** Removes an earlier file; pipes and devices stay. */
export function removeOutput(name: string): void {
  if (!isPipeOrDevice(name)) rmSync(name, { force: true })
}

async function writeFile(name: string, content: Output, { mayReplace }: OutputOptions): Promise<number | undefined> {
  const part = partOf(name)
  try {
    if (isPipeOrDevice(name)) {
      await writeInto(createWriteStream(name), name, content)
      return undefined
    }
    await writeInto(createWriteStream(part, { flags: 'wx' }), name, content)
    publish(part, name, { mayReplace })
    return statSync(name).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(name, error)
    throw isOfSystem(error) ? unwritable(name, error) : error
  } finally {
    removePart(part)
  }
}

/** For example /dev/null or /dev/stdout, which no file may replace. */
function isPipeOrDevice(name: string): boolean {
  const stats = statSync(name, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

async function writeInto(target: WriteStream, name: string, content: Output): Promise<void> {
  try {
    await (name.endsWith('.gz') ? pipeline(content, createGzip(), target) : pipeline(content, target))
  } finally {
    // An early failure may come before the file is open; the file would then appear after its removal.
    if (!target.closed) await new Promise<void>((resolve) => target.once('close', () => resolve()))
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

function unwritable(name: string, error: NodeJS.ErrnoException): StartError {
  const { code = '', message } = error
  return new StartError(`Cannot write ${name}: ${own(REASONS, code) ?? message}`, { cause: error })
}
