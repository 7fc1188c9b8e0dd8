// A PostgreSQL for tests: one cluster for each process that asks for it, in a directory of its own, reached by a socket there, and gone
// with the process, however that ends. Each store has a schema of its own in it. `PIMLET_TEST_DATABASE_URL` names a database to be
// used instead, in which schemas are made and left.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts'
import { type Account, NOBODY, postgresPrograms, SOCKET } from './postgres-programs.ts'

/** The keeper ends when its input does, so that neither process nor directory outlives the tests. */
const KEEPER = `"$0/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=400 \\
  -c shared_buffers=64MB >"$1/log" 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; rm -rf "$1"`

/** Directory of the cluster. */
let cluster: Promise<string> | undefined
/** `TEST_POOLER` puts pgbouncer before the database of each store. */
const BEHIND_POOLER = process.env['TEST_POOLER'] !== undefined
let bouncer: Promise<Pgbouncer> | undefined

export interface TestDatabase {
  readonly url: string
  /** Must be called when nobody has the database open. The next caller gets the database, emptied. */
  readonly release: () => Promise<void>
}

const free: string[] = []

/** Returns a database with its own schema, which contains nothing, or only the empty tables of a workspace. */
export async function makeDatabase(): Promise<TestDatabase> {
  const known = free.pop()
  if (known !== undefined) return asDatabase(known)
  const base = await baseUrl()
  const schema = `pimlet_${randomBytes(8).toString('hex')}`
  if (BEHIND_POOLER) {
    await administer(base, `CREATE DATABASE ${schema}`)
    return asDatabase((await pooler()).url.replace('/postgres?', `/${schema}?`))
  }
  await administer(base, `CREATE SCHEMA ${schema}`)
  return asDatabase(
    `${base}${base.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${schema},public`)}`,
  )
}

/** Poolers do not support a schema in the address. The pooler ends with the process. */
async function pooler(): Promise<Pgbouncer> {
  return (bouncer ??= startPgbouncer(await baseUrl(), { after: () => undefined }))
}

function asDatabase(url: string): TestDatabase {
  return {
    url,
    async release() {
      await administer(url, EMPTY)
      free.push(url)
    },
  }
}

async function baseUrl(): Promise<string> {
  return process.env['PIMLET_TEST_DATABASE_URL'] ?? urlIn(await (cluster ??= startCluster()))
}

/** Emptying tables is faster than making them again. */
const EMPTY = `DO $$
  DECLARE name text; left_over int;
  BEGIN
    FOR round IN 1..5 LOOP
      left_over := 0;
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'workspace' LOOP
        BEGIN
          EXECUTE format('DELETE FROM %I', name);
        EXCEPTION WHEN foreign_key_violation THEN left_over := left_over + 1;
        END;
      END LOOP;
      EXIT WHEN left_over = 0;
    END LOOP;
    UPDATE workspace SET version = 0, n = 0, records = 0, kept_answer_bytes = 0, export_feeds = 0, model = 0, credentials = 0, jobs = 0, key_print = NULL;
  END $$`

async function administer(url: string, sql: string): Promise<void> {
  const connection = await Connection.open({ url })
  await connection.script(sql)
  await connection.close()
}

/** Returns the path of the socket, for proxies before the database. */
export async function socketOf(): Promise<string> {
  return path.join(await (cluster ??= startCluster()), SOCKET)
}

function urlIn(directory: string): string {
  return `postgresql://pimlet@localhost/postgres?host=${encodeURIComponent(directory)}`
}

export interface EmptyCluster {
  /** Directory of PostgreSQL's programs. */
  readonly binaries: string
  /** The account that must run them. */
  readonly user: Account | undefined
}

/** Makes the files of a cluster in `directory`/data. */
export function makeCluster(directory: string, more: readonly string[] = []): EmptyCluster {
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const binaries = postgresPrograms(directory, user)
  const fixed = ['-U', 'pimlet', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '--no-sync']
  const made = spawnSync(path.join(binaries, 'initdb'), ['-D', path.join(directory, 'data'), ...fixed, ...more], {
    ...user,
    encoding: 'utf8',
    cwd: directory,
  })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  return { binaries, user }
}

/**
 * The cluster ends with this process, which then closes the keeper's input. A hook would run too early, while test
 * files still have servers on the cluster.
 */
async function startCluster(): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-pg-'))
  const { binaries, user } = makeCluster(directory)
  const keeper = spawn('sh', ['-c', KEEPER, binaries, directory], {
    ...user,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to all test processes at once must leave the keeper time to clean up.
    detached: true,
  })
  const prepared = await whenItAnswers(directory, keeper)
  await prepared.script('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public')
  await prepared.close()
  keeper.unref()
  const input = keeper.stdin as unknown as { unref(): void }
  input.unref()
  return directory
}

/** The server accepts connections a moment before it can answer them. */
async function whenItAnswers(directory: string, keeper: ChildProcess): Promise<Connection> {
  for (;;) {
    const connection = await Connection.open({ url: urlIn(directory) }).catch(() => undefined)
    if (connection !== undefined) return connection
    if (keeper.exitCode !== null) throw new Error('PostgreSQL did not start')
    await sleep(20)
  }
}
