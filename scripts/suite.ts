// `node scripts/suite.ts [--daily | --landing | --near] [--postgres VERSION] [--servers N] [--processes N] [GLOB…]`: runs test
// files by Node's test runner, whose summary comes last. Files of a folder share processes, because loading the sources
// costs more than most small tests.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { buildBundle, nativeBindingFile } from './build/bundle.ts'
import { changedFiles, filesNear } from './tests/near.ts'
import { entryOf, groupFiles, isDaily, isLanding, mayBeNear, nameOf } from './tests/shared-processes.ts'
import { type Attempt, failedOf, repeatable, summaryOf } from './tests/second-attempt.ts'
import { Skips } from './tests/skips.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Processes at a time: more than cores, since many tests wait. */
const PROCESSES = '4'
/** From this number of files on, one bundle is built for all of them. */
const FEW = 10
/** Milliseconds of one test. */
const TEST_TIMEOUT = 600_000

const { values, positionals: globs } = parseArgs({
  allowPositionals: true,
  options: {
    daily: { type: 'boolean', default: false },
    landing: { type: 'boolean', default: false },
    near: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    servers: { type: 'string' },
    processes: { type: 'string', default: PROCESSES },
  },
})
// A test of the suite may start another run, which Node would skip with this variable.
delete process.env['NODE_TEST_CONTEXT']
const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-suite-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const files = chosenFiles()
if (files.length === 0) console.log('No test file is concerned.')
else await runFiles(files)

function chosenFiles(): string[] {
  const found = globSync(globs.length > 0 ? globs : ['test/**/*.test.ts'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  }).toSorted()
  if (values.near) {
    const changes = changedFiles()
    return filesNear(
      found.filter((file) => mayBeNear(file, changes)),
      changes,
    )
  }
  if (values.daily) return found.filter(isDaily)
  return values.landing ? found.filter(isLanding) : found
}

async function runFiles(chosen: readonly string[]): Promise<void> {
  const groups = groupFiles(chosen)
  const entries = groups.map(writeEntry)
  const isLong = chosen.length > FEW
  const bundle = path.join(directory, 'bundle')
  if (isLong) await buildBundle(bundle)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const skips = new Skips()
  const attempt = async (paths: readonly string[], processes: number): Promise<Attempt> => {
    const stream = run({
      cwd: ROOT,
      files: paths,
      concurrency: processes,
      timeout: TEST_TIMEOUT,
      execArgv: ['--import', path.join(ROOT, 'test/helpers/compile-cache.ts')],
      env: { ...process.env, ...variablesOf(values), ...(isLong ? bundledIn(bundle) : {}) },
      signal: stopping.signal,
    })
    stream.on('test:pass', (test) => skips.note(test))
    return watched(stream)
  }
  const first = await attempt(entries, Number(values.processes))
  // The process of a failed file fails, too, and runs again.
  const repeated = new Set(
    groups.flatMap((group, at) =>
      first.failedFiles.includes(entries[at]!) ? group.map((file) => path.join(ROOT, file)) : [],
    ),
  )
  const failedFiles = first.failedFiles.filter((file) => !repeated.has(file))
  const again = stopping.signal.aborted ? [] : repeatable({ ...first, failedFiles })
  if (again.length === 0) process.exitCode = first.failedFiles.length === 0 ? 0 : 1
  else {
    console.log(`\nA second attempt, alone:\n${again.join('\n')}`)
    // A process that failed is named by its entry.
    const second = await attempt(
      again.map((file, place) => {
        const group = groups[entries.indexOf(file)]
        return writeEntry(group === undefined ? [path.relative(ROOT, file)] : failedOf(group, first.ends), 900 + place)
      }),
      1,
    )
    process.exitCode = second.failedFiles.length === 0 ? 0 : 1
    process.once('beforeExit', () => console.log(summaryOf(first, second)))
  }
  process.once('beforeExit', () => skips.report())
}

/** The runner starts entries in the order of their names. */
function writeEntry(group: readonly string[], place: number): string {
  const entry = path.join(directory, `${String(place).padStart(3, '0')}-${nameOf(group)}.mjs`)
  writeFileSync(entry, entryOf(group.map((file) => path.join(ROOT, file))))
  return entry
}

async function watched(stream: ReturnType<typeof run>): Promise<Attempt> {
  const failedFiles = new Set<string>()
  const ends = new Map<string, boolean>()
  for (const event of ['test:pass', 'test:fail'] as const)
    stream.on(event, ({ name, nesting }) => void (nesting === 0 && ends.set(name, event === 'test:pass')))
  let summary: Attempt['summary']
  stream.on('test:fail', ({ file }) => failedFiles.add(file ?? ''))
  // Each file has a summary; that of the whole run names no file.
  stream.on('test:summary', (data) => (summary = data.file === undefined ? data : summary))
  stream.compose(spec).pipe(process.stdout)
  await new Promise((resolve) => stream.once('end', resolve))
  return { failedFiles: [...failedFiles], ends, summary }
}

interface Chosen {
  readonly landing: boolean
  readonly postgres?: string
  readonly servers?: string
}

/** Returns the variables that choose tests, and their storage: `test/helpers/long.ts` and `tested-database.ts`. */
function variablesOf({ landing, postgres, servers }: Chosen): NodeJS.ProcessEnv {
  return {
    ...(landing ? { TEST_LANDING: 'true' } : {}),
    ...(postgres === undefined ? {} : { TEST_DATABASE: 'postgres', TEST_POSTGRES: postgres }),
    ...(servers === undefined ? {} : { TEST_SERVERS: servers }),
  }
}

function bundledIn(bundle: string): NodeJS.ProcessEnv {
  return { TEST_BUNDLE: bundle, TEST_NATIVE_BINDING: nativeBindingFile() }
}
