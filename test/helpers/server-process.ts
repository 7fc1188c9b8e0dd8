// A server in its own process, for tests that kill it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { NODE_FLAGS } from '../../scripts/build/node-flags.ts'
import { type Client, keyClient } from './client.ts'
import { PROGRAM } from './program.ts'
import { letLeasesEnd, testedDatabase } from './tested-database.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const KEY = 'a-key-for-this-test-that-is-long-enough'

export interface ServerProcess {
  readonly admin: Client
  readonly pid: number
  /** Whether the process is alive. */
  isRunning(): boolean
  /** Returns its standard error. */
  errors(): string
  /** Sends a signal, for example `SIGSTOP` or `SIGCONT`. */
  signal(signal: NodeJS.Signals): void
  /** Sends `kill -9` or `signal`; resolves to the exit status, or to null where the signal ended the process. */
  kill(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * @param entry another program
 * @param port a given port; by default any free one
 */
export async function startServerProcess(
  dataDir: string,
  args: readonly string[] = [],
  entry = PROGRAM,
  port = 0,
): Promise<ServerProcess> {
  const fixed = [entry, '--data-dir', dataDir, '--port', String(port), '--log-format', 'json']
  if (!args.includes('--max-records')) fixed.push('--max-records', '0')
  const databaseUrl = args.includes('--database-url') ? undefined : await testedDatabase(dataDir)
  const workspace = databaseUrl === undefined ? [] : ['--database-url', databaseUrl]
  const child = spawn(process.execPath, [...NODE_FLAGS, ...fixed, ...workspace, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PIMLET_ADMIN_API_KEY: KEY,
      PIMLET_ADMIN_PASSWORD: 'for this test',
      // Code compiled for one test's program is useless for the next.
      ...(entry !== PROGRAM &&
        path.isAbsolute(entry) && { NODE_COMPILE_CACHE: path.join(path.dirname(entry), 'compiled') }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^pimlet listening on (http:\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    return {
      admin: keyClient(url, KEY),
      pid: child.pid!,
      isRunning: () => isRunning(child),
      errors: () => errors,
      signal: (signal) => void child.kill(signal),
      async kill(signal = 'SIGKILL') {
        if (!isRunning(child)) return child.exitCode
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
        await letLeasesEnd(dataDir)
        return child.exitCode
      },
    }
  }
  throw new Error(`The server ended with status ${child.exitCode} before it listened: ${errors}`)
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}
