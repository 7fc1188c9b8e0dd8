// Runs OpenStack Swift as an independent S3 server, if installed (.ci/install-packages). The fixture must respond like
// this real store.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Account } from './s3-fixture-sign.ts'

export interface Swift {
  readonly host: string
  readonly port: number
  readonly account: Account
  close(): Promise<void>
}

const SCRIPT = join(import.meta.dirname, 'servers', 'swift-s3.sh')
const PROGRAMS = ['swift-proxy-server', 'swift-ring-builder', 'curl']

/** Returns the reason why Swift's tests are skipped, or false. */
export function swiftIsAbsent(): string | false {
  const missing = PROGRAMS.filter((program) => spawnSync('which', [program]).status !== 0)
  return missing.length === 0 ? false : `OpenStack Swift (${missing.join(', ')}) is not installed: .ci/install-packages`
}

export async function startSwift(): Promise<Swift> {
  const directory = mkdtempSync(join(tmpdir(), 'pimlet-swift-'))
  const port = await findFreePorts(4)
  const child = spawn(SCRIPT, [String(port), directory], { stdio: ['ignore', 'pipe', 'pipe'] })
  const complaints: string[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  const exited = once(child, 'exit')
  const ready = once(createInterface(child.stdout), 'line')
  const first = await Promise.race([ready, exited.then(() => undefined)])
  if (!first) throw new Error(`Swift did not start: ${complaints.join('')}`)
  return {
    host: '127.0.0.1',
    port,
    account: { accessKeyId: 'test:tester', secretAccessKey: 'testing', region: 'us-east-1' },
    close: async () => {
      child.kill('SIGTERM')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Finds the first of `count` neighbouring free ports. */
async function findFreePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)))
    if (free.every(Boolean)) return first
  }
  throw new Error(`no ${count} neighbouring ports are free`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
