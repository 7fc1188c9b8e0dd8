// Runs several servers of one workspace in PostgreSQL, each with its own data directory and the shared keys.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { KEY_FILES, openDataDirectory, prepareDataDirectory } from '../../src/kernel/machine/data-directory.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { Connection } from '../../src/postgres/connection.ts'
import { makeDatabase } from './postgres.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'
import { makeTempDirectory } from './temp-directory.ts'

/** Makes a data directory with keys. */
export function directoryWithKeys(): string {
  const directory = makeTempDirectory()
  prepareDataDirectory(directory)
  openDataDirectory(directory, system)
  return directory
}

/** Makes another data directory with the same keys. */
export function directoryLike(other: string): string {
  const directory = makeTempDirectory()
  for (const name of KEY_FILES) cpSync(path.join(other, name), path.join(directory, name))
  return directory
}

export interface Cluster {
  readonly databaseUrl: string
  /** Data directory of the first server. */
  readonly dataDir: string
  readonly servers: readonly TestServer[]
  /** Starts another server. */
  start(options?: ServerOptions): Promise<TestServer>
  /** Queries the database. */
  readonly ask: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>
  /** Stops all servers that still run. */
  stop(): Promise<void>
}

/** Starts `count` servers with the same options. */
export async function startCluster(count: number, options: ServerOptions = {}): Promise<Cluster> {
  const database = await makeDatabase()
  const dataDir = directoryWithKeys()
  const servers: TestServer[] = []
  const connection = await Connection.open({ url: database.url })
  const start = async (more: ServerOptions = {}): Promise<TestServer> => {
    const directory = servers.length === 0 ? dataDir : directoryLike(dataDir)
    const given = { databaseUrl: database.url, ...options, ...more }
    const server = await startServer({ dataDir: directory, ...given })
    servers.push(server)
    return server
  }
  for (let index = 0; index < count; index += 1) await start()
  return {
    databaseUrl: database.url,
    dataDir,
    servers,
    start,
    ask: (sql, parameters) => connection.rows(sql, parameters),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await connection.close()
      await database.release()
    },
  }
}

/**
 * Expires the lease of the holder, as after a long silence, so that other servers may take it. Does nothing if another
 * holder has the lease.
 */
export async function expireLeases({ ask }: Cluster, name: string, holder?: string): Promise<void> {
  const sql = `UPDATE lease SET until = '-infinity' WHERE name = $1 AND holder = coalesce($2, holder)`
  await ask(sql, [name, holder ?? null])
}
