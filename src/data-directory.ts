// The data directory: private, and home of the keys that are made at the first start. Decisions §2 and §8.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { placeNativeBinding } from './native-binding.ts'
import { StartError } from './start-error.ts'
import type { System } from './system.ts'

const KEY_BYTES = 32

export interface DataDirectory {
  readonly path: string
  readonly databaseFile: string
  /** Signs access tokens. */
  readonly signingKey: Buffer
  /** Encrypts the secrets of export destinations. */
  readonly encryptionKey: Buffer
}

/**
 * Makes the directory where it is missing. From here on, no file that the process makes can be read by other users, and
 * databases can be opened.
 * @throws StartError
 */
export function prepareDataDirectory(directory: string): void {
  process.umask(0o077)
  try {
    makeDirectory(directory)
    chmodSync(directory, 0o700)
    placeNativeBinding(directory)
  } catch (error) {
    throw unusable(directory, error)
  }
}

/** Node's own `recursive` never returns where the parent exists and yet refuses, as /proc does. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = path.dirname(directory)
    if (code === 'EEXIST' && statSync(directory).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(parent)) throw error
    makeDirectory(parent)
    mkdirSync(directory, { mode: 0o700 })
  }
}

/** Call it with the lock held. @throws StartError */
export function openDataDirectory(directory: string, system: Pick<System, 'randomBytes'>): DataDirectory {
  try {
    return {
      path: directory,
      databaseFile: path.join(directory, 'pimlet.db'),
      signingKey: readOrMakeKey(path.join(directory, 'signing.key'), system),
      encryptionKey: readOrMakeKey(path.join(directory, 'encryption.key'), system),
    }
  } catch (error) {
    throw unusable(directory, error)
  }
}

/** `error`, from the file system, as the user reads it. */
export function unusable(directory: string, error: unknown): StartError {
  if (error instanceof StartError) return error
  return new StartError(`The data directory ${directory} cannot be used: ${describe(error)}`, { cause: error })
}

function describe(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException
  return typeof errno === 'number' && errno < 0 ? getSystemErrorMessage(errno) : message
}

function readOrMakeKey(file: string, system: Pick<System, 'randomBytes'>): Buffer {
  const known = readKey(file)
  if (known !== undefined) return known
  const key = system.randomBytes(KEY_BYTES)
  writeAtomically(file, `${key.toString('base64')}\n`)
  return key
}

function readKey(file: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const key = Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES) throw new StartError(`The key file ${file} is damaged: restore it from a backup`)
  return key
}

/** Whole and on disk, or absent; never over an existing file. */
function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.new`
  rmSync(temporary, { force: true })
  const handle = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  linkSync(temporary, file)
  rmSync(temporary)
  syncDirectory(path.dirname(file))
}

/** So that the file's name outlives a power cut too. Windows has no such thing. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
