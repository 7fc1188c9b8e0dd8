// `pimlet migrate`: a workspace out of a data directory into a database, or back. The source stays as it is. What is made of it counts as
// soon as all of it is there and was compared, and never before. Contract 2 §8.
import path from 'node:path'
import {
  findWorkspace,
  KEY_FILES,
  keyPrintOf,
  type Keys,
  prepareDataDirectory,
  readKeys,
} from '../../kernel/machine/data-directory.ts'
import { StartError } from '../../kernel/machine/start-error.ts'
import type { MovingSource, MovingTarget } from '../../store/moving-port.ts'
import {
  describeDatabase,
  locationIn,
  locationInFile,
  locationOf,
  openMovingSource,
  openMovingTarget,
} from '../storages.ts'
import { asStartError } from './start-faults.ts'
import { lockWorkspace } from './lock.ts'
import { compareTables, type MovedCount, moveTables } from './moved-tables.ts'
import { copySpool, readImports, writeImports } from './moved-folders.ts'
import { makeWorkspace, putKey } from './new-workspace.ts'
import type { ShowProgress } from './progress-report.ts'

interface MigrateOptions {
  /** The directory of the workspace that is in files. */
  readonly directory: string
  /** As libpq has it. */
  readonly databaseUrl: string
  readonly isIntoDatabase: boolean
  /** Of servers on the database: where keys and files lie that are not in it. */
  readonly dataDir: string
  readonly show: ShowProgress
}

/** Resolves to what was moved, table by table. @throws StartError; there is no new workspace then */
export async function migrate(options: MigrateOptions): Promise<readonly MovedCount[]> {
  const { directory, databaseUrl, isIntoDatabase } = options
  const database = describeDatabase(databaseUrl)
  const [from, to] = isIntoDatabase ? [directory, database] : [database, directory]
  const words = { failure: `Cannot migrate ${from} to ${to}`, database: `the workspace in ${directory}` }
  process.umask(0o077)
  try {
    return isIntoDatabase ? await intoDatabase(options) : await intoDirectory(options, words)
  } catch (error) {
    throw asStartError(error, words)
  }
}

async function intoDatabase({ directory, databaseUrl, dataDir, show }: MigrateOptions): Promise<MovedCount[]> {
  findWorkspace(directory)
  const keys = readAllKeys(directory)
  const source = await openMovingSource(locationIn(directory))
  const unlock = dataDir === directory ? undefined : takeDirectory(dataDir)
  try {
    const target = await openMovingTarget(locationOf({ dataDir, databaseUrl }))
    try {
      const moved = await move(source, target, show)
      for (const [name, content] of keys) putKey(dataDir, name, content)
      await writeImports(directory, target)
      await copySpool(directory, dataDir)
      // The last step: a server may start on it from here on.
      await target.publish(keyPrintOf(keys))
      return moved
    } finally {
      await target.close()
    }
  } finally {
    unlock?.()
    await source.close()
  }
}

async function intoDirectory(
  { directory, databaseUrl, dataDir, show }: MigrateOptions,
  words: { readonly failure: string; readonly database: string },
): Promise<MovedCount[]> {
  const keys = readAllKeys(dataDir)
  const source = await openMovingSource(locationOf({ dataDir, databaseUrl }))
  try {
    if (source.keyPrint !== undefined && source.keyPrint !== keyPrintOf(keys))
      throw new StartError(
        `The keys in ${dataDir} are not those of the workspace: name the data directory of a server that serves it as --data-dir`,
      )
    const advice = 'name a directory of its own, which is made where it is missing'
    return await makeWorkspace(directory, { ...words, advice }, async (file) => {
      const target = await openMovingTarget(locationInFile(file))
      try {
        const result = await move(source, target, show)
        await target.publish(keyPrintOf(keys))
        await readImports(source, directory)
        await copySpool(dataDir, directory)
        return { keys, result }
      } finally {
        await target.close()
      }
    })
  } finally {
    await source.close()
  }
}

async function move(source: MovingSource, target: MovingTarget, show: ShowProgress): Promise<MovedCount[]> {
  const moved = await moveTables(source, target, show)
  await compareTables(moved, target, show)
  return moved
}

/** @returns what lets go of it */
function takeDirectory(dataDir: string): () => void {
  prepareDataDirectory(dataDir)
  return lockWorkspace(dataDir)
}

function readAllKeys(dataDir: string): Keys {
  const keys = readKeys(dataDir)
  const missing = KEY_FILES.find((name) => !keys.has(name))
  if (missing === undefined) return keys
  throw new StartError(`${path.join(dataDir, missing)} is missing: the workspace cannot be served without it`)
}
