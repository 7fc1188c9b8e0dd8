// Runs test files one after another: in one process, or with PostgreSQL in one each.
import { spawn } from 'node:child_process'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Milliseconds of one test, and of all files of a process. */
const TEST_TIMEOUT = 240_000
const TIMEOUT = 900_000

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
}

export async function runTogether(files: readonly string[], { postgres, servers = 1 }: Place = {}): Promise<Ended> {
  const begin = performance.now()
  const loaders = ['--import', 'tsx', '--import', './test/helpers/compile-cache.ts']
  // The end of a process ends its PostgreSQL, too.
  const isolation = postgres === undefined ? ['--test-isolation=none'] : ['--test-concurrency=1']
  const how = [...isolation, '--test-reporter=spec', `--test-timeout=${TEST_TIMEOUT}`]
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
  return { isGreen: code === 0, output, seconds: (performance.now() - begin) / 1000 }
}
