// Runs pimlet's commands as a user does, each in its own process.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { PROGRAM } from './program.ts'

export interface CommandResult {
  /** Null: ended by a signal. */
  readonly status: number | null
  readonly stdout: string
  /** Standard error without progress lines. */
  readonly stderr: string
}

/** Returns the variables that a process needs, and those that make it start faster. */
export function bareEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of ['PATH', 'NODE_COMPILE_CACHE']) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}

/** Lines of `src/cli/progress-bar.ts` without a terminal: `backup: 12.6 MB of 30.3 MB, 2.5 MB/s, 8 s left`. */
const PROGRESS_LINE =
  /^[a-z ]+: \d+(?:\.\d)? [A-Za-z]+(?: of \d+(?:\.\d)? [A-Za-z]+)?(?:, \d+(?:\.\d)? [A-Za-z]+\/s)?(?:, \d+ (?:s|min|h) left)?\n/gm

/** Removes progress lines from standard error. Their number depends on the speed of the machine. */
export function withoutProgress(errors: string): string {
  return errors.replaceAll(PROGRESS_LINE, '')
}

/** Runs a command with only the necessary variables of this process's environment. */
export async function runCommand(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string | Buffer } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...bareEnvironment(), ...env },
    timeout: 60_000,
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, stdout, stderr: withoutProgress(stderr) }
}

/**
 * Checks that the command prints only one line on standard error, no stack, and that the line contains each of `named`.
 */
export function assertEnds({ status, stdout, stderr }: CommandResult, expected: number, ...named: string[]): void {
  assert.deepEqual([status, stdout], [expected, ''], stderr)
  assert.match(stderr, /^pimlet: [^\n]+\n$/)
  for (const name of named) assert.ok(stderr.includes(name), `'${stderr}' does not name ${name}`)
}
