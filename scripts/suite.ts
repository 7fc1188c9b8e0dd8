// `node scripts/suite.ts [--processes N] [GLOB…]` (`npm run test:run`): all tests, or those of the globs, by Node's test runner, whose summary comes last.
// To load what they test is most of what small test files cost: those of a folder share processes, so many each.
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildBundle, nativeBindingFile } from './build/bundle.ts'
import { entryOf, groupFiles, nameOf } from './tests/shared-processes.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** At a time: more than cores, since many tests wait. */
const PROCESSES = '4'
/** From so many files on a bundle is made for all of them. */
const FEW = 20
/** Milliseconds of one test. */
const TEST_TIMEOUT = 600_000

const { values, positionals: globs } = parseArgs({
  allowPositionals: true,
  options: { processes: { type: 'string', default: PROCESSES } },
})
const files = globSync(globs.length > 0 ? globs : ['test/**/*.test.ts'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-suite-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const entries = groupFiles(files.sort()).map((group, place) => {
  // The runner takes them by their names.
  const entry = path.join(directory, `${String(place).padStart(3, '0')}-${nameOf(group)}.mjs`)
  writeFileSync(entry, entryOf(group.map((file) => path.join(ROOT, file))))
  return entry
})
const bundle = path.join(directory, 'bundle')
const isLong = files.length > FEW
if (isLong) await buildBundle(bundle)
const env = isLong ? { ...process.env, TEST_BUNDLE: bundle, TEST_NATIVE_BINDING: nativeBindingFile() } : process.env
const child = spawn(
  process.execPath,
  [
    '--import',
    path.join(ROOT, 'test/helpers/compile-cache.ts'),
    '--test',
    `--test-concurrency=${values.processes}`,
    `--test-timeout=${TEST_TIMEOUT}`,
    ...entries,
  ],
  { cwd: ROOT, stdio: 'inherit', env },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => (process.exitCode = code ?? 1))
