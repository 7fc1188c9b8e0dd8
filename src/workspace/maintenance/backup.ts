// `pimlet backup`: the workspace as it is at one moment, with its keys, in one file that is checked before it gets its
// name. A server may go on serving meanwhile. Contract 2 §8.
import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { findWorkspace, KEY_FILES, type Keys, readKeys } from '../../kernel/machine/data-directory.ts'
import { partOf, publish, removePart } from '../../kernel/machine/whole-files.ts'
import { lowerPriority, type System } from '../../kernel/machine/system.ts'
import { StartError } from '../../kernel/machine/start-error.ts'
import type { DirectoryMaintenance, Maintenance } from '../../store/maintenance-port.ts'
import { backups, maintenanceIn, storageFaultOf } from '../storages.ts'
import { asStartError } from './start-faults.ts'
import type { Progress, ShowProgress } from './progress-report.ts'

interface BackupOptions {
  readonly dataDir: string
  readonly file: string
  readonly withKeys: boolean
  readonly mayReplace: boolean
  /** The version of this pimlet. */
  readonly version: string
  readonly system: Pick<System, 'now'>
  readonly show: ShowProgress
}

export interface BackupResult {
  readonly records: number
  /** The size of the file. */
  readonly bytes: number
  /** Files of the data directory that the backup lacks although they cannot be made again. */
  readonly leftOut: readonly string[]
}

/** @throws StartError; there is no file with this name then, or the one that was there before */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { dataDir, file, withKeys, mayReplace } = options
  const part = partOf(file)
  findWorkspace(dataDir)
  const workspace = maintenanceIn(dataDir)
  process.umask(0o077)
  lowerPriority()
  try {
    assertCanBeMade(file, mayReplace)
    await workspace.assertReadable()
    const keys = withKeys ? readAllKeys(dataDir) : new Map<never, never>()
    const records = await writeBackup(workspace, part, keys, options)
    publish(part, file, { mayReplace })
    return { records, bytes: statSync(file).size, leftOut: findLeftOut(dataDir, withKeys) }
  } catch (error) {
    throw asStartError(error, { failure: `Cannot write ${file}`, database: workspace.place })
  } finally {
    removePart(part)
  }
}

function assertCanBeMade(file: string, mayReplace: boolean): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) throw new StartError(`Cannot write ${file}: it is a directory`)
  // A device or pipe would be replaced by the file.
  if (stats?.isFile() === false) throw new StartError(`Cannot write ${file}: it is not a file`)
  if (stats !== undefined && !mayReplace)
    throw new StartError(`${file} already exists: choose another name, or replace it by --force`)
}

function readAllKeys(dataDir: string): Keys {
  const keys = readKeys(dataDir)
  const missing = KEY_FILES.find((name) => !keys.has(name))
  if (missing === undefined) return keys
  throw new StartError(`${path.join(dataDir, missing)} is missing: with --without-keys the backup is made all the same`)
}

/** Resolves to the number of records in it. */
async function writeBackup(
  workspace: DirectoryMaintenance,
  part: string,
  keys: Keys,
  { version, system, show }: BackupOptions,
): Promise<number> {
  closeSync(openSync(part, 'wx', 0o600))
  const createdAt = system.now().toISOString()
  let progress: Progress | undefined
  let done = 0
  const counts = await workspace
    .copy(part, (bytes, total) => {
      progress ??= show({ label: 'backup', total, unit: 'bytes' })
      progress.advance(bytes - done)
      done = bytes
    })
    .finally(() => progress?.stop())
  backups.seal(part, { createdAt, madeBy: version, counts, keys })
  assertRestorable(part, workspace)
  return counts['record'] ?? 0
}

function assertRestorable(part: string, { place }: Maintenance): void {
  try {
    backups.read(part)
  } catch (error) {
    if (storageFaultOf(error) !== 'unusable') throw error
    throw new StartError(
      `The backup could not be restored, because ${(error as Error).message}: see pimlet doctor for ${place}`,
    )
  }
}

function findLeftOut(dataDir: string, withKeys: boolean): string[] {
  const plugins = path.join(dataDir, 'plugins')
  const hasPlugins = existsSync(plugins) && readdirSync(plugins).length > 0
  return [...(withKeys ? [] : KEY_FILES.map((name) => path.join(dataDir, name))), ...(hasPlugins ? [plugins] : [])]
}
