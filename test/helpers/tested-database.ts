// Which storage is tested where nothing else is said: `TEST_DATABASE=postgres` puts the workspace of each data directory into a
// database of its own. `TEST_POSTGRES` and `TEST_SERVERS` say which PostgreSQL, and how many servers (`postgres-programs.ts`, `server.ts`).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openReader } from '../../src/store/sqlite/connection.ts'
import { Connection } from '../../src/postgres/connection.ts'
import type { Store } from '../../src/store/port.ts'
import { locationOf, openStore } from '../../src/workspace/storages.ts'
import { makeDatabase } from './postgres.ts'
import { makeTempDirectory } from './temp-directory.ts'

const ON_POSTGRES = process.env['TEST_DATABASE'] === 'postgres'

/** Why a test is skipped that is about files of SQLite; false where they are there. */
export const withoutSqlite = ON_POSTGRES ? 'it is about the files of SQLite' : false

const urls = new Map<string, Promise<string>>()

/** Where the workspace of `dataDir` is; undefined: in its files. */
export function testedDatabase(dataDir: string): Promise<string | undefined> {
  if (!ON_POSTGRES) return Promise.resolve(undefined)
  const url = urls.get(dataDir) ?? makeDatabase().then((database) => database.url)
  urls.set(dataDir, url)
  return url
}

export interface TestedStore extends Store {
  /** Resolves when the search index has seen everything that was committed before the call. */
  whenIndexed(): Promise<void>
}

/** A workspace without a server, which the caller closes. */
export async function openTestedStore(dataDir = makeTempDirectory()): Promise<TestedStore> {
  const store = await openStore(locationOf({ dataDir, databaseUrl: await testedDatabase(dataDir) }), {
    onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
  })
  return store as TestedStore
}

/** Everything that is kept of a workspace, as it lies there: the files of its data directory, byte by byte, and the rows of its database. */
export async function storedIn(dataDir: string): Promise<readonly string[]> {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(dataDir, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .map(readIfThere)
  const url = await testedDatabase(dataDir)
  return url === undefined ? files : [...files, ...(await rowsIn(url))]
}

/** SQLite may remove its journal at any moment. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

async function rowsIn(url: string): Promise<readonly string[]> {
  const connection = await Connection.open({ url })
  const tables = await connection.rows<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  const stored = tables.map(async ({ name }) =>
    connection.rows<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`),
  )
  const rows = (await Promise.all(stored)).flat()
  await connection.close()
  return rows.map(({ row }) => row)
}

/** Names of the files that are kept to be imported: on the disk, and in the database. */
export async function importFilesIn(dataDir: string): Promise<readonly string[]> {
  const names = readdirSync(path.join(dataDir, 'imports')).toSorted()
  const url = await testedDatabase(dataDir)
  if (url === undefined) return names
  const connection = await Connection.open({ url })
  const rows = await connection.rows<{ name: string }>('SELECT DISTINCT name FROM import_piece ORDER BY name')
  await connection.close()
  return [...names, ...rows.map(({ name }) => name)]
}

/** Renews the encryption key, like an operator who has lost the key. */
export async function renewEncryptionKey(dataDir: string): Promise<void> {
  writeFileSync(path.join(dataDir, 'encryption.key'), randomBytes(32).toString('base64'))
  const url = await testedDatabase(dataDir)
  if (url === undefined) return
  const connection = await Connection.open({ url })
  await connection.run('UPDATE workspace SET key_print = NULL')
  await connection.close()
}

/** As if the time had passed after which others know that a server is gone. */
export async function letLeasesEnd(dataDir: string): Promise<void> {
  const url = await urls.get(dataDir)
  if (url === undefined) return
  const connection = await Connection.open({ url })
  await connection.run(`UPDATE lease SET until = '-infinity'`)
  await connection.close()
}

/** In the words of each engine. */
export interface Question {
  readonly sqlite: string
  readonly postgres: string
}

export interface Look {
  rows<Row>(question: Question, ...parameters: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** Reads from a workspace, even while a server has it open. */
export async function lookInto(dataDir: string): Promise<Look> {
  const url = await testedDatabase(dataDir)
  if (url === undefined) {
    const db = openReader(path.join(dataDir, 'pimlet.db'))
    return {
      rows: async <Row>({ sqlite }: Question, ...parameters: readonly unknown[]) =>
        db.prepare(sqlite).all(...parameters) as Row[],
      close: async () => void db.close(),
    }
  }
  const connection = await Connection.open({ url })
  return {
    rows: ({ postgres }, ...parameters) => connection.rows(postgres, parameters),
    close: () => connection.close(),
  }
}
