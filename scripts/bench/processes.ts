// Starts the measured processes, and reads their resource use from /proc (Linux).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { NODE_FLAGS } from '../build/node-flags.ts'

export const API_KEY = 'a-key-of-the-bench-that-is-long-enough'

const START_MILLISECONDS = 60_000
const STOP_MILLISECONDS = 20_000
const SAMPLE_MILLISECONDS = 100

export interface MeasuredProcess {
  readonly pid: number
  readonly port: number
  /** Returns processor time since the last call, in microseconds: of all threads, and of the main thread. */
  processorTime(): { all: number; main: number }
  /** Returns the resident bytes; 0: the process has ended. */
  memory(): number
  /** Returns the most resident bytes so far. */
  peakMemory(): number
  /** Starts a new peak. */
  forgetPeak(): void
  isRunning(): boolean
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()

/** A program and its first arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** The built pimlet. */
export function pimletBundle(directory: string): Command {
  return [process.execPath, ...NODE_FLAGS, path.join(directory, 'pimlet.cjs')]
}

/** Starts pimlet with its defaults, except for the record limit and `flags`. */
export function startPimlet(
  [program, ...args]: Command,
  dataDir: string,
  flags: readonly string[] = [],
): Promise<MeasuredProcess> {
  const fixed = ['--data-dir', dataDir, '--port', '0', '--max-records', '0', '--allow-destination', '127.0.0.1']
  return start([program, ...args, ...fixed, ...flags], {
    PIMLET_ADMIN_API_KEY: API_KEY,
    PIMLET_ADMIN_PASSWORD: 'of the bench',
  })
}

/** Starts a reference server, which prints the same line as pimlet. */
export function startReference(name: string, ...args: string[]): Promise<MeasuredProcess> {
  return start([process.execPath, path.join(import.meta.dirname, 'references', `${name}.ts`), ...args], {})
}

export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

async function start([program, ...args]: Command, environment: Record<string, string>): Promise<MeasuredProcess> {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const port = await listeningPort(child, [program, ...args].join(' '))
  const pid = child.pid!
  let before = readProcessorTime(pid)
  let peak = 0
  const sample = (): void => void (peak = Math.max(peak, readMemory(pid)))
  const timer = setInterval(sample, SAMPLE_MILLISECONDS)
  return {
    pid,
    port,
    processorTime() {
      const now = readProcessorTime(pid)
      const used = { all: now.all - before.all, main: now.main - before.main }
      before = now
      return used
    },
    memory: () => readMemory(pid),
    peakMemory() {
      sample()
      return peak
    },
    forgetPeak() {
      peak = 0
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      clearInterval(timer)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS)
      await ended
      clearTimeout(kill)
    },
  }
}

async function listeningPort(child: ChildProcess, what: string): Promise<number> {
  const kill = setTimeout(() => child.kill('SIGKILL'), START_MILLISECONDS)
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      const port = / listening on http:\/\/[^:]+:(\d+)$/.exec(line)?.[1]
      if (port !== undefined) return Number(port)
    }
  } finally {
    clearTimeout(kill)
  }
  throw new Error(`${what} ended with status ${child.exitCode} before it listened`)
}

/** Returns microseconds, from the nanoseconds that Linux counts for each thread. The time of ended threads is lost. */
function readProcessorTime(pid: number): { all: number; main: number } {
  let all = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) all += readThreadTime(pid, thread)
  return { all, main: readThreadTime(pid, String(pid)) }
}

function readThreadTime(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1000
  } catch {
    return 0
  }
}

/** Returns VmRSS in bytes; 0: the process has ended. */
function readMemory(pid: number): number {
  try {
    const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kibibytes) * 1024
  } catch {
    return 0
  }
}
