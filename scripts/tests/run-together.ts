// Runs test files one after another in one process.
import { spawn } from 'node:child_process'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Milliseconds of one test, and of all files of a process. */
const TEST_TIMEOUT = 600_000
const TIMEOUT = 1_200_000

/** Which storage the servers of the tests have (`test/helpers/tested-database.ts`). */
export interface Place {
  /** Version of PostgreSQL; undefined: SQLite. */
  readonly postgres?: string | undefined
  /** So many serve each workspace in turn. */
  readonly servers?: number | undefined
}

export interface Ended {
  readonly isGreen: boolean
  readonly output: string
  readonly seconds: number
  readonly counts: Counts
}

/** Of tests. */
export interface Counts {
  readonly tests: number
  readonly pass: number
  readonly fail: number
  readonly skipped: number
  /** One line for each that was skipped. */
  readonly reasons: readonly string[]
}

export async function runTogether(files: readonly string[], { postgres, servers = 1 }: Place = {}): Promise<Ended> {
  const begin = performance.now()
  const loaders = ['--import', './test/helpers/compile-cache.ts']
  const how = ['--test-isolation=none', '--test-reporter=spec', `--test-timeout=${TEST_TIMEOUT}`]
  const place = postgres === undefined ? {} : { TEST_DATABASE: 'postgres', TEST_POSTGRES: postgres }
  // Whoever runs this in a test gets no report of a test runner's, but what a terminal would.
  const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env
  const child = spawn(process.execPath, [...loaders, '--test', ...how, ...files], {
    cwd: ROOT,
    env: { ...inherited, ...place, TEST_SERVERS: String(servers) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { isGreen: code === 0, output, seconds: (performance.now() - begin) / 1000, counts: countIn(output) }
}

/** As the reporter says it at its end, and at each test that was skipped. Who ended before has no counts, and is red. */
function countIn(output: string): Counts {
  const numberOf = (name: string): number => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  const reasons = output.split('\n').filter((line) => /^\s*﹣ .*# /.test(line))
  return {
    tests: numberOf('tests'),
    pass: numberOf('pass'),
    fail: numberOf('fail') + numberOf('cancelled'),
    skipped: numberOf('skipped'),
    reasons: reasons.map((line) => line.trim().replace(/ \([\d.]+ms\)/, '')),
  }
}
