// The bench's own PostgreSQL, in a temporary directory: as durable as a workspace needs, with the settings of
// docs/cluster.md.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../../../src/postgres/connection.ts'

const VERSIONS = [18, 17, 16, 15]
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  shared_buffers: '512MB',
  max_connections: '200',
  listen_addresses: '',
}
const POLL_MILLISECONDS = 20

export interface Database {
  /** Directory of its socket. */
  readonly directory: string
  /** Creates a database and returns its URL, through the socket there or in `directory`. */
  create(name: string): Promise<string>
  urlOf(name: string, directory?: string): string
  stop(): Promise<void>
}

/** @param directory for the database's own directory; other users must be able to pass through */
export async function startDatabase(directory: string): Promise<Database> {
  const binaries = VERSIONS.map((version) => `/usr/lib/postgresql/${version}/bin`).find((one) => existsSync(one))
  if (binaries === undefined) throw new Error('There is no PostgreSQL here: .ci/install-packages')
  chmodSync(directory, 0o711)
  const own = path.join(directory, 'postgres')
  mkdirSync(own)
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) chownSync(own, user.uid, user.gid)
  const data = path.join(own, 'data')
  const made = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'pimlet', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust'],
    { ...user, encoding: 'utf8', cwd: own },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(path.join(binaries, 'postgres'), ['-D', data, '-k', own, ...settings], {
    ...user,
    cwd: own,
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // Runs also if the bench is ended early.
  process.once('exit', () => server.kill('SIGQUIT'))
  const urlOf = (name: string, socket = own): string =>
    `postgresql://pimlet@localhost/${name}?host=${encodeURIComponent(socket)}`
  await whenItAnswers(urlOf('postgres'), server)
  return {
    directory: own,
    urlOf,
    async create(name) {
      await ask(urlOf('postgres'), `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    async stop() {
      server.kill('SIGINT')
      await exited
    },
  }
}

async function whenItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const connection = await Connection.open({ url }).catch(() => undefined)
    if (connection !== undefined) return connection.close()
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start')
    await wait(POLL_MILLISECONDS)
  }
}

/** Runs a query on a new connection. */
export async function ask<Row>(url: string, sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const connection = await Connection.open({ url })
  try {
    return await connection.rows<Row>(sql, parameters)
  } finally {
    await connection.close()
  }
}
