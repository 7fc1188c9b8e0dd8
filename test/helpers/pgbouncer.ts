// A pgbouncer between servers and their PostgreSQL, which lends one of its few connections for each transaction (`.ci/install-packages`).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NOBODY, SOCKET, urlThrough, withoutPostgres } from './postgres-programs.ts'
import type { Lifetime } from './shared-in-suite.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
/** The keeper ends when its input does, so that neither process nor directory outlives the tests. */
const KEEPER = `"$0" "$1/pgbouncer.ini" >"$1/log" 2>&1 & server=$!; cat >/dev/null; kill -KILL $server; wait $server
  rm -rf "$1"`

/** The reason why tests behind pgbouncer are skipped, or false. */
export const withoutPgbouncer =
  withoutPostgres() || (existsSync(PROGRAM) ? false : 'pgbouncer is not installed: .ci/install-packages')

export interface Pgbouncer {
  /** `url` through pgbouncer. */
  readonly url: string
  /** Socket of pgbouncer. */
  readonly socket: string
}

export interface PgbouncerOptions {
  /** Most connections to the database. */
  readonly size?: number
  readonly mode?: 'session' | 'transaction' | 'statement'
}

/** @param url of a socket in a directory */
export async function startPgbouncer(
  url: string,
  test: Lifetime,
  { size = 8, mode = 'transaction' }: PgbouncerOptions = {},
): Promise<Pgbouncer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-pgb-'))
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const { searchParams, username } = new URL(url)
  const schema = /search_path=(\S+)/.exec(searchParams.get('options') ?? '')?.[1]
  const first = schema === undefined ? '' : ` connect_query='SET search_path = ${schema}'`
  const file = path.join(directory, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${searchParams.get('host')!} user=${username}${first}
[pgbouncer]
unix_socket_dir = ${directory}
listen_port = 5432
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 300
server_login_retry = 1
server_idle_timeout = 3
ignore_startup_parameters = options
`,
  )
  if (user !== undefined) chownSync(file, user.uid, user.gid)
  const keeper = spawn('sh', ['-c', KEEPER, PROGRAM, directory], {
    ...user,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  test.after(async () => {
    keeper.ref()
    const gone = once(keeper, 'exit')
    keeper.stdin.end()
    await gone
  })
  keeper.unref()
  const input = keeper.stdin as unknown as { unref(): void }
  input.unref()
  const socket = path.join(directory, SOCKET)
  while (!(await isListening(socket))) {
    const log = path.join(directory, 'log')
    if (existsSync(log) && readFileSync(log, 'utf8').includes('FATAL')) throw new Error(readFileSync(log, 'utf8'))
    await sleep(10)
  }
  return { url: urlThrough(url, directory), socket }
}

function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socket, () => {
      client.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}
