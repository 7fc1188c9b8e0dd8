// Limits the lifetime of every test process. The runner only limits tests: with a hanging hook or a forgotten handle it
// would wait for ever, without naming the cause.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'

const MINUTE = 60_000
/** Milliseconds for all files of a process, many times the longest duration. */
const LIFETIME = Number(process.env['TEST_PROCESS_LIFETIME'] ?? 25 * MINUTE)
/** Milliseconds between the end of the tests and the end of the process, in which servers stop. */
const ENDING = Number(process.env['TEST_PROCESS_ENDING'] ?? 4 * MINUTE)

limit(LIFETIME, 'its tests and hooks are not over')
// This file is loaded before all test files, so its hook runs before theirs.
after(() => limit(ENDING, 'its tests are over, and a hook hangs or something is open'))

/** Ends the process as failed, and prints what keeps the process alive. A process without further work ends earlier. */
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
    // Child processes would keep the output open, for which the runner waits.
    for (const { type, pid } of open) if (type === 'process' && typeof pid === 'number') kill(pid)
    process.stderr.write(`${said.join('\n')}\n`, () => process.exit(1))
  }, milliseconds).unref()
}

interface Handle {
  readonly type: string
  readonly pid?: unknown
}

function openHandles(): readonly Handle[] {
  // The report would otherwise resolve host names.
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
    // The process has ended meanwhile.
  }
}

/** An entry of `scripts/suite.ts` names the files of the process. */
function textOf(entry: string): string {
  try {
    return readFileSync(entry, 'utf8').slice(0, 2000)
  } catch {
    return entry
  }
}
