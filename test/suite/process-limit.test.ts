// A process of the tests that would never end. The suite runs it as it runs all: `scripts/tests/shared-processes.ts`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { entryOf } from '../../scripts/tests/shared-processes.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const PASSES = `import { after, it } from 'node:test'\nit('passes', () => {})\n`

/** What the runner says of the files in one process. */
function run(texts: readonly string[], limits: object): { readonly status: number | null; readonly said: string } {
  const directory = makeTempDirectory()
  const files = texts.map((text, index) => {
    const file = path.join(directory, `tested-${index}.mjs`)
    writeFileSync(file, text)
    return file
  })
  const entry = path.join(directory, 'entry.mjs')
  writeFileSync(entry, entryOf(files))
  const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', '--test-timeout=240000', entry], {
    env: { ...inherited, ...limits },
    encoding: 'utf8',
    timeout: 120_000,
  })
  return { status, said: stdout + stderr }
}

describe('A process of the tests', () => {
  it('in which a hook hangs ends as failed, and says what keeps it alive and which files it ran', () => {
    const hangs = `${PASSES}after(() => new Promise(() => setInterval(() => {}, 1000)))\n`
    const { status, said } = run([hangs, PASSES], { TEST_PROCESS_LIFETIME: '3000' })
    assert.equal(status, 1, said)
    assert.match(said, /entry\.mjs does not end after 3000 ms: its tests and hooks are not over/)
    assert.match(said, /keeps it alive: .*Timeout/)
    assert.match(said, /tested-0\.mjs/)
  })

  it('whose tests are over, and that something keeps open, ends as failed soon, and what it started with it', () => {
    const starts = `import { spawn } from 'node:child_process'\nspawn('sleep', ['600'], { stdio: 'inherit' })\n`
    const { status, said } = run([starts + PASSES], { TEST_PROCESS_ENDING: '1000' })
    assert.equal(status, 1, said)
    assert.match(said, /"type":"process"/)
    assert.match(said, /does not end after 1000 ms: its tests are over/)
  })

  it('that has nothing more to do ends at once, without a word', () => {
    const { status, said } = run([PASSES, PASSES], {})
    assert.equal(status, 0, said)
    assert.doesNotMatch(said, /does not end/)
  })
})
