// A server in its own process, which tests can kill and whose memory they can measure.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { NODE_FLAGS } from '../../scripts/build/node-flags.ts'
import { type Client, keyClient } from './client.ts'
import { PROGRAM } from './program.ts'
import { testedDatabase } from './tested-database.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
export const PROCESS_KEY = 'a-key-for-this-test-that-is-long-enough'

export interface ServerProcess {
  readonly process: ChildProcess
  readonly client: Client
}

/** Starts a server without a limit of records, and with the flags of the product: they decide how much memory it takes. */
export async function startServerProcess(dataDir: string): Promise<ServerProcess> {
  const args = [
    ...NODE_FLAGS,
    PROGRAM,
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--max-records',
    '0',
    '--log-level',
    'error',
  ]
  const databaseUrl = await testedDatabase(dataDir)
  if (databaseUrl !== undefined) args.push('--database-url', databaseUrl)
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PIMLET_ADMIN_API_KEY: PROCESS_KEY,
      PIMLET_ADMIN_PASSWORD: 'for this test',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^pimlet listening on (http:\S+)$/.exec(line)?.[1]
    if (url !== undefined) return { process: child, client: keyClient(url, PROCESS_KEY) }
  }
  throw new Error(`The server ended with status ${child.exitCode} before it listened`)
}

export async function killServerProcess({ process: child }: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Returns the peak memory of the process in bytes; undefined: the system does not provide it. */
export function peakMemory({ process: child }: ServerProcess): number | undefined {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))!
    return Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
