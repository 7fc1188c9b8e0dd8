// `pimlet restore`: makes a data directory from a backup. Contract 2 §8.
import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { KEY_FILES, type KeyFile, newKey } from '../../kernel/machine/data-directory.ts'
import { StartError } from '../../kernel/machine/start-error.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { BackupFacts } from '../../store/maintenance-port.ts'
import { backups, storageFaultOf } from '../storages.ts'
import { asStartError } from './start-faults.ts'
import { makeWorkspace } from './new-workspace.ts'
import type { ShowProgress } from './progress-report.ts'

interface RestoreOptions {
  readonly file: string
  readonly dataDir: string
  /** Make new keys: all logins end, and secrets under the old keys cannot be opened. */
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
export async function restore({ file, dataDir, withNewKeys, system, show }: RestoreOptions): Promise<RestoreResult> {
  const size = sizeOf(file)
  const words = {
    failure: `Cannot restore ${file} into ${dataDir}`,
    database: file,
    advice: 'restore into a directory of its own, then swap them',
  }
  return makeWorkspace(dataDir, words, async (restoring) => {
    await copyFile(file, restoring, size, show)
    const { keys: ofBackup, counts, createdAt } = readWhole(restoring, file)
    backups.unseal(restoring)
    const keys = new Map<KeyFile, Buffer>()
    for (const name of KEY_FILES) {
      const content = withNewKeys ? newKey(system) : ofBackup.get(name)
      if (content !== undefined) keys.set(name, content)
    }
    const missingKeys = KEY_FILES.filter((name) => !keys.has(name)).map((key) => path.join(dataDir, key))
    return { keys, result: { records: counts['record'] ?? 0, createdAt, missingKeys } }
  })
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
