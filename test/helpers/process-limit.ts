// No process of the tests lives for ever. The runner's limits are those of tests: a hook that hangs, or a handle that somebody forgot, would
// let it wait without an end, and nobody would learn where.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'

const MINUTE = 60_000
/** Milliseconds of all files of a process: many times what the longest ones take. */
const LIFETIME = Number(process.env['TEST_PROCESS_LIFETIME'] ?? 25 * MINUTE)
/** Milliseconds from the end of its tests to its own, in which servers stop. */
const ENDING = Number(process.env['TEST_PROCESS_ENDING'] ?? 4 * MINUTE)

limit(LIFETIME, 'its tests and hooks are not over')
// Loaded before any file of tests: its hook comes before theirs.
after(() => limit(ENDING, 'its tests are over, and a hook hangs or something is open'))

/** Ends the process as failed, and says what keeps it alive. A process that has nothing more to do ends before. */
function limit(milliseconds: number, why: string): void {
  setTimeout(() => {
    const entry = process.argv[1] ?? ''
    const open = openHandles()
    const said = [
      `The test process ${path.basename(entry)} does not end after ${milliseconds} ms: ${why}.`,
      `What keeps it alive: ${process.getActiveResourcesInfo().join(', ')}`,
      ...open.map((handle) => `  ${JSON.stringify(handle)}`),
      'What it ran:',
      textOf(entry),
    ]
    // What it has started would keep its output open, for which the runner waits.
    for (const { type, pid } of open) if (type === 'process' && typeof pid === 'number') kill(pid)
    process.stderr.write(`${said.join('\n')}\n`, () => process.exit(1))
  }, milliseconds).unref()
}

interface Handle {
  readonly type: string
  readonly pid?: unknown
}

function openHandles(): readonly Handle[] {
  // Names of hosts would be looked up.
  Object.assign(process.report, { excludeNetwork: true })
  const { libuv } = process.report.getReport() as {
    libuv: (Handle & { is_active?: boolean; is_referenced?: boolean })[]
  }
  return libuv.filter((handle) => handle.is_active === true && handle.is_referenced === true)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** An entry of `scripts/suite.ts` names the files that share it. */
function textOf(entry: string): string {
  try {
    return readFileSync(entry, 'utf8').slice(0, 2000)
  } catch {
    return entry
  }
}
