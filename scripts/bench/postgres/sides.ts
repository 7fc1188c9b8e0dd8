// Runs the same server twice: on SQLite and on PostgreSQL. Both get the same records, in turn.
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KEY_FILES } from '../../../src/kernel/machine/data-directory.ts'
import { SCHEMA_ID } from '../catalogue.ts'
import { DataFiles } from '../databases.ts'
import { httpRequest, type LoadResult } from '../load.ts'
import { API_KEY, type MeasuredProcess, pimletBundle, startPimlet } from '../processes.ts'
import { defineModel, runCreations, type Served, type Workspace } from '../workspace.ts'
import { ask, type Database, startDatabase } from './database.ts'

const POLL_MILLISECONDS = 5

export interface Side extends Served {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Creates the records with these numbers; resolves when they are acknowledged. */
  create(from: number, count: number, connections: number): Promise<LoadResult>
  /** Resolves to IDs in the order of creation. */
  ids(): Promise<readonly string[]>
  /** Resolves to bytes of tables and indexes together. */
  bytes(): Promise<number>
}

export interface Sides {
  readonly sqlite: Side & { readonly data: DataFiles }
  readonly postgres: Side & { readonly url: string }
  readonly database: Database
  /** Reserves this many record numbers, and returns the first. */
  readonly takeNumbers: (count: number) => number
  /** Starts another server of the workspace in PostgreSQL. */
  startAnother(name: string, url?: string): Promise<MeasuredProcess>
  close(): Promise<void>
}

export async function openSides(workspace: Workspace): Promise<Sides> {
  const { directory, catalogue } = workspace
  const bundle = pimletBundle(path.join(directory, 'bundle'))
  const directoryOf = (name: string): string => path.join(directory, `data-${name}`)
  const database = await startDatabase(directory)
  const url = await database.create('pimlet')
  const servers = [
    await startPimlet(bundle, directoryOf('sqlite')),
    await startPimlet(bundle, directoryOf('postgres'), ['--database-url', url]),
  ] as const
  for (const { port } of servers) await defineModel(port, catalogue)
  const data = await DataFiles.open(directoryOf('sqlite'))
  const sideOf = (server: MeasuredProcess, whenIndexed: () => Promise<void>) => ({
    ...workspace,
    server,
    files: { whenIndexed },
    create: (from: number, count: number, connections: number) =>
      runCreations(server.port, creations(workspace, from, count), connections),
  })
  return {
    database,
    takeNumbers: (count) => workspace.takeNumbers(count),
    sqlite: {
      ...sideOf(servers[0], () => data.whenIndexed()),
      name: 'SQLite',
      data,
      ids: () => Promise.resolve(data.listIds()),
      bytes: () => Promise.resolve([...data.sizes().values()].reduce((sum, bytes) => sum + bytes, 0)),
    },
    postgres: {
      ...sideOf(servers[1], () => whenIndexed(url)),
      name: 'PostgreSQL',
      url,
      ids: async () => (await ask<{ id: string }>(url, 'SELECT id FROM record ORDER BY n')).map(({ id }) => id),
      bytes: () => bytesOf(url),
    },
    startAnother(name, through = url) {
      mkdirSync(directoryOf(name), { mode: 0o700 })
      for (const key of KEY_FILES)
        copyFileSync(path.join(directoryOf('postgres'), key), path.join(directoryOf(name), key))
      return startPimlet(bundle, directoryOf(name), ['--database-url', through])
    },
    async close() {
      data.close()
      await Promise.all(servers.map((server) => server.stop()))
      await database.stop()
    },
  }
}

export function creations({ catalogue }: Pick<Workspace, 'catalogue'>, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify({ schemaId: SCHEMA_ID, values: catalogue.valuesOf(from + index) })
    return httpRequest('POST', '/api/v1/records', API_KEY, body)
  })
}

async function whenIndexed(url: string): Promise<void> {
  const isPending = async (): Promise<boolean> => {
    const [row] = await ask<{ is: boolean }>(url, 'SELECT EXISTS (SELECT 1 FROM index_pending) AS is')
    return row!.is
  }
  while (await isPending()) await wait(POLL_MILLISECONDS)
}

async function bytesOf(url: string): Promise<number> {
  const sql = `SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`
  return (await ask<{ bytes: number }>(url, sql))[0]!.bytes
}
