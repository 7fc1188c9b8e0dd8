// A PostgreSQL for tests: one cluster for each process that asks for it, in a directory of its own, reached by a socket there, and gone
// with the process, however that ends. Each store has a schema of its own in it. `PIMLET_TEST_DATABASE_URL` names a database to be
// used instead, in which schemas are made and dropped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/storage/postgres/connection.ts'

const BINARIES = [
  '/usr/lib/postgresql/15/bin',
  '/usr/lib/postgresql/16/bin',
  '/usr/lib/postgresql/17/bin',
  '/usr/lib/postgresql/18/bin',
]
const SOCKET = '.s.PGSQL.5432'
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534

/** It ends when its input does: no process outlives the tests, nor does its directory. */
const KEEPER = `"$0/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=200 \\
  -c shared_buffers=64MB >"$1/log" 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; rm -rf "$1"`

interface Cluster {
  readonly directory: string
  readonly keeper: ChildProcess
}

let cluster: Promise<Cluster> | undefined

/** The URL of a database with an empty schema of its own, which is dropped by `drop`. */
export async function makeDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const base = process.env['PIMLET_TEST_DATABASE_URL'] ?? urlIn((await (cluster ??= startCluster())).directory)
  const schema = `pimlet_${randomBytes(8).toString('hex')}`
  await administer(base, `CREATE SCHEMA ${schema}`)
  const url = `${base}${base.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${schema},public`)}`
  return { url, drop: () => administer(base, `DROP SCHEMA IF EXISTS ${schema} CASCADE`) }
}

async function administer(url: string, sql: string): Promise<void> {
  const connection = await Connection.open({ url })
  await connection.script(sql)
  await connection.close()
}

/** The directory of the socket, for whoever puts something before it. */
export async function socketOf(): Promise<string> {
  return path.join((await (cluster ??= startCluster())).directory, SOCKET)
}

export function urlIn(directory: string): string {
  return `postgresql://pimlet@localhost/postgres?host=${encodeURIComponent(directory)}`
}

async function startCluster(): Promise<Cluster> {
  const binaries = BINARIES.find((directory) => existsSync(path.join(directory, 'initdb')))
  if (binaries === undefined) throw new Error('There is no PostgreSQL here: .ci/install-postgresql')
  const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-pg-'))
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const made = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', path.join(directory, 'data'), '-U', 'pimlet', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '--no-sync'],
    { ...user, encoding: 'utf8', cwd: directory },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const keeper = spawn('sh', ['-c', KEEPER, binaries, directory], {
    ...user,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Whoever ends all processes of the tests at once leaves it time to tidy up.
    detached: true,
  })
  const prepared = await whenItAnswers(directory, keeper)
  await prepared.script('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public')
  await prepared.close()
  keeper.unref()
  const input = keeper.stdin as unknown as { unref(): void }
  input.unref()
  return { directory, keeper }
}

/** It takes connections a moment before it can answer them. */
async function whenItAnswers(directory: string, keeper: ChildProcess): Promise<Connection> {
  for (;;) {
    const connection = await Connection.open({ url: urlIn(directory) }).catch(() => undefined)
    if (connection !== undefined) return connection
    if (keeper.exitCode !== null) throw new Error('PostgreSQL did not start')
    await sleep(20)
  }
}

after(async () => {
  const keeper = (await cluster?.catch(() => undefined))?.keeper
  if (keeper === undefined) return
  keeper.ref()
  const gone = new Promise((resolve) => keeper.once('exit', resolve))
  keeper.stdin!.end()
  await gone
})
