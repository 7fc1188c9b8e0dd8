// Makes a data directory from a backup or from another storage. Until the directory is complete, its database has a name with
// which no server starts. After an early end, the same command starts again. Contract 2 §8.
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NATIVE_FOLDER } from '../../kernel/executable/native-binding.ts'
import {
  databaseFileOf,
  KEY_FILES,
  type KeyFile,
  type Keys,
  prepareDataDirectory,
  restoringFileOf,
  unusable,
  writeKey,
} from '../../kernel/machine/data-directory.ts'
import { removeDatabase, syncDirectory, syncFile } from '../../kernel/machine/whole-files.ts'
import { StartError } from '../../kernel/machine/start-error.ts'
import { asStartError, type Places } from './start-faults.ts'
import { lockWorkspace } from './workspace.ts'

interface Words extends Places {
  /** Advice for a directory that is not empty. */
  readonly advice: string
}

/** Folders of the workspace beside the database. */
const FOLDERS = ['imports', 'spool', 'files'] as const

interface Made<Result> {
  readonly keys: Keys
  readonly result: Result
}

/**
 * @param make fills the file, which is there and empty, and `FOLDERS` beside it
 * @throws StartError; the directory is as it was then
 */
export async function makeWorkspace<Result>(
  dataDir: string,
  words: Words,
  make: (file: string) => Promise<Made<Result>>,
): Promise<Result> {
  const isNew = statSync(dataDir, { throwIfNoEntry: false }) === undefined
  // Check first: the directory may belong to somebody else.
  if (!isNew) assertEmpty(dataDir, words)
  prepareDataDirectory(dataDir)
  const unlock = lockWorkspace(dataDir)
  try {
    assertEmpty(dataDir, words)
    return await makeIn(dataDir, make)
  } catch (error) {
    throw asStartError(error, words)
  } finally {
    unlock()
    removeUnused(dataDir, isNew)
  }
}

/** Files that may lie in a directory that counts as empty. */
const IGNORED = ['lock.db', 'lock.db-journal', 'lock.pid', 'lost+found', NATIVE_FOLDER]

/** @throws StartError for a directory with anything in it but a workspace that was not finished */
function assertEmpty(dataDir: string, { advice }: Words): void {
  const restoring = path.basename(restoringFileOf(dataDir))
  const names = readNames(dataDir).filter((name) => !IGNORED.includes(name))
  const ofMaking = [restoring, `${restoring}-journal`, ...FOLDERS, ...KEY_FILES.flatMap((key) => [key, `${key}.new`])]
  const others = names.includes(restoring) ? names.filter((name) => !ofMaking.includes(name)) : names
  if (others.length > 0) throw new StartError(`${dataDir} is not empty (${others[0]}): ${advice}`)
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    throw unusable(directory, error)
  }
}

async function makeIn<Result>(dataDir: string, make: (file: string) => Promise<Made<Result>>): Promise<Result> {
  const [databaseFile, restoring] = [databaseFileOf(dataDir), restoringFileOf(dataDir)]
  const writtenKeys: string[] = []
  writeFileSync(restoring, '', { mode: 0o600 })
  syncDirectory(dataDir)
  try {
    const { keys, result } = await make(restoring)
    syncFile(restoring)
    for (const [name, content] of keys) if (putKey(dataDir, name, content)) writtenKeys.push(name)
    renameSync(restoring, databaseFile)
    syncDirectory(dataDir)
    return result
  } catch (error) {
    for (const name of writtenKeys) rmSync(path.join(dataDir, name), { force: true })
    for (const name of FOLDERS) rmSync(path.join(dataDir, name), { recursive: true, force: true })
    removeDatabase(databaseFile)
    // Removed last, because it marks the directory as incomplete.
    removeDatabase(restoring)
    throw error
  }
}

/** Whether it was not there yet. @throws StartError where another one is */
export function putKey(dataDir: string, name: KeyFile, content: Buffer): boolean {
  const file = path.join(dataDir, name)
  if (existsSync(file)) {
    if (readFileSync(file).equals(content)) return false
    throw new StartError(`${file} is another key than the workspace has: move it away first`)
  }
  writeKey(dataDir, name, content)
  return true
}

/** Leaves nothing behind where nothing was before. */
function removeUnused(dataDir: string, isNew: boolean): void {
  const names = readdirSync(dataDir)
  if (!names.every((name) => name === 'lock.db' || name === NATIVE_FOLDER)) return
  for (const name of names) rmSync(path.join(dataDir, name), { recursive: true, force: true })
  if (isNew) rmdirSync(dataDir)
}
