// A PostgreSQL for a single test, which can be killed and restarted on its data.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../src/postgres/connection.ts'
import { makeCluster } from './postgres.ts'
import type { Lifetime } from './shared-in-suite.ts'

/** The keeper ends when its input does, so that no process outlives the tests. */
const KEEPER = `"$0/postgres" -D "$1/data" -k "$1" -c listen_addresses= >>"$1/log" 2>&1 & server=$!
  echo $server; cat >/dev/null; kill -QUIT $server; wait $server`

export interface OwnPostgres {
  readonly url: string
  /** Directory of its socket and data. */
  readonly directory: string
  /** Sends `kill -9` to all its processes, nearly at once. */
  kill(): Promise<void>
  /** Sends `kill -9` to the process that writes for a server. PostgreSQL then ends all other processes and recovers. */
  killWriter(): Promise<void>
  /** Stops all its processes without notice. */
  halt(): void
  goOn(): void
  /** Resolves when PostgreSQL responds. */
  start(): Promise<void>
  /** Returns its log. */
  log(): string
  /** Runs a query on a new connection. */
  ask<Row = Record<string, unknown>>(sql: string): Promise<Row[]>
}

/** @param small a directory for everything except the log and files that PostgreSQL places itself */
export async function startOwnPostgres(test: Lifetime, { small }: { small?: string } = {}): Promise<OwnPostgres> {
  const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-pg-'))
  const { binaries, user } = makeCluster(directory)
  const url = `postgresql://pimlet@localhost/postgres?host=${encodeURIComponent(directory)}`
  let keeper: ChildProcess | undefined
  let server = 0

  async function start(): Promise<void> {
    keeper = spawn('sh', ['-c', KEEPER, binaries, directory], {
      ...user,
      cwd: directory,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const [line] = (await once(keeper.stdout!, 'data')) as [Buffer]
    server = Number(line)
    for (;;) {
      const connection = await Connection.open({ url }).catch(() => undefined)
      if (connection !== undefined) return connection.close()
      if (!existsSync(`/proc/${server}`)) throw new Error(`PostgreSQL did not start: ${log()}`)
      await sleep(20)
    }
  }

  async function ask<Row>(sql: string): Promise<Row[]> {
    const connection = await Connection.open({ url })
    try {
      return await connection.planned<Row>(sql)
    } finally {
      await connection.close()
    }
  }

  function signal(name: NodeJS.Signals): void {
    for (const id of [server, ...childrenOf(server)]) signalTo(id, name)
  }

  const log = (): string => readFileSync(path.join(directory, 'log'), 'utf8')

  async function kill(): Promise<void> {
    const processes = [server, ...childrenOf(server)]
    for (const id of processes) signalTo(id, 'SIGKILL')
    while (processes.some((id) => isAlive(id))) await sleep(5)
    await untilReaped()
  }

  /** A dead process that is not reaped still counts as running. */
  async function untilReaped(): Promise<void> {
    const gone = once(keeper!, 'exit')
    keeper!.stdin!.end()
    await gone
  }

  async function killWriter(): Promise<void> {
    for (;;) {
      const [writer] = await ask<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' OR query = 'COMMIT' AND state = 'active' LIMIT 1`,
      )
      if (writer !== undefined) return signalTo(writer.pid, 'SIGKILL')
    }
  }

  const halt = (): void => signal('SIGSTOP')
  const goOn = (): void => signal('SIGCONT')
  test.after(async () => {
    goOn()
    if (keeper !== undefined && keeper.exitCode === null) await untilReaped()
    rmSync(directory, { recursive: true, force: true })
  })
  await start()
  if (small !== undefined) {
    if (user !== undefined) chownSync(small, user.uid, user.gid)
    await ask(`CREATE TABLESPACE small LOCATION '${small}'`)
    await ask('ALTER ROLE pimlet SET default_tablespace = small')
  }
  await ask('CREATE EXTENSION pg_trgm')
  return { url, directory, kill, killWriter, halt, goOn, start, log, ask }
}

function signalTo(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch {
    // The process ended before the signal.
  }
}

/** A zombie is not alive. */
function isAlive(id: number): boolean {
  return parentAndState(id) !== undefined && parentAndState(id)!.state !== 'Z'
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => Number.isInteger(id) && parentAndState(id)?.parent === parent)
}

function parentAndState(id: number): { parent: number; state: string } | undefined {
  try {
    const [state, parent] = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { parent: Number(parent), state: state! }
  } catch {
    return undefined
  }
}
