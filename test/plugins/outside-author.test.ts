// The contract suite in the hands of somebody who has nothing of this repository: one built file beside a plugin.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { buildPluginContract } from '../../scripts/build/plugin-contract.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const readme = readFileSync(path.join(import.meta.dirname, '../../plugins/README.md'), 'utf8')
const sample = readFileSync(path.join(import.meta.dirname, 'sample/file.mjs'), 'utf8')

const testOfSample = `
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import file from './file.mjs'
import { destinationContract } from './plugin-contract.mjs'

destinationContract('file', file, async () => {
  const directory = mkdtempSync(path.join(import.meta.dirname, 'out-'))
  const at = (name) => path.join(directory, name)
  return {
    config: () => ({ directory }),
    wrongCredentials: () => ({}),
    missingTarget: () => ({ 'no such directory': { directory: at('missing') } }),
    path: at,
    read: async (name) => (existsSync(at(name)) ? readFileSync(at(name)) : undefined),
    visible: async () => readdirSync(directory).filter((name) => !name.startsWith('.')),
    hidden: async () => readdirSync(directory).filter((name) => name.startsWith('.')),
    secrets: [],
    close: async () => {},
  }
}, { withoutNetwork: true })
`

describe('The contract suite, outside', { concurrency: true }, () => {
  const contract = path.join(makeTempDirectory(), 'plugin-contract.mjs')
  before(() => buildPluginContract(contract))

  /** Runs `node --test` in a directory with these files and the built suite. */
  async function runTests(files: Record<string, string>): Promise<{ status: number; output: string }> {
    const directory = makeTempDirectory()
    for (const [name, content] of Object.entries({ ...files, 'plugin-contract.mjs': readFileSync(contract, 'utf8') }))
      writeFileSync(path.join(directory, name), content)
    const { NODE_TEST_CONTEXT: _inner, NODE_OPTIONS: _options, ...env } = process.env
    const args = ['--test', '--test-reporter=spec']
    const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { status: child.exitCode ?? -1, output: output + complaints }
  }

  it('passes for the example of the documentation, with the test that stands there', async () => {
    const [plugin, test] = [...readme.matchAll(/```js\n(import [^]*?)```/g)].map((match) => match[1])
    const { status, output } = await runTests({ 'http-put.mjs': plugin!, 'http-put.test.mjs': test! })
    assert.equal(status, 0, output)
    assert.match(output, /✔ brings 50 MB/)
    assert.match(output, /✔ reset after \d+ bytes/)
  })

  it('passes for the sample, which has no network', async () => {
    const { status, output } = await runTests({ 'file.mjs': sample, 'file.test.mjs': testOfSample })
    assert.equal(status, 0, output)
    assert.match(output, /✔ brings 50 MB/)
    assert.doesNotMatch(output, /reset after/)
  })

  it('names each promise that a plugin breaks', async () => {
    const breaches: [promise: string, from: string, to: string][] = [
      ['comes from an object that pimlet takes for a destination', "type: 'file'", "type: 'My file'"],
      ['a target that does not exist ends deliver at once', "code === 'ENOENT'", 'false'],
      ['does not begin when it was cancelled before', 'signal.throwIfAborted()', 'signal.aborted'],
      ['agrees with a destination that can be written', 'await unlink(temporary)', 'await stat(temporary)'],
    ]
    const broken = breaches.reduce((text, [, from, to]) => text.replaceAll(from, to), sample)
    const { status, output } = await runTests({ 'file.mjs': broken, 'file.test.mjs': testOfSample })
    assert.equal(status, 1)
    for (const [promise] of breaches) assert.ok(output.includes(`✖ ${promise}`), promise)
  })
})
