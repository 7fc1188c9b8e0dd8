// `pimlet restore`: makes a data directory from a backup. Until it is complete, the database has another name, with
// which no server starts; whatever ends it early, a restore into the same directory begins anew. Contract 2 §8.
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import {
  databaseFileOf,
  KEY_FILES,
  type KeyFile,
  newKey,
  prepareDataDirectory,
  restoringFileOf,
  unusable,
  writeKey,
} from '../machine/data-directory.ts'
import { removeDatabase, syncDirectory, syncFile } from '../machine/files.ts'
import { NATIVE_FOLDER } from '../executable/native-binding.ts'
import { StartError } from '../machine/start-error.ts'
import type { BackupFacts } from '../storage/maintenance-port.ts'
import { backups, storageFaultOf } from '../storages.ts'
import type { System } from '../machine/system.ts'
import { asStartError } from './faults.ts'
import { lockWorkspace } from './lock.ts'
import type { ShowProgress } from './progress.ts'

export interface RestoreOptions {
  readonly file: string
  readonly dataDir: string
  /** Make new keys: what the old ones sealed stays closed, and nobody stays logged in. */
  readonly withNewKeys: boolean
  readonly system: Pick<System, 'randomBytes'>
  readonly show: ShowProgress
}

export interface RestoreResult {
  readonly records: number
  /** ISO 8601: the moment that the workspace is as it was at. */
  readonly createdAt: string
  /** Key files that must be put there before a server starts. */
  readonly missingKeys: readonly string[]
}

/** @throws StartError; the directory is as it was then */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { file, dataDir } = options
  const size = sizeOf(file)
  const isNew = statSync(dataDir, { throwIfNoEntry: false }) === undefined
  // Before anything is done to a directory that may be somebody's.
  if (!isNew) assertEmpty(dataDir)
  prepareDataDirectory(dataDir)
  const unlock = lockWorkspace(dataDir)
  try {
    assertEmpty(dataDir)
    return await restoreInto(dataDir, size, options)
  } catch (error) {
    throw asStartError(error, { failure: `Cannot restore ${file} into ${dataDir}`, database: file })
  } finally {
    unlock()
    removeUnused(dataDir, isNew)
  }
}

function sizeOf(file: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.size
  } catch (error) {
    throw asStartError(error, { failure: `Cannot read ${file}`, database: file })
  }
  throw new StartError(`Cannot read ${file}: it is not a file`)
}

/** Files that may lie in a directory that counts as empty. */
const IGNORED = ['lock.db', 'lock.db-journal', 'lock.pid', 'lost+found', NATIVE_FOLDER]

/** @throws StartError for a directory with anything in it but a restore that did not finish */
function assertEmpty(dataDir: string): void {
  const restoring = path.basename(restoringFileOf(dataDir))
  const names = readNames(dataDir).filter((name) => !IGNORED.includes(name))
  const ofRestore = [restoring, `${restoring}-journal`, ...KEY_FILES.flatMap((key) => [key, `${key}.new`])]
  const others = names.includes(restoring) ? names.filter((name) => !ofRestore.includes(name)) : names
  if (others.length > 0)
    throw new StartError(`${dataDir} is not empty (${others[0]}): restore into a directory of its own, then swap them`)
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    throw unusable(directory, error)
  }
}

async function restoreInto(
  dataDir: string,
  size: number,
  { file, withNewKeys, system, show }: RestoreOptions,
): Promise<RestoreResult> {
  const [databaseFile, restoring] = [databaseFileOf(dataDir), restoringFileOf(dataDir)]
  const writtenKeys: string[] = []
  writeFileSync(restoring, '', { mode: 0o600 })
  syncDirectory(dataDir)
  try {
    await copyFile(file, restoring, size, show)
    const { keys, counts, createdAt } = readWhole(restoring, file)
    backups.unseal(restoring)
    syncFile(restoring)
    for (const name of KEY_FILES) {
      const content = withNewKeys ? newKey(system) : keys.get(name)
      if (content !== undefined && putKey(dataDir, name, content)) writtenKeys.push(name)
    }
    renameSync(restoring, databaseFile)
    syncDirectory(dataDir)
    const missingKeys = withNewKeys ? [] : KEY_FILES.filter((name) => !keys.has(name))
    return { records: counts['record'] ?? 0, createdAt, missingKeys: missingKeys.map((key) => path.join(dataDir, key)) }
  } catch (error) {
    for (const name of writtenKeys) rmSync(path.join(dataDir, name), { force: true })
    removeDatabase(databaseFile)
    // Last of all goes what says that the rest does not count.
    removeDatabase(restoring)
    throw error
  }
}

/** Whether it was not there yet. @throws StartError where another one is */
function putKey(dataDir: string, name: KeyFile, content: Buffer): boolean {
  const file = path.join(dataDir, name)
  if (existsSync(file)) {
    if (readFileSync(file).equals(content)) return false
    throw new StartError(`${file} is another key than the backup has: move it away first`)
  }
  writeKey(dataDir, name, content)
  return true
}

async function copyFile(from: string, to: string, size: number, show: ShowProgress): Promise<void> {
  const progress = show({ label: 'restore', total: size, unit: 'bytes' })
  await using target = await open(to, 'r+')
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      await target.writeFile(chunk)
      progress.advance(chunk.length)
    }
  } finally {
    progress.stop()
  }
}

function readWhole(restoring: string, file: string): BackupFacts {
  try {
    return backups.read(restoring)
  } catch (error) {
    if (storageFaultOf(error) === 'unusable')
      throw new StartError(`Cannot restore ${file}: ${(error as Error).message}`, { cause: error })
    throw error
  }
}

/** Leaves nothing behind where nothing was before. */
function removeUnused(dataDir: string, isNew: boolean): void {
  const names = readdirSync(dataDir)
  if (!names.every((name) => name === 'lock.db' || name === NATIVE_FOLDER)) return
  for (const name of names) rmSync(path.join(dataDir, name), { recursive: true, force: true })
  if (isNew) rmdirSync(dataDir)
}
