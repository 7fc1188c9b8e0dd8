// Which test files a run takes, and what it says of skipped tests.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { filesNear } from '../../scripts/tests/near.ts'
import { failedOf } from '../../scripts/tests/second-attempt.ts'
import { isDaily, mayBeNear } from '../../scripts/tests/shared-processes.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const NEEDS_BROWSER = 'test/console/standing-checks.test.ts'

/** Runs one file whose browser is missing. */
function runWithoutBrowser(more: NodeJS.ProcessEnv): {
  readonly status: number | null
  readonly lines: readonly string[]
} {
  const { CI: _ci, ...inherited } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['scripts/suite.ts', NEEDS_BROWSER], {
    cwd: ROOT,
    env: { ...inherited, PIMLET_CHROMIUM: '/nowhere/chromium', ...more },
    encoding: 'utf8',
  })
  return { status, lines: stdout.trimEnd().split('\n') }
}

describe('A run of the suite', () => {
  it('without a program that tests need passes, and ends with a line that says how to get the program', () => {
    const { status, lines } = runWithoutBrowser({})
    assert.equal(status, 0)
    assert.equal(lines.at(-1), 'Skipped, Chromium is not installed: .ci/install-packages: The standing checks')
  })

  it('fails in continuous integration where a test is skipped', () => {
    assert.equal(runWithoutBrowser({ CI: 'true' }).status, 1)
  })

  it('is without deaths, attacks and clusters where it is the daily one, and without long files but near a change', () => {
    const files = ['test/exports/kill-delivery.test.ts', 'test/attacks/large-json.test.ts', 'test/cluster/feed.test.ts']
    assert.deepEqual(files.filter(isDaily), [])
    assert.ok(isDaily('test/core/scopes/scope.test.ts'))
    const long = 'test/plugins/s3.test.ts'
    const near = [long, ...files].map((file) => mayBeNear(file, ['src/app/app.ts']))
    assert.deepEqual([isDaily(long), ...near], [false, true, false, false, false])
  })

  it('leaves long tests of a file out where it is the landing one', () => {
    const directory = makeTempDirectory()
    const file = path.join(directory, 'both.test.ts')
    const helper = path.join(ROOT, 'test/helpers/long.ts')
    writeFileSync(
      file,
      `import { it } from 'node:test'
      import { itLong } from ${JSON.stringify(helper)}
      it('is short', () => {})
      itLong('is long', () => {})`,
    )
    const { TEST_LANDING: _landing, ...env } = process.env
    const run = (...options: string[]): string => {
      const args = ['scripts/suite.ts', ...options, path.relative(ROOT, file)]
      return spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' }).stdout
    }
    assert.match(run(), /✔ is short .*\n✔ is long .*\nℹ tests 2\n/)
    assert.match(run('--landing'), /✔ is short .*\nℹ tests 1\n/)
  })

  it('opens a browser near a change of the console alone', () => {
    const file = 'test/console/imports/imports.test.ts'
    assert.ok(mayBeNear(file, ['console/imports/imports.tsx']))
    assert.ok(!mayBeNear(file, ['src/imports/import-line.ts']))
  })
})

describe('A failed test', () => {
  const FAILS_ONCE = `import { existsSync, writeFileSync } from 'node:fs'
    import { it } from 'node:test'
    it('passes', () => {})
    it('fails once', () => {
      if (existsSync('FLAG')) return
      writeFileSync('FLAG', '')
      throw new Error('late')
    })`

  /** Runs a file with a test that fails until its flag is there. */
  function runTwice(more: NodeJS.ProcessEnv, source: string) {
    const directory = makeTempDirectory()
    const file = path.join(directory, 'late.test.ts')
    writeFileSync(file, source.replaceAll('FLAG', path.join(directory, 'flag')))
    const { CI: _ci, ...env } = process.env
    const relative = path.relative(ROOT, file)
    const options = { cwd: ROOT, env: { ...env, ...more }, encoding: 'utf8' } as const
    return spawnSync(process.execPath, ['scripts/suite.ts', relative], options)
  }

  it('is run once more in continuous integration, and the summary counts it', () => {
    const { status, stdout } = runTwice({ CI: 'true' }, FAILS_ONCE)
    assert.equal(status, 0, stdout)
    const last = stdout.trimEnd().split('\n').slice(-9, -1)
    const counts = [
      'tests 2',
      'suites 0',
      'pass 2',
      'fail 0',
      'cancelled 0',
      'skipped 0',
      'todo 0',
      'second attempts 1',
    ]
    assert.deepEqual(
      last,
      counts.map((line) => `ℹ ${line}`),
    )
  })

  it('has only its file run again where all files of its process came to their end, else all of them', () => {
    const group = ['a.test.ts', 'b.test.ts']
    const failed = (...ends: [file: string, passed: boolean][]) => failedOf(group, new Map(ends))
    assert.deepEqual(failed(['a.test.ts', true], ['b.test.ts', false]), ['b.test.ts'])
    assert.deepEqual(failed(['a.test.ts', false]), group)
    assert.deepEqual(failed(['a.test.ts', true], ['b.test.ts', true]), group)
  })

  it('fails the run where the test fails again, and elsewhere at once', () => {
    const always = FAILS_ONCE.replace('return', `throw new Error('again')`)
    const { status, stdout } = runTwice({ CI: 'true' }, always)
    assert.equal(status, 1)
    assert.match(stdout, /ℹ pass 1\nℹ fail 1\n.*\n.*\n.*\nℹ second attempts 1\n/)
    assert.equal(runTwice({}, FAILS_ONCE).status, 1)
  })
})

describe('The files near a change', () => {
  const FILES = [
    'test/core/csv/csv-import.test.ts',
    'test/kernel/input/nearest.test.ts',
    'test/core/records/routes/transitions.test.ts',
    'test/contract.test.ts',
  ]

  it('import a changed file, or are named as one', () => {
    assert.deepEqual(filesNear(FILES, ['src/core/csv/csv-cell.ts']), ['test/core/csv/csv-import.test.ts'])
    assert.ok(
      filesNear(FILES, ['src/core/records/transitions.ts']).includes('test/core/records/routes/transitions.test.ts'),
    )
    assert.ok(!filesNear(FILES, ['src/core/records/transitions.ts']).includes('test/core/csv/csv-import.test.ts'))
  })

  it('are none where nothing but text has changed', () => {
    assert.deepEqual(filesNear(FILES, ['README.md']), [])
  })
})
