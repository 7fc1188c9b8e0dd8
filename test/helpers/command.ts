// Runs pimlet's commands as a user does: in a process of their own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { PROGRAM } from './program.ts'

export interface CommandResult {
  /** Null: ended by a signal. */
  readonly status: number | null
  readonly stdout: string
  /** Without its progress. */
  readonly stderr: string
}

/** What a process needs of this one's environment, and what makes it start sooner. */
export function bareEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of ['PATH', 'NODE_COMPILE_CACHE']) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}

/** As `src/cli/progress-bar.ts` writes them where no terminal is: `backup: 12.6 MB of 30.3 MB, 2.5 MB/s, 8 s left`. */
const PROGRESS_LINE =
  /^[a-z ]+: \d+(?:\.\d)? [A-Za-z]+(?: of \d+(?:\.\d)? [A-Za-z]+)?(?:, \d+(?:\.\d)? [A-Za-z]+\/s)?(?:, \d+ (?:s|min|h) left)?\n/gm

/** What a command has written to standard error but how far it was: nothing on a quick machine, some lines on a slow one. */
export function withoutProgress(errors: string): string {
  return errors.replaceAll(PROGRESS_LINE, '')
}

/** Nothing of this process's environment is handed on but what it needs. */
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

/** It prints nothing but exactly one line on standard error, no stack, that names each of `named`. */
export function assertEnds({ status, stdout, stderr }: CommandResult, expected: number, ...named: string[]): void {
  assert.deepEqual([status, stdout], [expected, ''], stderr)
  assert.match(stderr, /^pimlet: [^\n]+\n$/)
  for (const name of named) assert.ok(stderr.includes(name), `'${stderr}' does not name ${name}`)
}
