// The data directory: private, and home of the keys that are made at the first start. Contract 2 §2, 2 §8.
import { createHmac } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { explainFileError, hasContent, publish } from './whole-files.ts'
import { placeNativeBinding } from '../executable/native-binding.ts'
import { StartError } from './start-error.ts'
import type { System } from './system.ts'

const KEY_BYTES = 32

/** Signs access tokens; encrypts the secrets of export destinations. */
export const KEY_FILES = ['signing.key', 'encryption.key'] as const
export type KeyFile = (typeof KEY_FILES)[number]
/** Names the directory; of a server whose workspace is elsewhere. */
const NAME_FILE = 'server.id'
const NAME_BYTES = 16
/** Contents of the key files that exist. */
export type Keys = ReadonlyMap<KeyFile, Buffer>

export interface DataDirectory {
  readonly path: string
  readonly databaseFile: string
  /** Signs access tokens. */
  readonly signingKey: Buffer
  /** Encrypts the secrets of export destinations. */
  readonly encryptionKey: Buffer
}

/** Identifies the keys without revealing them. */
export function keyPrintOf(keys: Keys | Pick<DataDirectory, 'signingKey' | 'encryptionKey'>): string {
  const [signingKey, encryptionKey] =
    'signingKey' in keys ? [keys.signingKey, keys.encryptionKey] : KEY_FILES.map((name) => decodeKey(keys.get(name)!))
  return [signingKey!, encryptionKey!]
    .map((key) => createHmac('sha256', key).update('pimlet').digest('base64'))
    .join(' ')
}

/**
 * Makes the directory if it is missing. From here on, files of the process are private, and databases can be opened.
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

export function databaseFileOf(directory: string): string {
  return path.join(directory, 'pimlet.db')
}

/** The database while it is being restored: it gets its own name when all is there. */
export function restoringFileOf(directory: string): string {
  return `${databaseFileOf(directory)}.restoring`
}

/** Call it with the lock held. @throws StartError */
export function openDataDirectory(directory: string, system: Pick<System, 'randomBytes'>): DataDirectory {
  try {
    assertNotRestoring(directory)
    const databaseFile = databaseFileOf(directory)
    const known = readKeys(directory)
    const missing = KEY_FILES.find((name) => !known.has(name))
    // New keys could not open data that was sealed with the lost ones.
    if (missing !== undefined && hasContent(databaseFile))
      throw new StartError(
        `The key file ${path.join(directory, missing)} is missing beside ${databaseFile}: put it back from a backup, or see docs/operate.md where it is lost`,
      )
    const keyOf = (name: KeyFile): Buffer => {
      const content = known.get(name) ?? newKey(system)
      if (!known.has(name)) writeKey(directory, name, content)
      return decodeKey(content)
    }
    return {
      path: directory,
      databaseFile,
      signingKey: keyOf('signing.key'),
      encryptionKey: keyOf('encryption.key'),
    }
  } catch (error) {
    throw unusable(directory, error)
  }
}

/** A permanent name of the directory among all servers; it identifies files that only one server has. @throws StartError */
export function nameOfDirectory(directory: string, system: Pick<System, 'randomBytes'>): string {
  try {
    const known = readIfThere(path.join(directory, NAME_FILE))?.toString('latin1').trim()
    if (known !== undefined) return known
    const name = system.randomBytes(NAME_BYTES).toString('hex')
    writeOnce(directory, NAME_FILE, Buffer.from(`${name}\n`))
    return name
  } catch (error) {
    throw unusable(directory, error)
  }
}

/** The database file of a workspace that exists, and can be opened from here on. @throws StartError where there is none, or half of one */
export function findWorkspace(directory: string): string {
  const databaseFile = databaseFileOf(directory)
  try {
    assertNotRestoring(directory)
    if (hasContent(databaseFile)) {
      placeNativeBinding(directory)
      return databaseFile
    }
  } catch (error) {
    throw unusable(directory, error)
  }
  const stats = statSync(directory, { throwIfNoEntry: false })
  const what =
    stats === undefined
      ? 'there is no such directory'
      : stats.isDirectory()
        ? `there is no ${path.basename(databaseFile)} in it`
        : 'it is not a directory'
  throw new StartError(
    `${directory} holds no workspace: ${what}. Name the --data-dir of a server that was started once`,
  )
}

function assertNotRestoring(directory: string): void {
  if (existsSync(restoringFileOf(directory)) && !hasContent(databaseFileOf(directory)))
    throw new StartError(
      `In ${directory} a restore or a migration did not finish: run pimlet restore or pimlet migrate again`,
    )
}

/** `error`, from the file system, as the user reads it. */
export function unusable(directory: string, error: unknown): StartError {
  if (error instanceof StartError) return error
  return new StartError(`The data directory ${directory} cannot be used: ${explain(directory, error)}`, {
    cause: error,
  })
}

function explain(directory: string, error: unknown): string {
  const { code, path: place = directory } = error as NodeJS.ErrnoException
  if (code === 'EEXIST' && place === directory)
    return 'it is a file: name a directory, which is made where it is missing'
  if (code === 'ENOTDIR') return `not a directory: a part of the path ${place} is a file`
  const why = explainFileError(error)
  if (code !== 'EPERM' && code !== 'EACCES') return why
  const owned = nearestThatIs(place)
  const owner = owned === undefined ? undefined : statSync(owned, { throwIfNoEntry: false })?.uid
  const self = process.getuid?.()
  if (owner === undefined || self === undefined || self === owner) return why
  return `${why}. ${owned} belongs to the user with the ID ${owner}, and pimlet runs as ${self}: run it as that user, or give this one the directory (chown)`
}

/** The place itself, or the directory in which the place cannot be made. Undefined if neither can be seen. */
function nearestThatIs(place: string): string | undefined {
  try {
    for (let at = place; ; at = path.dirname(at)) if (existsSync(at) || at === path.dirname(at)) return at
  } catch {
    return undefined
  }
}

/** @throws StartError for one that is damaged */
export function readKeys(directory: string): Keys {
  const keys = KEY_FILES.flatMap((name): [KeyFile, Buffer][] => {
    const content = readIfThere(path.join(directory, name))
    if (content === undefined) return []
    if (decodeKey(content).length === KEY_BYTES) return [[name, content]]
    throw new StartError(`The key file ${path.join(directory, name)} is damaged: restore it from a backup`)
  })
  return new Map(keys)
}

/** The content of a new key file. */
export function newKey(system: Pick<System, 'randomBytes'>): Buffer {
  return Buffer.from(`${system.randomBytes(KEY_BYTES).toString('base64')}\n`)
}

export function writeKey(directory: string, name: KeyFile, content: Buffer): void {
  writeOnce(directory, name, content)
}

/** Whole and on disk, or absent; never over an existing file. */
function writeOnce(directory: string, name: string, content: Buffer): void {
  const file = path.join(directory, name)
  const temporary = `${file}.new`
  rmSync(temporary, { force: true })
  writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
  publish(temporary, file, { mayReplace: false })
}

/** The 32 bytes that a key file's content stands for. */
export function decodeKey(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1'), 'base64')
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
