// `pimlet migrate`: copies a workspace from a data directory to a database, or back. The source stays unchanged. The copy
// becomes valid when it is complete and compared, not before. Contract 2 §8.
import { createReadStream } from 'node:fs'
import { appendFile, copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import {
  findWorkspace,
  KEY_FILES,
  keyPrintOf,
  type Keys,
  prepareDataDirectory,
  readKeys,
} from '../../kernel/machine/data-directory.ts'
import { syncDirectory, syncFile } from '../../kernel/machine/whole-files.ts'
import { StartError } from '../../kernel/machine/start-error.ts'
import type { MovedContent, MovingSource, MovingTarget } from '../../store/moving-port.ts'
import { Checksum } from '../../store/moving/digests.ts'
import { MOVED_TABLES, type MovedTable } from '../../store/moving/tables.ts'
import { describeDatabase, locationInFile, locationOf, openMovingSource, openMovingTarget } from '../storages.ts'
import { lockWorkspace } from './workspace.ts'
import { makeWorkspace, putKey } from './new-workspace.ts'
import type { ShowProgress } from './progress-report.ts'
import { asStartError } from './start-faults.ts'

interface MigrateOptions {
  /** The directory of the workspace that is in files. */
  readonly directory: string
  /** In the form of libpq. */
  readonly databaseUrl: string
  readonly isIntoDatabase: boolean
  /** Keys and files of the servers on the database. */
  readonly dataDir: string
  /** Copies the bytes of files from one data directory to another, where they are in data directories. */
  readonly carryFiles?: ((from: string, to: string) => Promise<void>) | undefined
  readonly show: ShowProgress
}

/** Resolves to the moved rows of each table. @throws StartError; then there is no new workspace */
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

async function intoDatabase({
  directory,
  databaseUrl,
  dataDir,
  carryFiles,
  show,
}: MigrateOptions): Promise<MovedCount[]> {
  findWorkspace(directory)
  const keys = readAllKeys(directory)
  const source = await openMovingSource(locationOf({ dataDir: directory }))
  const unlock = dataDir === directory ? undefined : takeDirectory(dataDir)
  try {
    const target = await openMovingTarget(locationOf({ dataDir, databaseUrl }))
    try {
      const moved = await move(source, target, show)
      for (const [name, content] of keys) putKey(dataDir, name, content)
      await writeImports(directory, target)
      await copySpool(directory, dataDir)
      await carryFiles?.(directory, dataDir)
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
  { directory, databaseUrl, dataDir, carryFiles, show }: MigrateOptions,
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
        await carryFiles?.(dataDir, directory)
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

/** @returns the function that unlocks */
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

/** Bytes of a piece. */
const PIECE = 512 * 1024
/** Names of unfinished files of a server. */
const TEMPORARY = /\./

/**
 * Copies files that wait for another delivery. Existing files are replaced; nothing happens if both directories are the
 * same.
 */
async function copySpool(from: string, to: string): Promise<void> {
  if (from === to) return
  const names = await filesIn(path.join(from, 'spool'))
  if (names.length === 0) return
  await mkdir(path.join(to, 'spool'), { recursive: true, mode: 0o700 })
  for (const name of names) {
    await copyFile(path.join(from, 'spool', name), path.join(to, 'spool', name))
    syncFile(path.join(to, 'spool', name))
  }
  syncDirectory(path.join(to, 'spool'))
  syncDirectory(to)
}

/** Copies files that wait for their import, from a data directory to a database. */
async function writeImports(from: string, target: Pick<MovingTarget, 'writePiece'>): Promise<void> {
  const directory = path.join(from, 'imports')
  for (const name of await filesIn(directory)) {
    if (TEMPORARY.test(name)) continue
    let place = 0
    const chunks = createReadStream(path.join(directory, name), { highWaterMark: PIECE }) as AsyncIterable<Buffer>
    for await (const content of chunks) {
      await target.writePiece?.({ name, place, content })
      place += 1
    }
    // An empty file has one piece, which is empty.
    if (place === 0) await target.writePiece?.({ name, place, content: Buffer.alloc(0) })
  }
}

/** The same from a database into a data directory that has none. */
async function readImports(source: Pick<MovingSource, 'pieces'>, to: string): Promise<void> {
  const directory = path.join(to, 'imports')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for await (const { name, content } of source.pieces?.() ?? []) {
    await appendFile(path.join(directory, name), content, { mode: 0o600 })
    syncFile(path.join(directory, name))
  }
  syncDirectory(directory)
}

/** Without links: a link may lead to files of other people, and no server accepts one. */
async function filesIn(directory: string): Promise<string[]> {
  if ((await lstat(directory).catch(() => undefined))?.isDirectory() !== true) return []
  return (await readdir(directory, { withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name)
}

export interface MovedCount {
  readonly table: string
  readonly rows: number
  /** Equal where the rows are. */
  readonly checksum: string
}

async function moveTables(source: MovingSource, target: MovingTarget, show: ShowProgress): Promise<MovedCount[]> {
  let total = 0
  for (const table of MOVED_TABLES) total += await source.count(table)
  const progress = show({ label: 'migrate', total, unit: 'rows' })
  const moved: MovedCount[] = []
  try {
    for (const table of MOVED_TABLES) {
      const write = async (rows: Parameters<MovingTarget['write']>[1]): Promise<void> => {
        await target.write(table, rows)
        progress.advance(rows.length)
      }
      moved.push(await sumUp(source, table, write))
    }
  } finally {
    progress.stop()
  }
  return moved
}

/** @throws StartError if the target lacks rows of the source */
async function compareTables(moved: readonly MovedCount[], target: MovedContent, show: ShowProgress): Promise<void> {
  const progress = show({ label: 'compare', total: moved.reduce((sum, { rows }) => sum + rows, 0), unit: 'rows' })
  try {
    for (const [index, table] of MOVED_TABLES.entries()) {
      const [is, should] = [await sumUp(target, table, (rows) => progress.advance(rows.length)), moved[index]!]
      if (is.rows === should.rows && is.checksum === should.checksum) continue
      throw new StartError(
        `The moved data differs from the original: the table ${table.name} has ${should.rows} rows with the checksum ${should.checksum}, and ${is.rows} with ${is.checksum} were written. Nothing was changed; see pimlet doctor, and report it`,
      )
    }
  } finally {
    progress.stop()
  }
}

async function sumUp(
  content: MovedContent,
  table: MovedTable,
  take: (rows: Parameters<MovingTarget['write']>[1]) => Promise<void> | void,
): Promise<MovedCount> {
  const checksum = new Checksum()
  for await (const rows of content.rows(table)) {
    checksum.add(rows)
    await take(rows)
  }
  return { table: table.name, rows: checksum.rows, checksum: checksum.sum }
}
