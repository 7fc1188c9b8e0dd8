// Files that exist completely or not at all, also after a power cut, and the words for file system errors.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { system } from './system.ts'
import { PimletError } from '../errors.ts'

/** Unfinished files, which go when the process ends. */
const parts = new Set<string>()

/**
 * A temporary file beside `name`. It is removed when the process ends, also by a signal, together with SQLite's files beside
 * it.
 */
export function partOf(name: string): string {
  watchForEnd()
  const part = `${name}.${system.randomBytes(6).toString('hex')}.part`
  parts.add(part)
  return part
}

export function removePart(part: string): void {
  parts.delete(part)
  removeDatabase(part)
}

/** Removes a file with SQLite's files beside it. Missing files are fine. */
export function removeDatabase(file: string): void {
  for (const suffix of ['-journal', '-wal', '-shm', '']) {
    try {
      rmSync(file + suffix, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
    }
  }
}

export function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

let isWatching = false

function watchForEnd(): void {
  if (isWatching) return
  isWatching = true
  process.once('exit', () => parts.forEach(removePart))
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(status))
}

/** Renames the finished `part` durably. @throws the system's error; EEXIST if the file exists and must not be replaced */
export function publish(part: string, name: string, { mayReplace }: { mayReplace: boolean }): void {
  syncFile(part)
  if (mayReplace) renameSync(part, name)
  else moveWithoutReplacing(part, name)
  syncDirectory(path.dirname(name))
}

/** A link, unlike a rename, never replaces a file that came meanwhile; not every file system has them. */
function moveWithoutReplacing(part: string, name: string): void {
  try {
    linkSync(part, name)
    rmSync(part)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(name)) throw error
    renameSync(part, name)
  }
}

export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes file names durable. Windows and some network file systems cannot do so. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    closeSync(handle)
  }
}

/** Whether the error is the file system's. */
export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** An error of the file system for the user: `no space left on device`. */
export function explainFileError(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException
  return typeof errno === 'number' && errno < 0 ? getSystemErrorMessage(errno) : message
}

const UNAVAILABLE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM'])

/** @throws UNAVAILABLE for storage that is full or not writable, else `error` itself */
export function translateFileError(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !UNAVAILABLE_CODES.has(code)) throw error
  throw new PimletError('UNAVAILABLE', 'The storage is full or not writable', { cause: error })
}
