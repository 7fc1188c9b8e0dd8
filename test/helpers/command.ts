// Runs pimlet's commands as a user does: in a process of their own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = path.resolve(import.meta.dirname, '../..')

export interface CommandResult {
  /** Null: ended by a signal. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Nothing of this process's environment but the path is handed on. */
export async function runCommand(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string | Buffer } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [path.join(ROOT, 'src/main.ts'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    timeout: 60_000,
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, stdout, stderr }
}

/** It prints nothing but exactly one line on standard error, no stack, that names each of `named`. */
export function assertEnds({ status, stdout, stderr }: CommandResult, expected: number, ...named: string[]): void {
  assert.deepEqual([status, stdout], [expected, ''], stderr)
  assert.match(stderr, /^pimlet: [^\n]+\n$/)
  for (const name of named) assert.ok(stderr.includes(name), `'${stderr}' does not name ${name}`)
}
